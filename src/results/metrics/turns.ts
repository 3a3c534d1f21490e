/**
 * How soon an episode succeeds. "Success within k turns" is the share of episodes that succeeded while the agent spoke
 * to the user at most k times: it grows with k and ends at the share of successes, where pass^k falls with k. Some
 * reports call this reading pass^k; here it always goes by its own name.
 */

import { isSuccess } from './pass-hat-k.ts';

export interface EpisodeLength {
  readonly reward: number;
  /** Environment steps. */
  readonly steps: number;
  /** How often the agent spoke to the user. */
  readonly turns: number;
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

/** For k = 0 … the longest success; at least up to 4, so that it stands beside pass^1 … pass^4. */
export function successWithinTurns(episodes: readonly EpisodeLength[]): TurnSuccess[] {
  if (episodes.length === 0) return [];
  const turns = episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.turns);
  const last = turns.reduce((a, b) => Math.max(a, b), 4);
  const counts = Array.from({ length: last + 1 }, () => 0);
  for (const turn of turns) counts[turn] = (counts[turn] ?? 0) + 1;
  let soFar = 0;
  return counts.map((count, k) => {
    soFar += count;
    return { k, within: soFar / episodes.length, exactly: count / episodes.length };
  });
}

/** Environment steps that the successful episodes took; null when none succeeded. */
export function stepsToSuccess(episodes: readonly EpisodeLength[]): Spread | null {
  return spread(episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.steps));
}

/** The turn in which the successful episodes ended; null when none succeeded. */
export function successTurn(episodes: readonly EpisodeLength[]): Spread | null {
  return spread(episodes.filter((episode) => isSuccess(episode.reward)).map((episode) => episode.turns));
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
