/** Findings of the checks, and words for calls and failures. */

import { FailureType, toAgentErrorKind } from '../../evaluation/index.ts';
import type { SeenCall } from './attempt.ts';
import type { Attempt, PlayedTurn } from './episode.ts';
import type { Way } from './ways.ts';

export function describeAttempt({ failure, heard }: Attempt): string {
  if (failure !== undefined) return failure.message;
  return heard === undefined ? 'no answer' : `answered ${heard.answer.kind}`;
}

export function costOfFailure({ failure }: Attempt): string {
  const { type, retryable } = failure?.failure ?? {};
  if (toAgentErrorKind(type) !== undefined) return 'the episode ends as the agent’s error, with reward 0';
  if (type === FailureType.AgentForgot) {
    return 'the episode ends in an infrastructure error (AgentForgot), without a score; the others go on';
  }
  return retryable === true
    ? 'the request is repeated, and the run waits for as long as it fails'
    : 'the run stops and says so';
}

export function listToolCalls({ last, answered }: PlayedTurn): readonly SeenCall[] {
  return [...last.calls.filter(({ kind }) => kind === 'tool'), ...answered];
}

export function listModelCalls({ last, attempts }: PlayedTurn): readonly SeenCall[] {
  const all = attempts.flatMap(({ calls }) => calls).filter(({ kind }) => kind === 'model');
  const ofLast = last.calls.filter(({ kind }) => kind === 'model');
  return ofLast.length === 0 ? all : ofLast;
}

/** Describes a turn's calls: `1 tool call at tools_url or mcp_url, 2 model calls, 12 ms`. */
export function seenIn(turn: PlayedTurn, { toolsAt }: Way): string {
  const at = turn.last.calls.filter(({ kind }) => kind === 'tool').length;
  const ms = turn.attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0);
  const models = turn.attempts.flatMap(({ calls }) => calls).filter(({ kind }) => kind === 'model').length;
  const parts = [
    ...(at > 0 ? [`${countNoun(at, 'tool call')} ${toolsAt}`] : []),
    ...(turn.answered.length > 0 ? [`${countNoun(turn.answered.length, 'tool call')} in answers`] : []),
    ...(models > 0 ? [countNoun(models, 'model call')] : []),
    `${ms} ms`,
  ];
  return parts.join(', ');
}

export function countNoun(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** Counts the occurrences of a text in a request's JSON. */
export function countIn(request: string | undefined, said: string): number {
  if (request === undefined) return 0;
  return request.split(JSON.stringify(said).slice(1, -1)).length - 1;
}
