/** Analyzes an episode without calling a model. */

import type { EnvData } from '../benchmarks/index.ts';
import { attributeFailure } from './attribution/attribute.ts';
import { USER_FAULT_KINDS, type AnalyzedEpisode, type EpisodeAnalysis, type UserFault } from './types.ts';
import { listUserTurns, type Detector } from './user/conversation.ts';
import { findGivenSolution, findInventedFacts, findInventedIds } from './user/inventions.ts';
import { findDenials, findRepetitions, findUnstatedTask } from './user/statement.ts';
import { findLeaks, findRecitals, findRoleSwaps, findEarlyStop, findNoStop } from './user/role.ts';

/** @param data the pack that the episode was run with */
export function analyzeEpisode(data: EnvData, episode: AnalyzedEpisode): EpisodeAnalysis {
  const user = findUserFaults(data, episode);
  const { faults, differences } = attributeFailure(data, episode);
  const reason = user.find(({ severity }) => severity === 'suspect');
  if (reason === undefined) return { faults, differences, user };
  // Wherever a fault is shown, it says that the agent may not be to blame.
  const note = `The user is suspect: it ${USER_FAULT_KINDS[reason.kind]}.`;
  return { faults: faults.map((fault) => ({ ...fault, sentence: `${fault.sentence} ${note}` })), differences, user };
}

/**
 * Analyzes an episode that is kept whatever becomes of its analysis: one that throws is reported and costs nothing but
 * itself.
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

const DETECTORS: readonly Detector[] = [
  findInventedIds,
  findInventedFacts,
  findGivenSolution,
  findRecitals,
  findRoleSwaps,
  findLeaks,
  findEarlyStop,
  findNoStop,
  findUnstatedTask,
  findRepetitions,
  findDenials,
];

/**
 * Finds what the simulated user did that a user with its instruction would not do, without a model; in the order of the
 * conversation. Pure: asked twice it says the same.
 *
 * An episode is suspect if at least one fault has the severity `suspect`; any number of remarks does not make it so. Each
 * detector documents which of its faults are which. Nothing is left out of a score automatically: reports show every
 * score with the suspect episodes and without them.
 *
 * The rule must not look at the reward: leaving out failures alone raises every score, whatever the users did. Of the
 * outcome it only looks at whether the steps ran out, which is how a user that does not stop does harm. Where it is not
 * known when calls were made, all that they show counts as known from the beginning: nobody is suspect for what may have
 * been looked up.
 */
export function findUserFaults(data: EnvData, episode: AnalyzedEpisode): UserFault[] {
  const view = { data, episode, turns: listUserTurns(episode) };
  const { isOrdered = true } = episode;
  return DETECTORS.flatMap((detect) => detect(view))
    .sort((one, other) => (one.step ?? 0) - (other.step ?? 0))
    .map((finding) => (isOrdered || finding.step === 0 ? finding : { ...finding, step: null }));
}
