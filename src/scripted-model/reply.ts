/** A role's reply, and the parts of a provider's reply that do not depend on the API. */

import { createHash } from 'node:crypto';
import { parsedJson } from '../io/index.ts';
import type { ServedReply, ServedRequest } from '../models/index.ts';
import { RequestProblem } from './problem.ts';

interface ReplyToolCall {
  readonly name: string;
  /** JSON text in Python's spelling, unless it is garbled on purpose. */
  readonly arguments: string;
}

export interface ScriptedReply {
  /** Role that the request is booked to: `user`, `user/verify`, `agent`, `agent/planner`, … */
  readonly role: string;
  /** The episode in the form of its case code; null when the request belongs to none. */
  readonly episode: string | null;
  /** Number of moves that the episode's agent has made; makes the ids of tool calls differ. */
  readonly position: number;
  readonly content: string | null;
  readonly toolCall?: ReplyToolCall;
}

/** Length of a scripted thought: as long as the encrypted reasoning of a short turn. */
const THOUGHT_BYTES = 3_000;

/** Reasoning that stands for a thinking model's: unreadable, and the same for the same reply. */
function thoughtBehind(content: string | null, calls: readonly ReplyToolCall[]): string {
  // APIs that take arguments as an object do not keep how they are written.
  const said = JSON.stringify([content ?? '', ...calls.map(({ name, arguments: args }) => [name, parsedJson(args)])]);
  return createHash('shake256', { outputLength: THOUGHT_BYTES }).update(said).digest('base64');
}

/**
 * A thinking model refuses a conversation in which its own reasoning is missing or changed.
 * @throws RequestProblem
 */
export function requireThoughts({ messages }: ServedRequest): void {
  const at = messages.findIndex(
    ({ role, content, calls, thought }) => role === 'assistant' && thought !== thoughtBehind(content, calls),
  );
  if (at < 0) return;
  const problem =
    "the model's reasoning (reasoning_content, a reasoning item, a thinking block) must be handed back as it was";
  throw new RequestProblem(400, 'reasoning_missing', `messages[${at}]: ${problem}.`, 'messages');
}

/** Says in every completion that no model was at work. */
export const FINGERPRINT = 'tauflow-scripted-model';

/** Characters a token; close enough for English and JSON to make usage numbers look real. */
const CHARS_PER_TOKEN = 4;

/** @param model the name as the client gave it, because clients look prices up by it */
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
    ...tokensOf(reply, promptChars),
  };
}

/** Usage that a provider would bill, estimated from the number of characters. */
export function tokensOf(
  { content, toolCall }: ScriptedReply,
  promptChars: number,
): { readonly promptTokens: number; readonly completionTokens: number } {
  const called = toolCall === undefined ? 0 : toolCall.name.length + toolCall.arguments.length;
  return { promptTokens: toTokens(promptChars), completionTokens: toTokens((content?.length ?? 0) + called) };
}

/** The same call of the same episode always has the same id. */
function toolCallId({ episode, position }: ScriptedReply): string {
  const digest = createHash('sha256')
    .update(`${episode ?? ''} ${position}`)
    .digest('hex');
  return `call_${digest.slice(0, 24)}`;
}

export function toTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
