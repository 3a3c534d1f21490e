/** Why an episode failed, from its actions and the two states of the data alone: no model is asked. */

import type { EnvData } from '../../bench/environment.ts';
import type { AnalyzedEpisode, EpisodeAnalysis } from '../types.ts';

/** Pure: asked twice it says the same. */
export function attributeFailure(_data: EnvData, _episode: AnalyzedEpisode): Omit<EpisodeAnalysis, 'customer'> {
  return { faults: [], differences: [] };
}
