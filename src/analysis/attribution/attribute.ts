/**
 * Attributes a failed episode to faults from its actions and the two states of the data, without a model. docs/failures.md
 * defines each kind of fault.
 */

import { RESPOND, STOP_MARKER, findOutputs, type EnvData, type Task } from '../../benchmarks/index.ts';
import type { AnalyzedEpisode, AnalyzedStep, EpisodeAnalysis, Fault } from '../types.ts';
import {
  findDifferences,
  replayCalls,
  replayGroundTruth,
  type ReplayedCalls,
  count,
  inOrder,
  makeFault,
  short,
} from './calls.ts';
import { findFalseClaims } from './claims.ts';
import { findDue } from './due.ts';
import { findWriteFaults } from './write-faults.ts';
import { PyError, dumpJson } from '../../benchmarks/python/index.ts';

type Attribution = Omit<EpisodeAnalysis, 'user'>;

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
    episode.steps.flatMap(({ action, userCalls = [] }, at) =>
      [action, ...userCalls.map((call) => call.action)].map((taken) => ({ action: taken, step: at + 1 })),
    ),
    false,
  );
  const truth = replayGroundTruth(data, episode.task.actions);
  const outputs = findMissingOutputs(episode.task, episode);
  // The step that cannot be graded says more than the error that its grading ended in.
  const ungradable = episode.error?.kind === 'ungradable_content' ? outputs.unreadable : undefined;
  const ended = ungradable ?? errorFault(episode, agent.raised) ?? outputs.unreadable;
  if (ended?.kind === 'infrastructure') return { ...NOTHING, faults: [ended] };

  const end = isOrdered ? Math.max(ended?.step ?? 0, episode.steps.length) || null : null;
  const dueOf = findDue(data, episode.steps, agent.calls, truth.calls, isStopped(episode));
  const written = findWriteFaults(data, agent, truth, end, isOrdered ? dueOf : () => undefined);
  const faults = [
    ...(ended === undefined ? [] : [ended]),
    ...written.faults,
    ...findFalseClaims(data, episode, agent.calls, written.undone),
  ];
  const hasTransferred = isOrdered && isTransfer(data, episode.steps.at(-1));
  const isEarly = hasTransferred && isTooEarly(data, episode.task, written.undone.length, outputs);
  if (isEarly) faults.push(transferredEarly(episode, written.undone.length, outputs.missing.length));
  // Of a file that says little, what the reference does not grade counts as out of steps, also where it ended.
  if (episode.outcome === 'max_steps' && ended === undefined && !hasTransferred && !isStopped(episode)) {
    faults.push(outOfSteps(episode, faults.length === 0 && outputs.missing.length === 0));
  }
  // A transfer that was due comes after the words in which the output should have been given.
  const lastWords = episode.steps.findLastIndex(({ action }) => action.name === RESPOND) + 1;
  const by = hasTransferred && !isEarly && lastWords > 0 ? lastWords : end;
  faults.push(...outputs.missing.map((output) => missingOutput(output, by)));
  return {
    faults: noteRepetition(inOrder(faults.length === 0 ? [nothingWrong(episode)] : faults), episode.steps),
    differences: findDifferences(data, agent, truth.state),
  };
}

/** Equal replies of the agent after which its first fault says that it repeated itself. */
const REPEATS = 3;
/** Shorter replies, such as "Is there anything else?", are said again for good reasons. */
const REPEATED_CHARS = 20;

