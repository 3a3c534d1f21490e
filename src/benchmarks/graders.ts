/** Grades of episodes and hashes of states, which need the code of domains. Workflow code must not import this file. */

import type { GradeResult } from './grade.ts';
import type { GradeDeps, GradedConversation } from './grading.ts';
import type { EnvData } from './overlay.ts';
import { StateHasher, type Hashing } from './state-hasher.ts';
import { grade } from './tau-bench/reward.ts';
import { gradeConversation } from './tau3/grade-episode.ts';
import { openTau3Hashers } from './tau3/hashers.ts';
import { PREFIX } from './tau3/rules.ts';
import type { Task } from './types.ts';

/** Grades episodes of a benchmark. Environment services grade their own episodes. */
export interface Grader {
  /** Makes the hashers of a pack's states: of the agent's data, and of the user's data if there are any. */
  readonly openHashers: (
    data: EnvData,
    hashing: Hashing,
  ) => { readonly agent: StateHasher; readonly user?: StateHasher | undefined };
  /** Grades a conversation as if agent or user had ended it; sentences that need a judge are left out. */
  readonly grade: (data: EnvData, task: Task, conversation: GradedConversation, deps: GradeDeps) => GradeResult;
}

const TAU_BENCH: Grader = {
  openHashers: (data, hashing) => ({ agent: new StateHasher(data, hashing) }),
  grade: (data, task, { actions }, deps) => grade(data, task, actions(), deps),
};

const TAU3_BENCH: Grader = { openHashers: openTau3Hashers, grade: gradeConversation };

/** Returns the grader of a domain; tau-bench's for an unknown domain. */
export function getGrader(domain: string): Grader {
  return domain.startsWith(PREFIX) ? TAU3_BENCH : TAU_BENCH;
}
