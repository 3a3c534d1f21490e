/** All that can be said of an episode without asking a model. */

import type { EnvData } from '../bench/environment.ts';
import { attributeFailure } from './attribution/attribute.ts';
import { findSuspicions } from './customer/suspicions.ts';
import type { AnalyzedEpisode, EpisodeAnalysis } from './types.ts';

/** @param data the pack that the episode was run with */
export function analyzeEpisode(data: EnvData, episode: AnalyzedEpisode): EpisodeAnalysis {
  return { ...attributeFailure(data, episode), customer: findSuspicions(data, episode) };
}