function noteRepetition(faults: readonly Fault[], steps: readonly AnalyzedStep[]): Fault[] {
  const counts = new Map<string, number>();
  for (const { action } of steps) {
    const content = action.name === RESPOND ? action.kwargs.get('content') : undefined;
    if (typeof content !== 'string' || content.trim().length < REPEATED_CHARS) continue;
    counts.set(content.trim(), (counts.get(content.trim()) ?? 0) + 1);
  }
  const most = [...counts].reduce<readonly [string, number]>((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  if (most[1] < REPEATS) return [...faults];
  const note = `The agent said the same ${String(most[1])} times: “${short(plain(most[0]))}”.`;
  return faults.map((fault, at) => (at === 0 ? { ...fault, sentence: `${fault.sentence} ${note}` } : fault));
}

function isTransfer(data: EnvData, step: AnalyzedStep | undefined): boolean {
  return step !== undefined && data.terminateTools.includes(step.action.name);
}

/** Users of some benchmarks have other words to stop with, which the outcome knows. */
function isStopped({ outcome, steps }: AnalyzedEpisode): boolean {
  if (outcome === 'user_stop') return true;
  const step = steps.at(-1);
  return step?.action.name === RESPOND && step.observation?.includes(STOP_MARKER) === true;
}

/** A wrong answer does not make the transfer too early if the ground truth transfers as well. */
function isTooEarly(data: EnvData, task: Task, undone: number, { missing }: Outputs): boolean {
  const isDue = task.actions.some(({ name }) => data.terminateTools.includes(name));
  return undone > 0 || (missing.length > 0 && !isDue);
}

function nothingWrong({ reward }: AnalyzedEpisode): Fault {
  const sentence = `By this data nothing is wrong: every change was made and every output was given; the reward is recorded as ${String(reward)}.`;
  return makeFault({ kind: 'other', step: null, sentence });
}

/** Errors of the agent that are no unreadable action; names are the record's. */
const NO_SPACE: Readonly<Record<string, string>> = {
  context_overflow: 'the conversation no longer fitted into the model',
  reply_too_long: "the model's reply was too long to be used",
  observation_too_long: 'what an action showed was too long to be used',
  content_filter: "the provider's content filter refused the conversation",
  agent_failed: "the agent's own code failed",
};

/** @returns true if the episode says nothing about the agent, because it was cut off */
function wasCutOff({ outcome, steps, unreadable }: AnalyzedEpisode): boolean {
  // tau-bench writes an error without the trajectory, so whose it was is unknown.
  return outcome === 'infrastructure_error' || (outcome === 'error' && steps.length === 0 && unreadable === null);
}

function infrastructureFault({ error }: AnalyzedEpisode): Fault {
  const sentence = `Infrastructure ended the episode${error === null ? '' : `: ${plain(error.message)}`}.`;
  return makeFault({ kind: 'infrastructure', step: null, sentence });
}

/**
 * The fault of the error that ended the episode, if one did.
 * @param raised the step that raised, in the replay
 */
function errorFault(episode: AnalyzedEpisode, raised: ReplayedCalls['raised']): Fault | undefined {
  const { outcome, error, steps, unreadable } = episode;
  if (raised !== null) {
    const sentence = `Step ${String(raised.step)} is an action that the environment cannot take: ${plain(raised.message)}.`;
    return makeFault({
      kind: 'unreadable_call',
      step: raised.step,
      tool: steps[raised.step - 1]?.action.name ?? null,
      sentence,
    });
  }
  const step = steps.length + 1;
  const after = steps.length === 0 ? 'The first message' : `The message after step ${String(steps.length)}`;
  const limit = NO_SPACE[error?.kind ?? ''];
  if (limit !== undefined) {
    const sentence = `After step ${String(steps.length)} ${limit}: ${plain(error?.message ?? '')}.`;
    return makeFault({ kind: 'other', step, sentence });
  }
  if (unreadable !== null) {
    return makeFault({ kind: 'unreadable_call', step, sentence: `${after} is not an action: ${plain(unreadable)}.` });
  }
  if (outcome === 'agent_error') {
    const sentence = `${after} could not be used: ${plain(error?.message ?? 'the record does not say why')}.`;
    return makeFault({ kind: 'unreadable_call', step, sentence });
  }
  if (outcome === 'error') return infrastructureFault(episode);
  return undefined;
}

/** @param isRight whether the data are right and every output was given */
function outOfSteps({ steps }: AnalyzedEpisode, isRight: boolean): Fault {
  const though = isRight ? ', though the data are right and every output was given' : '';
  const sentence = `The episode ran out of steps after ${String(steps.length)}${though}.`;
  return makeFault({ kind: 'out_of_steps', step: lastStep(steps), sentence });
}

/** @param writes changes of the ground truth that were never carried out; @param outputs outputs that were not given */
function transferredEarly({ steps }: AnalyzedEpisode, writes: number, outputs: number): Fault {
  const left = [
    ...(writes > 0 ? [count(writes, 'change')] : []),
    ...(outputs > 0 ? [count(outputs, 'answer')] : []),
  ].join(' and ');
  return makeFault({
    kind: 'transferred_early',
    step: lastStep(steps),
    tool: steps.at(-1)?.action.name ?? null,
    sentence: `Step ${String(steps.length)} transferred the user with ${left} outstanding.`,
  });
}

function lastStep(steps: readonly unknown[]): number | null {
  return steps.length === 0 ? null : steps.length;
}

function plain(message: string): string {
  return short(message.replace(/\s+/g, ' ').replace(/\.$/, ''));
}

interface Outputs {
  /** Outputs that no respond contains, in the task's order. */
  readonly missing: readonly string[];
  /** The reply is no text, so nothing can be found in it. */
  readonly unreadable?: Fault;
}

function findMissingOutputs(
  { outputs }: Task,
  { steps, isOrdered = true }: Pick<AnalyzedEpisode, 'steps' | 'isOrdered'>,
): Outputs {
  const actions = steps.map(({ action }) => action);
  try {
    const found = findOutputs(outputs, actions);
    return { missing: Array.from(found).flatMap(([output, isGiven]) => (isGiven ? [] : [output])) };
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    const at = actions.findIndex(({ name, kwargs }) => name === RESPOND && typeof kwargs.get('content') !== 'string');
    const step = isOrdered ? at + 1 : null;
    const what = step === null ? 'What a reply' : `What step ${String(step)}`;
    const sentence = `${what} says is not a text, so it cannot be graded: ${error.message}.`;
    const unreadable = makeFault({ kind: 'unreadable_call', step, tool: RESPOND, sentence });
    return { missing: [], unreadable };
  }
}

/** @param step by which it should have been given */
function missingOutput(output: string, step: number | null): Fault {
  const expected = dumpJson(output);
  const sentence = `The user was not given ${expected}.`;
  return makeFault({ kind: 'missing_output', step, expected, sentence });
}
