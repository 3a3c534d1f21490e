/** Definition of an option, from which everything else derives. */

import type * as z from 'zod';
import type { RunManifest } from '../../run-log/index.ts';
import type { EvaluationConfig } from '../../evaluation/index.ts';
import type * as kinds from './kinds.ts';

/** The help of a flag that `--help` leaves out. */
export const HIDDEN = null;
type Help = string | typeof HIDDEN;

/** Commands that take some options of `run`, in a sense of their own. */
export type OtherCommand = 'fork' | 'errors' | 'serve';

/** An option, by the name that it has in the program; config files have it in snake_case or kebab-case. */
export interface OptionEntry {
  /** Its flags with their help. Those of another name are aliases, `--no-…` means the opposite. */
  readonly flags: Readonly<Record<string, Help>>;
  /** Help in commands that take the option in another sense. */
  readonly helpIn?: Readonly<Partial<Record<OtherCommand, Help>>>;
  /** `--help` shows it; the others are for `--help-all`. */
  readonly isEssential?: true;
  readonly group?: string;
  /** A function, because `--help` does without the schemas' library. */
  readonly schema: (as: typeof kinds) => z.ZodType;
  /** Values that a shell suggests. */
  readonly suggested?: () => readonly string[];
  /** Key of the configuration that has the value as it is; such an option is part of the run's identity. */
  readonly key?: keyof EvaluationConfig;
  /** The configuration has no value at its default. */
  readonly isLeftOut?: true;
  /** Value that a resumed run has from `run.json`, as a flag would give it. @default what `key` has */
  readonly recorded?: (run: RunManifest) => unknown;
  /** Another strategy does not have what was recorded. */
  readonly isOfStrategy?: true;
  /** Reason why schedules do not take the option; it follows "a schedule". */
  readonly notScheduled?: string;
  readonly isNotInFiles?: true;
}
