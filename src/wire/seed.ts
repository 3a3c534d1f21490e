/** Seeds derived from a sweep's seed, so that an episode's randomness depends on nothing but its place in the sweep. */

import type { EpisodeKey } from './config.ts';

/**
 * The seed of one episode: FNV-1a over (seed, task, trial), 31 bits, never 0 (some providers read 0 as "none").
 */
export function episodeSeed(seed: number, episode: EpisodeKey): number {
  let hash = 0x811c9dc5;
  for (const char of `${seed}/${episode.taskId}/${episode.trial}`) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  }
  // FNV's low bits are its best: fold the high ones in before the sign bit goes.
  return (hash ^ (hash >>> 15)) & 0x7fffffff || 1;
}
