/** Sequences of actions taken on a state without an episode, and the lines that `replay` prints of them. */

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
    /** The action as given: the first fields of the step in the line. */
    readonly given: Readonly<Record<string, Dumpable | undefined>>;
  }[];
  /** The user's replies to each `respond` in turn, in benchmarks that have that action. */
  readonly userReplies: readonly string[];
}

/** Replays sequences on one pack's data. */
export interface Replayer {
  /** True if a sequence may begin in a task's initial state; false: all begin in the pack's data. */
  readonly startsInTasks: boolean;
  /** The line of a sequence. @param start the data as the sequence begins */
  readonly line: (start: EnvData, sequence: ReplaySequence) => Dumpable | Promise<Dumpable>;
}
