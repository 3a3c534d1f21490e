/** Definition of an option, from which its flags, help and checks derive. */

import type * as z from 'zod';
import type { RunManifest } from '../../run-log/index.ts';
import type { ConfigKey, OtherCommand } from '../../evaluation/index.ts';
import type * as kinds from '../../evaluation/kinds.schema.ts';

/** Help of a flag that `--help` omits. */
export const HIDDEN = null;
type Help = string | typeof HIDDEN;

/** An option by its name in the program; config files have it in snake_case or kebab-case. */
export interface OptionEntry {
  /** The option's flags with their help. Flags of another name are aliases; `--no-…` means the opposite. */
  readonly flags: Readonly<Record<string, Help>>;
  /** Help in commands that use the option differently. */
  readonly helpIn?: Readonly<Partial<Record<OtherCommand, Help>>>;
  /** True if `--help` shows the option; otherwise only `--help-all` does. */
  readonly isEssential?: true;
  readonly group?: string;
  /** Agent strategies with which `--help-all` shows the option. @default any */
  readonly shownWith?: readonly string[];
  /** True if the flag may be given several times, with one value each. */
  readonly isRepeatable?: true;
  /** Returns the schema of the value. It is a function, so that `--help` need not load the schemas' library. */
  readonly schema: (as: typeof kinds) => z.ZodType;
  /** Values that a shell suggests. */
  readonly suggested?: () => readonly string[];
  /** Field of the configuration with exactly this value. */
  readonly key?: ConfigKey;
  /** True if the configuration omits the default. */
  readonly isLeftOut?: boolean;
  /**
   * Returns the value that a resumed run takes from `run.json`, in the form of a flag's value. @default the value of
   * `key`
   */
  readonly recorded?: (run: RunManifest) => unknown;
  /** True if a recorded value does not apply to another strategy. */
  readonly isOfStrategy?: true;
  /** Reason why schedules do not accept the option, a phrase after "a schedule". */
  readonly notScheduled?: string;
  readonly isNotInFiles?: true;
}
