/** Replays sequences of actions without an episode, and makes the lines that `replay` prints. */

import type { EnvData } from './overlay.ts';
import type { DumpableValue, PyValue } from './python/index.ts';
import type { Action } from './types.ts';

export interface ReplaySequence {
  /** Id of the line, if any. */
  readonly name: PyValue | undefined;
  /** Id of the task with the initial state, if any. */
  readonly taskId: PyValue | undefined;
  readonly steps: readonly {
    readonly action: Action;
    /** The action as the step in the line has it, for the output's first fields. */
    readonly given: Readonly<Record<string, DumpableValue | undefined>>;
  }[];
  /** The user's replies to the `respond` actions in order, for benchmarks that have this action. */
  readonly userReplies: readonly string[];
}

/** Replays sequences on one pack's data. */
export interface Replayer {
  /** True if a sequence may begin in a task's initial state; false if all sequences begin with the pack's data. */
  readonly startsInTasks: boolean;
  /** Returns the line of a sequence. @param start the data at its beginning */
  readonly line: (start: EnvData, sequence: ReplaySequence) => DumpableValue | Promise<DumpableValue>;
}
