/** OpenAI's chat completions: the part of a request that is read, the conversation in it, and the reply's envelope. */

import * as z from 'zod';
import { createHash } from 'node:crypto';

interface Turn {
  readonly role: ChatRequest['messages'][number]['role'];
  readonly text: string;
  /** Names and arguments of the tool calls of an assistant's turn. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

export interface Conversation {
  /** The system messages' text, joined by blank lines. */
  readonly system: string;
  /** All but the system messages. */
  readonly turns: readonly Turn[];
  readonly offersTools: boolean;
  readonly wantsJson: boolean;
  readonly seed: number | null;
  /** Characters of everything that a provider would bill as prompt. */
  readonly promptChars: number;
}

export function readConversation(request: ChatRequest): Conversation {
  const system: string[] = [];
  const turns: Turn[] = [];
  let promptChars = request.tools ? JSON.stringify(request.tools).length : 0;
  for (const { role, content, tool_calls: toolCalls } of request.messages) {
    const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
    const calls = (toolCalls ?? []).map((call) => call.function);
    promptChars += text.length;
    for (const call of calls) promptChars += call.name.length + call.arguments.length;
    if (role === 'system' || role === 'developer') system.push(text);
    else turns.push({ role, text, calls });
  }
  return {
    system: system.join('\n\n'),
    turns,
    offersTools: (request.tools ?? []).length > 0,
    wantsJson: request.response_format?.type.startsWith('json') ?? false,
    seed: request.seed ?? null,
    promptChars,
  };
}

export function firstText(conversation: Conversation, role: Turn['role']): string | undefined {
  return conversation.turns.find((turn) => turn.role === role)?.text;
}

export function lastText(conversation: Conversation, role: Turn['role']): string | undefined {
  return conversation.turns.findLast((turn) => turn.role === role)?.text;
}

export function countTurns(conversation: Conversation, role: Turn['role']): number {
  return conversation.turns.reduce((count, turn) => (turn.role === role ? count + 1 : count), 0);
}

/** The part of a chat-completions request that the scripted model reads. What it does not know it lets pass. */
const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  z.null(),
]);

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: content.optional(),
  tool_calls: z.array(toolCall).nullish(),
  reasoning_content: z.string().nullish(),
});

export const chatRequestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  /** Tools, whose presence alone matters: their schemas are the larger part of a request and not looked into. */
  tools: z.array(z.unknown()).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
  n: z.int().nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** A role's reply, before it is put into the wire protocol's envelope. */
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

/** A request that cannot be played: the HTTP status and OpenAI's error fields. */
export class RequestProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.name = 'RequestProblem';
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** Length of a scripted thought: as long as the encrypted reasoning of a short turn. */
const THOUGHT_BYTES = 3_000;

/** Reasoning that stands for a thinking model's: unreadable, and the same for the same reply. */
function thoughtBehind(content: string | null, calls: readonly ReplyToolCall[]): string {
  const said = JSON.stringify([content ?? '', ...calls.map(({ name, arguments: args }) => [name, args])]);
  return createHash('shake256', { outputLength: THOUGHT_BYTES }).update(said).digest('base64');
}

/**
 * A thinking model refuses a conversation in which its own reasoning is missing or changed.
 * @throws RequestProblem
 */
export function requireThoughts({ messages }: ChatRequest): void {
  const at = messages.findIndex(({ role, content, tool_calls: calls, reasoning_content: thought }) => {
    if (role !== 'assistant') return false;
    const text = typeof content === 'string' ? content : null;
    const called = (calls ?? []).map(({ function: made }) => made);
    return thought !== thoughtBehind(text, called);
  });
  if (at < 0) return;
  const problem = 'the reasoning_content of an assistant message must be handed back as it was';
  throw new RequestProblem(400, 'reasoning_missing', `messages[${at}]: ${problem}.`, 'messages');
}

/** Says in every completion that no model was at work. */
const FINGERPRINT = 'tauflow-scripted-model';

/** Characters a token; close enough for English and JSON to make usage numbers look real. */
const CHARS_PER_TOKEN = 4;

/** @param model the name as the client gave it, because clients look prices up by it */
export function completionBody(
  model: string,
  reply: ScriptedReply,
  promptChars: number,
  requestId: string,
  thinks = false,
): object {
  const { content, toolCall } = reply;
  const message = {
    role: 'assistant',
    content,
    refusal: null,
    ...(thinks ? { reasoning_content: thoughtBehind(content, toolCall === undefined ? [] : [toolCall]) } : {}),
    ...(toolCall === undefined
      ? {}
      : { tool_calls: [{ id: toolCallId(reply), type: 'function', function: { ...toolCall } }] }),
  };
  const { promptTokens, completionTokens } = tokensOf(reply, promptChars);
  return {
    id: `chatcmpl-${requestId}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: toolCall === undefined ? 'stop' : 'tool_calls' }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    system_fingerprint: FINGERPRINT,
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

export function errorBody(problem: RequestProblem): object {
  const type =
    problem.status === 429 ? 'rate_limit_error' : problem.status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message: problem.message, type, param: problem.param, code: problem.code } };
}

export function modelsBody(models: readonly string[]): object {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: FINGERPRINT })) };
}

/** The same call of the same episode always has the same id. */
function toolCallId({ episode, position }: ScriptedReply): string {
  const digest = createHash('sha256')
    .update(`${episode ?? ''} ${position}`)
    .digest('hex');
  return `call_${digest.slice(0, 24)}`;
}

function toTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
