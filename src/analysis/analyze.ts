/** Analyzes an episode without calling a model. */

import type { EnvData } from '../benchmark/index.ts';
import { attributeFailure } from './attribution/attribute.ts';
import { findUserFaults } from './user/user-faults.ts';
import type { AnalyzedEpisode, EpisodeAnalysis } from './types.ts';

/** @param data the pack that the episode was run with */
export function analyzeEpisode(data: EnvData, episode: AnalyzedEpisode): EpisodeAnalysis {
  return { ...attributeFailure(data, episode), customer: findUserFaults(data, episode) };
}

/**
 * As {@link analyzeEpisode}, for where an episode is kept whatever becomes of its analysis: one that throws is told and
 * costs nothing but itself.
 * @param name of the episode, for the warning
 */
export function analyzeOrWarn(
  data: EnvData,
  episode: () => AnalyzedEpisode,
  name: string,
  warn: (sentence: string) => void,
): EpisodeAnalysis | undefined {
  try {
    return analyzeEpisode(data, episode());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    warn(`the episode ${name} is recorded without an analysis of why it failed, which could not be made: ${message}`);
    return undefined;
  }
}
