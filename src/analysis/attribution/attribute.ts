/** Finds the faults of a failed episode from its actions and data. docs/failures.md defines the kinds of faults. */

import { RESPOND, STOP_MARKER, findOutputs, type EnvData, type Task } from '../../benchmarks/index.ts';
import { readReplyText, type AnalyzedEpisode, type AnalyzedStep, type EpisodeAnalysis, type Fault } from '../types.ts';
import {
  findDifferences,
  replayCalls,
  replayGroundTruth,
  type ReplayedCalls,
  countNoun,
  sortFaults,
  makeFault,
  shortenText,
} from './calls.ts';
import { findFalseClaims } from './claims.ts';
import { findDue } from './due.ts';
import { findWriteFaults } from './write-faults.ts';
import { PyError, dumpJson } from '../../benchmarks/python/index.ts';

type Attribution = Omit<EpisodeAnalysis, 'user'>;

/** Tolerance of a reward of 1, as in tau-bench. */
const TOLERANCE = 1e-6;
const NOTHING: Attribution = { faults: [], differences: [] };
/** Outcomes of episodes that have not failed. */
const NO_FAILURES: readonly string[] = ['cancelled', 'decision_only'];

/** Finds faults and differences; none for a solved episode. Pure. */
export function attributeFailure(data: EnvData, episode: AnalyzedEpisode): Attribution {
  if (!hasFailed(episode)) return NOTHING;
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
  // The ungradable step is more specific than the error of its grading.
  const ungradable = episode.error?.kind === 'ungradable_content' ? outputs.unreadable : undefined;
  const ended = ungradable ?? errorFault(episode, agent.raised) ?? outputs.unreadable;
  if (ended?.kind === 'infrastructure') return { ...NOTHING, faults: [ended] };

  const end = isOrdered ? Math.max(ended?.step ?? 0, episode.steps.length) || null : null;
  const lookUpDue = findDue(data, episode.steps, agent.calls, truth.calls, isStopped(episode));
  const written = findWriteFaults(data, agent, truth, end, isOrdered ? lookUpDue : () => undefined);
  const faults = [
    ...(ended === undefined ? [] : [ended]),
    ...written.faults,
    ...findFalseClaims(data, episode, agent.calls, written.undone),
  ];
  const hasTransferred = isOrdered && isTransfer(data, episode.steps.at(-1));
  const isEarly = hasTransferred && isTooEarly(data, episode.task, written.undone.length, outputs);
  if (isEarly) faults.push(transferredEarly(episode, written.undone.length, outputs.missing.length));
  // An ungraded episode of a results file counts as out of steps, even if it ended in another way.
  if (episode.outcome === 'max_steps' && ended === undefined && !hasTransferred && !isStopped(episode)) {
    faults.push(outOfSteps(episode, faults.length === 0 && outputs.missing.length === 0));
  }
  // Outputs were due in the last reply before a transfer that was due.
  const lastWords = episode.steps.findLastIndex(({ action }) => action.name === RESPOND) + 1;
  const by = hasTransferred && !isEarly && lastWords > 0 ? lastWords : end;
  faults.push(...outputs.missing.map((output) => missingOutput(output, by)));
  return {
    faults: noteRepetition(sortFaults(faults.length === 0 ? [nothingWrong(episode)] : faults), episode.steps),
    differences: findDifferences(data, agent, truth.state),
  };
}

export function hasFailed({ reward, outcome }: AnalyzedEpisode): boolean {
  return reward < 1 - TOLERANCE && !NO_FAILURES.includes(outcome);
}

/** Number of equal replies from which the first fault mentions the repetition. */
const REPEATS = 3;
/** Fewest characters of a repeated reply. Shorter ones may be repeated, such as "Is there anything else?". */
const REPEATED_CHARS = 20;

