/** Replays sequences of actions without an episode, and makes the lines that `replay` prints. */

import type { EnvData } from './overlay.ts';
import type { Dumpable, PyValue } from './python/index.ts';
import type { Action } from './types.ts';

export interface ReplaySequence {
  /** Id of the line, if any. */
  readonly name: PyValue | undefined;
  /** Id of the task with the initial state, if any. */
  readonly taskId: PyValue | undefined;
  readonly steps: readonly {
    readonly action: Action;
    /** The action in its given form: the first fields of the step in the line. */
    readonly given: Readonly<Record<string, Dumpable | undefined>>;
  }[];
  /** The user's replies to each `respond` in turn, in benchmarks that have that action. */
  readonly userReplies: readonly string[];
}

/** Replays sequences on one pack's data. */
export interface Replayer {
  /** True if a sequence may begin in a task's initial state; false if all begin with the pack's data. */
  readonly startsInTasks: boolean;
  /** Returns the line of a sequence. @param start the data at its beginning */
  readonly line: (start: EnvData, sequence: ReplaySequence) => Dumpable | Promise<Dumpable>;
}
