/** What the simulated customer did that a customer with its instruction would not do: no model is asked. */

import type { EnvData } from '../../bench/environment.ts';
import type { AnalyzedEpisode, CustomerFinding } from '../types.ts';

/** Pure: asked twice it says the same. In the order of the conversation. */
export function findSuspicions(_data: EnvData, _episode: AnalyzedEpisode): CustomerFinding[] {
  return [];
}
