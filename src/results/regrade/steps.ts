/** The steps of a recorded trajectory: what the agent did, and what the recording says it was answered. */

import { actionOf, type TrajectoryMessage } from '../../bench/trajectory.ts';
import { JsonError, type Dumpable } from '../../bench/python/json.ts';
import { PyError } from '../../bench/python/error.ts';
import { RESPOND, type Action } from '../../bench/types.ts';
import type { ResultsFileEntry, ResultsFileMessage } from '../tau-bench/results-reader.ts';
import type { TrajectoryForm } from './strategies.ts';

export interface RecordedStep {
  readonly action: Action;
  /** What the environment or the user answered; null where the recording does not say. */
  readonly answer: string | null;
}

export interface RecordedSteps {
  readonly steps: readonly RecordedStep[];
  /** Why the message after the last step is no action: the reference's episode ends in error there. */
  readonly unreadable: string | null;
}

/** What the text agents' loop puts before what a tool has answered. */
const TOOL_ANSWER = 'API output: ';

/** One strategy writes a file, so one form is that of all its trajectories; a tool call anywhere decides. */
export function detectForm(entries: readonly Pick<ResultsFileEntry, 'traj'>[]): TrajectoryForm {
  const messages = entries.flatMap(({ traj }) => traj ?? []);
  const hasCalls = messages.some(({ role, tool_calls: calls }) => role === 'tool' || (calls?.length ?? 0) > 0);
  return !hasCalls && messages.some(isOfTextAgent) ? 'text' : 'tools';
}

function isOfTextAgent({ role, content }: ResultsFileMessage): boolean {
  if (typeof content !== 'string') return false;
  return role === 'assistant' ? content.includes('Action:') : role === 'user' && content.startsWith(TOOL_ANSWER);
}

export function recordedSteps(messages: readonly ResultsFileMessage[], form: TrajectoryForm): RecordedSteps {
  const steps: RecordedStep[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    try {
      const action = actionOf(toolMessage(message), form);
      steps.push({ action, answer: answerIn(messages[at + 1], action, form) });
    } catch (error) {
      return { steps, unreadable: unreadableReason(error) };
    }
  }
  return { steps, unreadable: null };
}

function toolMessage({ role, content, tool_calls: calls }: ResultsFileMessage): TrajectoryMessage {
  const message = { role, content: (content ?? null) as Dumpable };
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

/** @throws what is no mistake of the agent's */
function unreadableReason(error: unknown): string {
  if (error instanceof PyError) return `${error.type}: ${error.message}`;
  if (error instanceof JsonError) return `the arguments are not JSON: ${error.message}`;
  throw error;
}
