/** Analyzes an episode without calling a model. */

import { isServiceDomain, type EnvData } from '../benchmarks/index.ts';
import { attributeFailure } from './attribution/attribute.ts';
import { attributeByGrade } from './attribution/by-grade.ts';
import { USER_FAULT_KINDS, type AnalyzedEpisode, type EpisodeAnalysis, type UserFault } from './types.ts';
import { listUserTurns, type Detector } from './user/conversation.ts';
import { findGivenSolution, findInventedFacts, findInventedIds } from './user/inventions.ts';
import { findDenials, findRepetitions, findUnstatedTask } from './user/statement.ts';
import { findLeaks, findRecitals, findRoleSwaps, findEarlyStop, findNoStop } from './user/role.ts';

/** @param data data of the episode's pack */
export function analyzeEpisode(data: EnvData, episode: AnalyzedEpisode): EpisodeAnalysis {
  const user = findUserFaults(data, episode);
  const { faults, differences } = isServiceDomain(data.domain)
    ? { faults: attributeByGrade(episode), differences: [] }
    : attributeFailure(data, episode);
  const reason = user.find(({ severity }) => severity === 'suspect');
  if (reason === undefined) return { faults, differences, user };
  // Every fault of the agent mentions that its user is suspect.
  const note = `The user is suspect: it ${USER_FAULT_KINDS[reason.kind]}.`;
  return { faults: faults.map((fault) => ({ ...fault, sentence: `${fault.sentence} ${note}` })), differences, user };
}

/**
 * Analyzes an episode, or warns of the reason why that is impossible. @param name the episode's name for the warning
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
 * Finds the simulated user's faults without a model, in the order of the conversation. Pure.
 *
 * An episode is suspect if a fault has the severity `suspect`. Detectors must not use the reward, because leaving out
 * only failures would raise every score. The only fact about the outcome that they use is whether the steps ran out. If
 * the order of calls is unknown, all facts from calls are treated as known from the beginning.
 */
export function findUserFaults(data: EnvData, episode: AnalyzedEpisode): UserFault[] {
  const { isOrdered = true, hasUser = true } = episode;
  if (!hasUser) return [];
  const view = { data, episode, turns: listUserTurns(episode) };
  return DETECTORS.flatMap((detect) => detect(view))
    .sort((one, other) => (one.step ?? 0) - (other.step ?? 0))
    .map((finding) => (isOrdered || finding.step === 0 ? finding : { ...finding, step: null }));
}
