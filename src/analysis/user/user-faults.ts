/**
 * Finds what the simulated user did that a user with its instruction would not do, without a model.
 *
 * An episode is suspect if at least one finding has the severity `suspect`; any number of remarks does not make it so. Each
 * detector documents which of its findings are which. Nothing is left out of a score automatically: reports show every
 * score with the suspect episodes and without them.
 *
 * The rule must not look at the reward: leaving out failures alone raises every score, whatever the users did. Of the
 * outcome it only looks at whether the steps ran out, which is how a user that does not stop does harm.
 */

import type { EnvData } from '../../benchmark/index.ts';
import type { AnalyzedEpisode, UserFault } from '../types.ts';
import { listUserTurns, type Detector } from './conversation.ts';
import { findGivenSolution, findInventedFacts, findInventedIds } from './inventions.ts';
import { findLeaks, findRecitals, findRoleSwaps } from './role.ts';
import { findEarlyStop, findNoStop } from './endings.ts';

const DETECTORS: readonly Detector[] = [
  findInventedIds,
  findInventedFacts,
  findGivenSolution,
  findRecitals,
  findRoleSwaps,
  findLeaks,
  findEarlyStop,
  findNoStop,
];

/**
 * Pure: asked twice it says the same. In the order of the conversation. Where it is not known when calls were made, all
 * that they show counts as known from the beginning: nobody is put under suspicion for what may have been looked up.
 */
export function findUserFaults(data: EnvData, episode: AnalyzedEpisode): UserFault[] {
  const view = { data, episode, turns: listUserTurns(episode) };
  const { isOrdered = true } = episode;
  return DETECTORS.flatMap((detect) => detect(view))
    .sort((one, other) => (one.step ?? 0) - (other.step ?? 0))
    .map((finding) => (isOrdered || finding.step === 0 ? finding : { ...finding, step: null }));
}
