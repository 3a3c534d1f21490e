/**
 * Why an episode failed, from its actions and the two states of the data alone: no model is asked. What each kind of
 * fault means is in docs/attribution.md.
 */

import { RESPOND, STOP_MARKER, type EnvData, type Task } from '../../benchmark/index.ts';
import type { AnalyzedEpisode, AnalyzedStep, EpisodeAnalysis, Fault } from '../types.ts';
import { replayCalls, replayGroundTruth } from './calls.ts';
import { findDifferences } from './differences.ts';
import { errorFault, infrastructureFault, outOfSteps, transferredEarly, wasCutOff } from './endings.ts';
import { inOrder, makeFault } from './fault.ts';
import { findFalseClaims } from './said.ts';
import { findMissingOutputs, missingOutput, type Told } from './told.ts';
import { findWriteFaults } from './write-faults.ts';

type Attribution = Omit<EpisodeAnalysis, 'customer'>;

/** tau-bench counts a reward as 1 when it is this close. */
const TOLERANCE = 1e-6;
const NOTHING: Attribution = { faults: [], differences: [] };
/** Ended by a person, or on purpose: nothing failed. */
const NO_FAILURES: readonly string[] = ['cancelled', 'decision_only'];

/** Pure: asked twice it says the same. An episode that was solved has neither faults nor differences. */
export function attributeFailure(data: EnvData, episode: AnalyzedEpisode): Attribution {
  if (episode.reward >= 1 - TOLERANCE || NO_FAILURES.includes(episode.outcome)) return NOTHING;
  if (wasCutOff(episode)) return { ...NOTHING, faults: [infrastructureFault(episode)] };
  const { isOrdered = true } = episode;

  const agent = replayCalls(
    data,
    episode.steps.map(({ action }) => action),
    false,
  );
  const truth = replayGroundTruth(data, episode.task.actions);
  const told = findMissingOutputs(episode.task, episode);
  // The step that cannot be graded says more than the error that its grading ended in.
  const ungradable = episode.error?.kind === 'ungradable_content' ? told.unreadable : undefined;
  const ended = ungradable ?? errorFault(episode, agent.raised) ?? told.unreadable;
  if (ended?.kind === 'infrastructure') return { ...NOTHING, faults: [ended] };

  const end = isOrdered ? Math.max(ended?.step ?? 0, episode.steps.length) || null : null;
  const written = findWriteFaults(data, agent, truth, end);
  const faults = [
    ...(ended === undefined ? [] : [ended]),
    ...written.faults,
    ...findFalseClaims(data, episode, agent.calls, written.undone),
  ];
  const hasTransferred = isOrdered && isTransfer(data, episode.steps.at(-1));
  const isEarly = hasTransferred && isTooEarly(data, episode.task, written.undone.length, told);
  if (isEarly) faults.push(transferredEarly(episode, written.undone.length, told.missing.length));
  // Of a file that says little, what the reference does not grade counts as out of steps, also where it ended.
  if (episode.outcome === 'max_steps' && ended === undefined && !hasTransferred && !isStopped(episode.steps.at(-1))) {
    faults.push(outOfSteps(episode, faults.length === 0 && told.missing.length === 0));
  }
  // A transfer that was due comes after the words in which it should have been told.
  const lastWords = episode.steps.findLastIndex(({ action }) => action.name === RESPOND) + 1;
  const by = hasTransferred && !isEarly && lastWords > 0 ? lastWords : end;
  faults.push(...told.missing.map((output) => missingOutput(output, by)));
  return {
    faults: inOrder(faults.length === 0 ? [nothingWrong(episode)] : faults),
    differences: findDifferences(data, agent, truth.state),
  };
}

function isTransfer(data: EnvData, step: AnalyzedStep | undefined): boolean {
  return step !== undefined && data.terminateTools.includes(step.action.name);
}

function isStopped(step: AnalyzedStep | undefined): boolean {
  return step?.action.name === RESPOND && step.observation?.includes(STOP_MARKER) === true;
}

/** Where the ground truth hands over as well, an answer that was told wrong does not make it too early. */
function isTooEarly(data: EnvData, task: Task, undone: number, { missing }: Told): boolean {
  const isDue = task.actions.some(({ name }) => data.terminateTools.includes(name));
  return undone > 0 || (missing.length > 0 && !isDue);
}

function nothingWrong({ reward }: AnalyzedEpisode): Fault {
  const sentence = `By this data nothing is wrong: every change was made and everything was told; the reward is recorded as ${String(reward)}.`;
  return makeFault({ kind: 'other', step: null, sentence });
}
