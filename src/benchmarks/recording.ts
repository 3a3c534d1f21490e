/** The steps of a recorded episode: the agent's actions, and the recorded answers. */

import { JsonError, PyError, parseObject, type DumpableValue } from './python/index.ts';
import type { ResultsFileEntry, ResultsFileMessage } from './tau-bench/results/entry.schema.ts';
import { findAction, type TrajectoryForm, type ActingMessage } from './trajectory.ts';
import { RESPOND, STOP_MARKER, type Action } from './types.ts';

/**
 * How a file records its agents' actions: by their messages, or (`log`) by a list of calls beside a conversation
 * without calls, from the adapter of the FastWorkflow fork. Such a file does not have the order of calls and replies.
 */
export type RecordingForm = TrajectoryForm | 'log';

/** Note on files of the form `log`. */
export const LOG_NOTE =
  'The calls are from the log beside the conversation (`info.executed_actions`), in its order; when each was made between ' +
  'the replies is not known.';

/** The part of a results file's entry that records the episode's course. */
export type Recording = Pick<ResultsFileEntry, 'traj' | 'info'>;

export interface RecordedStep {
  readonly action: Action;
  /** Reply of the environment or the user; null if the recording has none. */
  readonly answer: string | null;
  /** Calls of the user's own tools before the user answered; absent: none. */
  readonly userCalls?: readonly Omit<RecordedStep, 'userCalls'>[];
  /** Outcome of the call in a log; absent for a step of a trajectory, and if the log has no outcome. */
  readonly succeeded?: boolean;
}

export interface RecordedSteps {
  /** Steps in order; for a log first the calls, then the replies. */
  readonly steps: readonly RecordedStep[];
  /** Reason why the message after the last step is not an action; the reference's episode ends in error there. */
  readonly unreadable: string | null;
  /** False for the form `log`. */
  readonly isOrdered: boolean;
}

/** Prefix of an observation in the text agents' loop. */
const TOOL_ANSWER = 'API output: ';

/** Returns the form of all episodes of a file, because one program has written it. */
export function detectForm(entries: readonly Recording[]): RecordingForm {
  const hasLog = entries.some(({ info }) => (info?.executed_actions?.length ?? 0) > 0);
  if (hasLog && !entries.some(({ traj }) => (traj ?? []).some(isCall))) return 'log';
  return detectTrajectoryForm(entries.flatMap(({ traj }) => traj ?? []));
}

/** Returns the form of a trajectory; a single tool call decides it. */
export function detectTrajectoryForm(messages: readonly ResultsFileMessage[]): TrajectoryForm {
  return !messages.some(isCall) && messages.some(isOfTextAgent) ? 'text' : 'tools';
}

function isCall({ role, tool_calls: calls }: ResultsFileMessage): boolean {
  return role === 'tool' || (calls?.length ?? 0) > 0;
}

function isOfTextAgent({ role, content }: ResultsFileMessage): boolean {
  if (typeof content !== 'string') return false;
  return role === 'assistant' ? content.includes('Action:') : role === 'user' && content.startsWith(TOOL_ANSWER);
}

export function recordedSteps({ traj, info }: Recording, form: RecordingForm): RecordedSteps {
  if (form !== 'log') return { ...readSteps(traj ?? [], form), isOrdered: true };
  const logged = (info?.executed_actions ?? []).map(
    ({ name, kwargs, response_text: answer, success }): RecordedStep => ({
      action: { name, kwargs },
      answer: answer ?? null,
      ...(typeof success === 'boolean' ? { succeeded: success } : {}),
    }),
  );
  const said = readSteps(traj ?? [], 'tools');
  return { steps: [...logged, ...said.steps], unreadable: said.unreadable, isOrdered: false };
}

/** @returns true if the user's last message ends the conversation */
export function isStoppedByUser({ traj }: Recording): boolean {
  const last = traj?.at(-1);
  return last?.role === 'user' && typeof last.content === 'string' && last.content.includes(STOP_MARKER);
}

function readSteps(messages: readonly ResultsFileMessage[], form: TrajectoryForm): Omit<RecordedSteps, 'isOrdered'> {
  const steps: RecordedStep[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    try {
      const action = findAction(toolMessage(message), form);
      const { userCalls, next } = skipUserCalls(messages, at + 1);
      const answer = answerIn(messages[next], action, form);
      steps.push({ action, answer, userCalls });
    } catch (error) {
      return { steps, unreadable: unreadableReason(error) };
    }
  }
  return { steps, unreadable: null };
}

/** Returns the user's calls from a position on, and the position after them. */
function skipUserCalls(messages: readonly ResultsFileMessage[], from: number) {
  const userCalls: RecordedStep[] = [];
  let next = from;
  for (;;) {
    const message = messages[next];
    const calls = message?.role === 'user' ? (message.tool_calls ?? []) : [];
    if (calls.length === 0) return { userCalls, next };
    for (const [at, { function: called }] of calls.entries()) {
      const answer = messages[next + 1 + at];
      userCalls.push({
        action: {
          name: called?.name ?? '',
          kwargs: parseObject(called?.arguments ?? '') ?? new Map(),
          requestor: 'user',
        },
        answer: answer?.role === 'tool' && typeof answer.content === 'string' ? answer.content : null,
      });
    }
    next += 1 + calls.length;
  }
}

function toolMessage({ role, content, tool_calls: calls }: ResultsFileMessage): ActingMessage {
  const message = { role, content: (content ?? null) as DumpableValue };
  return calls === undefined || calls === null
    ? message
    : { ...message, tool_calls: calls.map((call) => ({ function: call.function ?? null })) };
}

function answerIn(next: ResultsFileMessage | undefined, action: Action, form: TrajectoryForm): string | null {
  if (next === undefined || (next.role !== 'tool' && next.role !== 'user')) return null;
  if (typeof next.content !== 'string') return null;
  const isMarked = form === 'text' && action.name !== RESPOND && next.content.startsWith(TOOL_ANSWER);
  return isMarked ? next.content.slice(TOOL_ANSWER.length) : next.content;
}

/** @throws errors that the agent did not cause */
function unreadableReason(error: unknown): string {
  if (error instanceof PyError) return `${error.type}: ${error.message}`;
  if (error instanceof JsonError) return `the arguments are not JSON: ${error.message}`;
  throw error;
}
