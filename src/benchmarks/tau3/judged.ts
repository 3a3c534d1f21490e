/** A grade of τ³-bench with the verdicts of a judge on the sentences of its task (NL_ASSERTION). */

import type { Tau3Grade } from './grade.ts';
import type { SentenceVerdict } from '../types.ts';

/** The parts of a grade as an episode's record has them. */
export interface Tau3Parts {
  readonly checks: Tau3Grade['checks'];
  /** Sentences that count and that no judge has decided on: the reward is without them. Absent: none. */
  readonly unjudged?: readonly string[];
  /** The judge's decisions, in the order of the task's sentences. */
  readonly verdicts?: readonly SentenceVerdict[];
  /** Reason why the judge has not decided, one sentence. */
  readonly judgeProblem?: string;
}

/** Counts verdicts on all sentences of a grade that was without them: each must be met. */
export function withVerdicts<T extends { readonly reward: 0 | 1; readonly tau3?: Tau3Parts }>(
  info: T,
  verdicts: readonly SentenceVerdict[],
): T {
  const { checks = null } = info.tau3 ?? {};
  const met = verdicts.map((verdict) => verdict.met);
  const reward = met.every(Boolean) ? 1 : 0;
  const judged = checks === null ? null : { ...checks, nlAssertions: { reward, met } as const };
  return { ...info, reward: info.reward === 1 ? reward : 0, tau3: { checks: judged, verdicts } };
}
