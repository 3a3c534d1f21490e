/** How far a judge and the analysis without a model say the same. */

import type { FaultType } from '../types.ts';
import type { JudgedAuthor } from './questions.ts';

/** An episode of which both have said something. */
export interface TwoOpinions {
  readonly author: JudgedAuthor;
  /** null unless the agent is the author, and where the judge has not said. */
  readonly faultType: FaultType | null;
  /** Of the analysis; null: it is not the agent's fault. */
  readonly deterministic: FaultType | null;
}

export interface Agreement {
  readonly compared: number;
  /** Both say that it was the agent, or both that it was not. */
  readonly sameAuthor: number;
  /** Both say that it was the agent, and which fault. */
  readonly typesCompared: number;
  readonly sameType: number;
  /** How often each pair occurred; most frequent first. `other than the agent` is null. */
  readonly pairs: readonly {
    readonly judge: FaultType | null;
    readonly deterministic: FaultType | null;
    readonly count: number;
  }[];
}

export function agreementOf(opinions: readonly TwoOpinions[]): Agreement {
  const pairs = new Map<string, { judge: FaultType | null; deterministic: FaultType | null; count: number }>();
  let sameAuthor = 0;
  let typesCompared = 0;
  let sameType = 0;
  for (const { author, faultType: judge, deterministic } of opinions) {
    const isAgents = author === 'agent';
    if (isAgents === (deterministic !== null)) sameAuthor += 1;
    // The judge's second answer is missing: there is an author, and no pair.
    if (isAgents && judge === null) continue;
    if (judge !== null && deterministic !== null) {
      typesCompared += 1;
      if (judge === deterministic) sameType += 1;
    }
    const name = `${judge ?? ''}/${deterministic ?? ''}`;
    const pair = pairs.get(name) ?? { judge, deterministic, count: 0 };
    pair.count += 1;
    pairs.set(name, pair);
  }
  return {
    compared: opinions.length,
    sameAuthor,
    typesCompared,
    sameType,
    pairs: [...pairs.values()].sort((a, b) => b.count - a.count),
  };
}
