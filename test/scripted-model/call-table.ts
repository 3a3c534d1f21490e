/** What episodes cost on average: the rows of the table that the documentation shows. */

import type { Played, RoleCalls } from './episodes.ts';

export interface CallTable {
  readonly episodes: number;
  /** Environment steps per episode, `respond` included. */
  readonly steps: number;
  /** Means per episode; tokens by the scripted model's own estimate. */
  readonly roles: Readonly<Record<string, RoleCalls>>;
  readonly all: RoleCalls;
}

export function callTable(episodes: readonly Played[]): CallTable {
  const count = episodes.length;
  const names = [...new Set(episodes.flatMap(({ roles }) => Object.keys(roles)))].sort();
  const means = names.map((name) => [name, mean(episodes.map(({ roles }) => roles[name] ?? NONE))] as const);
  return {
    episodes: count,
    steps: episodes.reduce((sum, { actions }) => sum + actions.length, 0) / count,
    roles: Object.fromEntries(means),
    all: mean(episodes.map(({ roles }) => total(Object.values(roles)))),
  };
}

const NONE: RoleCalls = { calls: 0, promptTokens: 0, completionTokens: 0 };

function mean(calls: readonly RoleCalls[]): RoleCalls {
  const { calls: count, promptTokens, completionTokens } = total(calls);
  const per = (sum: number) => sum / calls.length;
  return { calls: per(count), promptTokens: per(promptTokens), completionTokens: per(completionTokens) };
}

function total(calls: readonly RoleCalls[]): RoleCalls {
  return calls.reduce(
    (sum, role) => ({
      calls: sum.calls + role.calls,
      promptTokens: sum.promptTokens + role.promptTokens,
      completionTokens: sum.completionTokens + role.completionTokens,
    }),
    NONE,
  );
}