export function noteRepetition(faults: readonly Fault[], steps: readonly AnalyzedStep[]): Fault[] {
  const counts = new Map<string, number>();
  for (const step of steps) {
    const reply = readReplyText(step).trim();
    if (reply.length >= REPEATED_CHARS) counts.set(reply, (counts.get(reply) ?? 0) + 1);
  }
  const most = [...counts].reduce<readonly [string, number]>((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  if (most[1] < REPEATS) return [...faults];
  const note = `The agent said the same ${String(most[1])} times: “${shortenText(shortenMessage(most[0]))}”.`;
  return faults.map((fault, at) => (at === 0 ? { ...fault, sentence: `${fault.sentence} ${note}` } : fault));
}

function isTransfer(data: EnvData, step: AnalyzedStep | undefined): boolean {
  return step !== undefined && data.terminateTools.includes(step.action.name);
}

/** True if the user ended the conversation, by the outcome or by tau-bench's marker in the last answer. */
export function isStopped({ outcome, steps }: AnalyzedEpisode): boolean {
  if (outcome === 'user_stop') return true;
  const step = steps.at(-1);
  return step?.action.name === RESPOND && step.observation?.includes(STOP_MARKER) === true;
}

/**
 * True if the agent transferred too early. With a transfer in the ground truth, a wrong answer alone does not make it
 * too early.
 */
function isTooEarly(data: EnvData, task: Task, undone: number, { missing }: Outputs): boolean {
  const isDue = task.actions.some(({ name }) => data.terminateTools.includes(name));
  return undone > 0 || (missing.length > 0 && !isDue);
}

function nothingWrong({ reward }: AnalyzedEpisode): Fault {
  const sentence = `By this data nothing is wrong: every change was made and every output was given; the reward is recorded as ${String(reward)}.`;
  return makeFault({ kind: 'other', step: null, sentence });
}

/** Errors of the agent other than unreadable actions, by their names in the record. */
const OTHER_ERRORS: Readonly<Record<string, string>> = {
  context_overflow: 'the conversation no longer fitted into the model',
  reply_too_long: "the model's reply was too long to be used",
  observation_too_long: 'what an action showed was too long to be used',
  content_filter: "the provider's content filter refused the conversation",
  agent_failed: "the agent's own code failed",
};

/** True if the episode was cut off for a reason that is not the agent's. */
export function wasCutOff({ outcome, steps, unreadable }: AnalyzedEpisode): boolean {
  // tau-bench writes an error without the trajectory, so whose it was is unknown.
  return outcome === 'infrastructure_error' || (outcome === 'error' && steps.length === 0 && unreadable === null);
}

export function infrastructureFault({ error }: AnalyzedEpisode): Fault {
  const sentence = `Infrastructure ended the episode${error === null ? '' : `: ${shortenMessage(error.message)}`}.`;
  return makeFault({ kind: 'infrastructure', step: null, sentence });
}

/** Returns the fault of the error that ended the episode. @param raised step that raised in the replay */
export function errorFault(episode: AnalyzedEpisode, raised: ReplayedCalls['raised']): Fault | undefined {
  const { outcome, error, steps, unreadable } = episode;
  if (raised !== null) {
    const sentence = `Step ${String(raised.step)} is an action that the environment cannot take: ${shortenMessage(raised.message)}.`;
    const tool = steps[raised.step - 1]?.action.name ?? null;
    return makeFault({ kind: 'unreadable_call', step: raised.step, tool, sentence });
  }
  const step = steps.length + 1;
  const after = steps.length === 0 ? 'The first message' : `The message after step ${String(steps.length)}`;
  const description = OTHER_ERRORS[error?.kind ?? ''];
  if (description !== undefined) {
    const sentence = `After step ${String(steps.length)} ${description}: ${shortenMessage(error?.message ?? '')}.`;
    return makeFault({ kind: 'other', step, sentence });
  }
  if (unreadable !== null) {
    return makeFault({
      kind: 'unreadable_call',
      step,
      sentence: `${after} is not an action: ${shortenMessage(unreadable)}.`,
    });
  }
  if (outcome === 'agent_error') {
    const sentence = `${after} could not be used: ${shortenMessage(error?.message ?? 'the record does not say why')}.`;
    return makeFault({ kind: 'unreadable_call', step, sentence });
  }
  return outcome === 'error' ? infrastructureFault(episode) : undefined;
}

/** @param isRight true if the data are right and the agent said every output */
export function outOfSteps({ steps }: AnalyzedEpisode, isRight: boolean): Fault {
  const though = isRight ? ', though the data are right and every output was given' : '';
  const sentence = `The episode ran out of steps after ${String(steps.length)}${though}.`;
  return makeFault({ kind: 'out_of_steps', step: lastStep(steps), sentence });
}

/** @param writes number of missing changes; @param outputs number of missing outputs */
function transferredEarly({ steps }: AnalyzedEpisode, writes: number, outputs: number): Fault {
  const left = [writes > 0 && countNoun(writes, 'change'), outputs > 0 && countNoun(outputs, 'answer')]
    .filter(Boolean)
    .join(' and ');
  return makeFault({
    kind: 'transferred_early',
    step: lastStep(steps),
    tool: steps.at(-1)?.action.name ?? null,
    sentence: `Step ${String(steps.length)} transferred the user with ${left} outstanding.`,
  });
}

export function lastStep(steps: readonly unknown[]): number | null {
  return steps.length === 0 ? null : steps.length;
}

export function shortenMessage(message: string): string {
  return shortenText(message.replace(/\s+/g, ' ').replace(/\.$/, ''));
}

interface Outputs {
  /** Outputs that are missing in all replies, in the task's order. */
  readonly missing: readonly string[];
  /** Fault of a reply that is not a text; absent: none. */
  readonly unreadable?: Fault;
}

export function findMissingOutputs(
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

/** @param step the step by which the output was due */
export function missingOutput(output: string, step: number | null): Fault {
  const expected = dumpJson(output);
  const sentence = `The user was not given ${expected}.`;
  return makeFault({ kind: 'missing_output', step, expected, sentence });
}
