/**
 * What the simulated customer did that a customer with its instruction would not do: no model is asked.
 *
 * The rule: an episode is suspect when at least one finding has the severity `suspect`; remarks, however many, mark
 * nothing. Each detector says which of its findings are which. Nothing is ever left out of a score on its own: reports
 * show every score with the suspect episodes and without them.
 *
 * The rule does not look at the reward, and must not: to leave out failures alone makes every score rise, whatever the
 * customers did. Of the outcome it is looked at only whether the steps ran out, which is how a customer who does not stop
 * does harm.
 */

import type { EnvData } from '../../benchmark/index.ts';
import type { AnalyzedEpisode, CustomerFinding } from '../types.ts';
import { customerTurns } from './conversation.ts';
import type { Detector } from './detector.ts';
import { findGivenSolution } from './gave-solution.ts';
import { findInventedFacts } from './invented-fact.ts';
import { findInventedIds } from './invented-id.ts';
import { findLeaks } from './leaked-thought.ts';
import { findNoStop } from './never-stopped.ts';
import { findRecitals } from './recited-instruction.ts';
import { findRoleSwaps } from './spoke-as-agent.ts';
import { findEarlyStop } from './stopped-early.ts';

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
export function findSuspicions(data: EnvData, episode: AnalyzedEpisode): CustomerFinding[] {
  const view = { data, episode, turns: customerTurns(episode) };
  const { isOrdered = true } = episode;
  return DETECTORS.flatMap((detect) => detect(view))
    .sort((one, other) => (one.step ?? 0) - (other.step ?? 0))
    .map((finding) => (isOrdered || finding.step === 0 ? finding : { ...finding, step: null }));
}
