/**
 * How soon an episode succeeds. "Success within k turns" is the share of episodes that succeeded while the agent spoke
 * to the user at most k times: it grows with k and ends at the share of successes, where pass^k falls with k. Some
 * reports call this reading pass^k; here it always goes by its own name.
 */

import { isSuccess } from './pass-hat-k.ts';

export interface EpisodeLength {
  readonly reward: number;
  /** Environment steps; null: not known. */
  readonly steps: number | null;
  /** How often the agent spoke to the user; null: not known. */
  readonly turns: number | null;
}

export interface TurnSuccess {
  /** User turns. */
  readonly k: number;
  /** Share of all episodes that succeeded with at most k turns, in [0, 1]. */
  readonly within: number;
  /** Share of all episodes that succeeded with exactly k turns. */
  readonly exactly: number;
}

export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * For k = 0 … the longest success; at least up to 4, so that it stands beside pass^1 … pass^4. None where the turns of a
 * success are not known.
 */
export function successWithinTurns(episodes: readonly EpisodeLength[]): TurnSuccess[] {
  if (episodes.length === 0) return [];
  const turns = allKnown(episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.turns));
  if (turns === null) return [];
  const last = turns.reduce((a, b) => Math.max(a, b), 4);
  const counts = Array.from({ length: last + 1 }, () => 0);
  for (const turn of turns) counts[turn] = (counts[turn] ?? 0) + 1;
  let soFar = 0;
  return counts.map((count, k) => {
    soFar += count;
    return { k, within: soFar / episodes.length, exactly: count / episodes.length };
  });
}

/** Environment steps that the successful episodes took; null when none succeeded, or those of one are not known. */
export function stepsToSuccess(episodes: readonly EpisodeLength[]): Spread | null {
  return spreadOfAll(episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.steps));
}

/** The turn in which the successful episodes ended; null when none succeeded, or that of one is not known. */
export function successTurn(episodes: readonly EpisodeLength[]): Spread | null {
  return spreadOfAll(episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.turns));
}

/** null without values, and where one is not known: the others need not be like it. */
export function spreadOfAll(values: readonly (number | null)[]): Spread | null {
  return spread(allKnown(values) ?? []);
}

/** Of the values that are known; null without any. */
export function spreadOfKnown(values: readonly (number | null)[]): Spread | null {
  return spread(values.filter((value) => value !== null));
}

function allKnown(values: readonly (number | null)[]): number[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}

export function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (position: number) => sorted[position] ?? NaN;
  const half = sorted.length / 2;
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    median: Number.isInteger(half) ? (at(half - 1) + at(half)) / 2 : at(Math.floor(half)),
    min: at(0),
    max: at(sorted.length - 1),
  };
}
