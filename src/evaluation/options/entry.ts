/** Definition of an option, from which everything else derives. */

import type * as z from 'zod';
import type { RunManifest } from '../../run-log/index.ts';
import type { ConfigKey, OtherCommand } from '../index.ts';
import type * as kinds from '../kinds.schema.ts';

/** The help of a flag that `--help` leaves out. */
export const HIDDEN = null;
type Help = string | typeof HIDDEN;

/** An option, by the name that it has in the program; config files have it in snake_case or kebab-case. */
export interface OptionEntry {
  /** Its flags with their help. Those of another name are aliases, `--no-…` means the opposite. */
  readonly flags: Readonly<Record<string, Help>>;
  /** Help in commands that take the option in another sense. */
  readonly helpIn?: Readonly<Partial<Record<OtherCommand, Help>>>;
  /** `--help` shows it; the others are for `--help-all`. */
  readonly isEssential?: true;
  readonly group?: string;
  /** Agent strategies with which `--help-all` shows it. @default any */
  readonly shownWith?: readonly string[];
  /** The flag takes one value each time it is given, and may be given several times. */
  readonly isRepeatable?: true;
  /** A function, because `--help` does without the schemas' library. */
  readonly schema: (as: typeof kinds) => z.ZodType;
  /** Values that a shell suggests. */
  readonly suggested?: () => readonly string[];
  /** Field of the configuration with exactly this value. */
  readonly key?: ConfigKey;
  /** The configuration has no value at its default. */
  readonly isLeftOut?: boolean;
  /** Value that a resumed run has from `run.json`, as a flag would give it. @default what `key` has */
  readonly recorded?: (run: RunManifest) => unknown;
  /** True if a recorded value does not apply to another strategy. */
  readonly isOfStrategy?: true;
  /** Reason why schedules do not take the option; it follows "a schedule". */
  readonly notScheduled?: string;
  readonly isNotInFiles?: true;
}
