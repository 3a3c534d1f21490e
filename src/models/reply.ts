/** A completion as every wire gives it, and what the wires' readers share. */

import * as z from 'zod';
import type { AssistantMessage, Usage } from '../agents/index.ts';
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
  /** USD that the provider says the call costs; absent: it does not say. */
  readonly reportedCostUsd?: number;
  /** The model as the provider names what it served; the requested name where it does not say. */
  readonly servedModel: string;
  readonly fingerprint: string | null;
  readonly requestId: string | null;
  /** Time from the request's start to the last byte of its answer. */
  readonly latencyMs: number;
  /** Fields of the request that the model does not take, and that were left out; absent: none. */
  readonly leftOut?: readonly string[];
  /** The response cache had it: nobody was asked, and nothing is paid. */
  readonly cached?: true;
}

/** Longest name that a provider may give a model, a fingerprint, a reason or a call; none is text of the model. */
const MAX_NAME_CHARS = 200;

/** A name that a provider gives, without the key and bounded. */
export function nameCleaner(removeKey: Redact): (value: string) => string {
  return (value) => removeKey(value.slice(0, MAX_NAME_CHARS));
}

/**
 * The body of an answer with status 200.
 * @param what the schema describes, for the failure's message: `a chat completion`
 * @throws UnusableReplyError
 */
export function parseReplyBody<T>(text: string, schema: z.ZodType<T>, what: string): T {
  if (text.trim() === '') throw new UnusableReplyError('ModelUnavailable', 'the provider answered with an empty body');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const found = /^\s*</.test(text) ? 'an HTML page' : `${String(text.length)} characters that are not whole JSON`;
    throw new UnusableReplyError('ModelUnavailable', `the provider answered with ${found} instead of a completion`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UnusableReplyError('ModelUnavailable', complaint(json, parsed.error, what));
}

/** Gateways report upstream errors with status 200; their words say more than what is missing. */
function complaint(json: unknown, error: z.ZodError, what: string): string {
  const reported = z.looseObject({ error: z.looseObject({ message: z.string() }) }).safeParse(json);
  if (reported.success) return `the provider answered with an error: ${reported.data.error.message}`;
  const choices = z.looseObject({ choices: z.array(z.unknown()).length(0) }).safeParse(json);
  if (choices.success) return 'the provider answered without any choice';
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.');
  return `the provider's answer is not ${what}: ${place}: ${issue?.message ?? 'unknown form'}`;
}

/**
 * The items of a list in a reply, each checked by itself: a schema of the whole list would make an error of every bad
 * item, millions in the largest answer.
 * @throws UnusableReplyError for the first item of another form
 */
export function parseItems<T>(items: readonly unknown[], schema: z.ZodType<T>, place: string): T[] {
  return items.map((item, index) => {
    const parsed = schema.safeParse(item);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const what = `${place}[${String(index)}]: ${issue?.message ?? 'unknown form'}`;
    throw new UnusableReplyError('ModelUnavailable', `the provider's answer is not a completion: ${what}`);
  });
}

export function contentFiltered(): UnusableReplyError {
  return new UnusableReplyError('ContentFilter', "the provider's content filter withheld the reply");
}

/** A count of tokens as providers report it, absent and null as 0. */
export const tokenCount = z
  .int()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0);

/** Parts of a prompt's tokens: those read from the provider's cache, and those written to it. */
export const promptDetails = z
  .looseObject({
    cached_tokens: tokenCount,
    cache_write_tokens: tokenCount,
    /** LiteLLM's name for the tokens written. */
    cache_creation_tokens: tokenCount,
  })
  .nullish();

/** Tokens that a call has written to the provider's cache: GPT-5.6 and later bill them at 1.25 times the input price. */
export function cacheWrites(details: z.infer<typeof promptDetails>): Pick<Usage, 'cacheWriteTokens'> {
  const cacheWriteTokens = Math.max(details?.cache_write_tokens ?? 0, details?.cache_creation_tokens ?? 0);
  return cacheWriteTokens === 0 ? {} : { cacheWriteTokens };
}
