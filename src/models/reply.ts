/** Turns a provider's answer into a {@link ModelReply}, or says why it is none. */

import { z } from 'zod';
import type { AssistantMessage, ToolCall, Usage } from '../agents/index.ts';
import { UnusableReplyError } from './failures.ts';
import type { Redact } from './redact.ts';

export interface ModelReply {
  /** The model's message as it is, every tool call included: which of them count is the strategy's rule. */
  readonly message: AssistantMessage;
  /** `unknown` where the provider does not say. */
  readonly finishReason: string;
  readonly usage: Usage;
  /** False when the provider sent no usage; the usage is then all zeros and the call cannot be priced. */
  readonly usageReported: boolean;
  /** The model as the provider names what it served; the requested name where it does not say. */
  readonly servedModel: string;
  readonly fingerprint: string | null;
  readonly requestId: string | null;
  /** From the request's start to the last byte of its answer. */
  readonly latencyMs: number;
  /** The response cache had it: nobody was asked, and nothing is paid. */
  readonly cached?: true;
}

interface ReplyEnvelope {
  readonly requestedModel: string;
  readonly requestId: string | null;
  readonly latencyMs: number;
  /** Removes the key from what the provider says, whose texts must otherwise stay as they are. */
  readonly removeKey: Redact;
}

/** Of what a provider calls a model, a fingerprint, a reason or a call; none is text of the model. */
const MAX_NAME_CHARS = 200;

/**
 * @param text the answer's body, of an answer with status 200
 * @throws UnusableReplyError
 */
export function readReply(text: string, envelope: ReplyEnvelope): ModelReply {
  const body = parseBody(text);
  const [{ message, finish_reason: finishReason }] = body.choices;
  if (finishReason === 'content_filter') {
    throw new UnusableReplyError('ContentFilter', "the provider's content filter withheld the reply");
  }
  const clean = (value: string) => envelope.removeKey(value);
  const name = (value: string) => clean(value.slice(0, MAX_NAME_CHARS));
  const calls = toolCalls(message.tool_calls ?? [], clean);
  const content = textOf(message.content);
  return {
    message: {
      role: 'assistant',
      content: content === null ? null : clean(content),
      // An empty list is left out: providers refuse to take it back in the next request.
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
    finishReason: name(finishReason ?? 'unknown'),
    usage: usageOf(body.usage),
    usageReported: body.usage !== undefined && body.usage !== null,
    servedModel: name(body.model ?? envelope.requestedModel),
    fingerprint: typeof body.system_fingerprint === 'string' ? name(body.system_fingerprint) : null,
    requestId: envelope.requestId,
    latencyMs: envelope.latencyMs,
  };
}

function parseBody(text: string): ReplyBody {
  if (text.trim() === '') throw new UnusableReplyError('ModelUnavailable', 'the provider answered with an empty body');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const what = /^\s*</.test(text) ? 'an HTML page' : `${String(text.length)} characters that are not whole JSON`;
    throw new UnusableReplyError('ModelUnavailable', `the provider answered with ${what} instead of a completion`);
  }
  const parsed = replySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UnusableReplyError('ModelUnavailable', complaint(json, parsed.error));
}

/** Gateways report upstream errors with status 200; their words say more than the missing choices. */
function complaint(json: unknown, error: z.ZodError): string {
  const reported = z.looseObject({ error: z.looseObject({ message: z.string() }) }).safeParse(json);
  if (reported.success) return `the provider answered with an error: ${reported.data.error.message}`;
  const choices = z.looseObject({ choices: z.array(z.unknown()).length(0) }).safeParse(json);
  if (choices.success) return 'the provider answered without any choice';
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.');
  return `the provider's answer is not a chat completion: ${place}: ${issue?.message ?? 'unknown form'}`;
}

type RawMessage = ReplyBody['choices'][0]['message'];

function textOf(content: RawMessage['content']): string | null {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null || content.length === 0) return null;
  return content.map((part) => part.text ?? '').join('');
}

/** Calls of other kinds than functions were never offered, so they are dropped. */
function toolCalls(raw: NonNullable<RawMessage['tool_calls']>, clean: Redact): ToolCall[] {
  const calls: ToolCall[] = [];
  for (const [index, { id, function: called }] of raw.entries()) {
    if (called === undefined || called === null) continue;
    // The next request pairs a call with its result by id, so one must be there.
    const callId = id ?? '';
    calls.push({
      id: callId === '' ? `call_${String(index)}` : clean(callId),
      type: 'function',
      function: { name: clean(called.name), arguments: clean(called.arguments) },
    });
  }
  return calls;
}

/**
 * xAI and Gemini count reasoning tokens in the total, but not among the completion's, where OpenAI and its prices have
 * them: what the total has beyond prompt and completion is reasoning.
 */
function usageOf(usage: ReplyBody['usage']): Usage {
  const { prompt_tokens: promptTokens = 0, completion_tokens: completion = 0, total_tokens: total = 0 } = usage ?? {};
  const beside = Math.max(0, total - promptTokens - completion);
  return {
    promptTokens,
    completionTokens: completion + beside,
    cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? 0,
    reasoningTokens: Math.max(beside, usage?.completion_tokens_details?.reasoning_tokens ?? 0),
  };
}

const tokens = z
  .int()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0);

const toolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).nullish(),
});

const choice = z.looseObject({
  finish_reason: z.string().nullish(),
  message: z.looseObject({
    /** Some servers answer in parts; only text can be one. */
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]).nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
});

const replySchema = z.looseObject({
  choices: z.tuple([choice], z.unknown()),
  model: z.string().nullish(),
  system_fingerprint: z.string().nullish(),
  usage: z
    .looseObject({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      total_tokens: tokens,
      /** DeepSeek's name for the cached part of the prompt. */
      prompt_cache_hit_tokens: tokens,
      prompt_tokens_details: z.looseObject({ cached_tokens: tokens }).nullish(),
      completion_tokens_details: z.looseObject({ reasoning_tokens: tokens }).nullish(),
    })
    .nullish(),
});

type ReplyBody = z.infer<typeof replySchema>;
