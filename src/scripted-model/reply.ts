/** A role's reply, and the parts of a provider's reply that are independent of the API. */

import { createHash } from 'node:crypto';
import { parsedJson } from '../io/index.ts';
import type { ServedReply, ServedRequest } from '../models/index.ts';
import { RequestProblem } from './problem.ts';

interface ReplyToolCall {
  readonly name: string;
  /** Arguments as JSON text in Python's spelling, or deliberately malformed. */
  readonly arguments: string;
}

export interface ScriptedReply {
  /** Role of the request: `user`, `user/verify`, `agent`, `agent/planner`, …. */
  readonly role: string;
  /** Case code of the episode; null if there is none. */
  readonly episode: string | null;
  /** Number of moves that the episode's agent has made, which makes the ids of tool calls unique. */
  readonly position: number;
  readonly content: string | null;
  readonly toolCall?: ReplyToolCall;
}

/** Length of scripted reasoning in bytes, as long as the encrypted reasoning of a short turn. */
const THOUGHT_BYTES = 3_000;

/** Returns unreadable reasoning that depends only on the reply. */
function thoughtBehind(content: string | null, calls: readonly ReplyToolCall[]): string {
  // APIs with arguments as an object do not keep their spelling, so it does not count.
  const said = JSON.stringify([content ?? '', ...calls.map(({ name, arguments: args }) => [name, parsedJson(args)])]);
  return createHash('shake256', { outputLength: THOUGHT_BYTES }).update(said).digest('base64');
}

/** Refuses a conversation whose reasoning is missing or changed, as reasoning models do. @throws RequestProblem */
export function requireThoughts({ messages }: ServedRequest): void {
  const at = messages.findIndex(
    ({ role, content, calls, thought }) => role === 'assistant' && thought !== thoughtBehind(content, calls),
  );
  if (at < 0) return;
  const problem =
    "the model's reasoning (reasoning_content, a reasoning item, a thinking block) must be handed back as it was";
  throw new RequestProblem(400, 'reasoning_missing', `messages[${at}]: ${problem}.`, 'messages');
}

/** Fingerprint of every completion. */
export const FINGERPRINT = 'tauflow-scripted-model';

/** Number of characters per token, close enough for realistic usage. */
const CHARS_PER_TOKEN = 4;

/** @param model the client's name of the model, because clients look up prices by it */
export function toServedReply(
  reply: ScriptedReply,
  { id, model, promptChars, thinks }: { id: string; model: string; promptChars: number; thinks: boolean },
): ServedReply {
  const { content, toolCall } = reply;
  return {
    id,
    model,
    created: Math.floor(Date.now() / 1000),
    fingerprint: FINGERPRINT,
    content,
    calls: toolCall === undefined ? [] : [{ id: toolCallId(reply), ...toolCall }],
    thought: thinks ? thoughtBehind(content, toolCall === undefined ? [] : [toolCall]) : null,
    ...countTokens(reply, promptChars),
  };
}

/** Estimates the billed usage from the number of characters. */
export function countTokens(
  { content, toolCall }: ScriptedReply,
  promptChars: number,
): { readonly promptTokens: number; readonly completionTokens: number } {
  const called = toolCall === undefined ? 0 : toolCall.name.length + toolCall.arguments.length;
  return { promptTokens: toTokens(promptChars), completionTokens: toTokens((content?.length ?? 0) + called) };
}

/** Returns the id of a call, the same for the same call of the same episode. */
function toolCallId({ episode, position }: ScriptedReply): string {
  const digest = createHash('sha256')
    .update(`${episode ?? ''} ${position}`)
    .digest('hex');
  return `call_${digest.slice(0, 24)}`;
}

export function toTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
