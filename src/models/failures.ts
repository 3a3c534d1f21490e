/**
 * Classifies failed model calls: whether another attempt can help, and when.
 *
 * A 429 waits as long as the provider asks; a 429 for exhausted quota (`insufficient_quota`) is permanent.
 * A provider that says itself whether to try again (`x-should-retry`) is believed, except about failures whose cause
 * lies in the request or the account.
 */

import * as anthropic from '@anthropic-ai/sdk/core/error';
import * as openai from 'openai';
import type { FailureType } from '../wire/index.ts';
import type { Redact } from './redact.ts';

export interface ModelFailure {
  readonly type: FailureType;
  readonly retryable: boolean;
  /** Milliseconds that the provider asks to wait, above 0 and at most a day. */
  readonly retryAfterMs?: number;
  /** Message of at most 500 characters, without keys. */
  readonly message: string;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  readonly requestId?: string;
}

/** A model call failed. Carries no cause: the whole error lands in a workflow's history. */
export class ModelCallError extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.name = 'ModelCallError';
    this.failure = failure;
  }
}

/** The provider answered 200 with something that is no usable completion. */
export class UnusableReplyError extends Error {
  readonly type: 'ModelUnavailable' | 'RateLimited' | 'ContentFilter' | 'ReplyTooLong';

  constructor(type: UnusableReplyError['type'], message: string) {
    super(message);
    this.name = 'UnusableReplyError';
    this.type = type;
  }
}

interface ClassifyContext {
  /** The time that an HTTP date in `Retry-After` is compared with, milliseconds since 1970. */
  readonly nowMs: number;
  readonly redact: Redact;
}

const MAX_MESSAGE = 500;
/** Characters of a provider's message that are looked at. */
const MAX_READ = 20_000;

/** Failures that another attempt can do without. */
const PASSING: ReadonlySet<FailureType> = new Set(['ModelUnavailable', 'RateLimited']);

/** Never throws; an error that no rule knows is taken for passing trouble, which the bound on retries ends. */
export function classifyModelError(error: unknown, context: ClassifyContext): ModelFailure {
  const message = shorten(context.redact(describe(error).slice(0, MAX_READ)));
  if (error instanceof UnusableReplyError) {
    return { type: error.type, retryable: PASSING.has(error.type), message };
  }
  const answer = isApiError(error) ? error : undefined;
  if (answer?.status === undefined) return { type: 'ModelUnavailable', retryable: true, message };
  const { headers, requestID, status } = answer;
  const retryAfterMs = readRetryAfter(headers, context.nowMs);
  return {
    ...judgeStatus(answer, headers?.get('x-should-retry') ?? null),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(requestID ? { requestId: shorten(context.redact(requestID)) } : {}),
    status,
    message,
  };
}

/** Error of either SDK. `instanceof` leaves the classes' parameters at `any`; their defaults are what is filled in. */
type ApiError = openai.APIError | anthropic.APIError;

function isApiError(error: unknown): error is ApiError {
  return error instanceof openai.APIError || error instanceof anthropic.APIError;
}

/** True for the error with which an SDK answers an abort. */
export function isAbort(error: unknown): boolean {
  return error instanceof openai.APIUserAbortError || error instanceof anthropic.APIUserAbortError;
}

function judgeStatus(error: ApiError, shouldRetry: string | null): Pick<ModelFailure, 'type' | 'retryable'> {
  const status = error.status ?? 0;
  const codes = ['code' in error ? error.code : null, error.type].map((code) => (typeof code === 'string' ? code : ''));
  if (isQuota(status, codes, error.message.slice(0, MAX_READ))) {
    return { type: 'QuotaExceeded', retryable: false };
  }
  if (status >= 400 && status < 500 && status !== 429) {
    if (codes.includes('context_length_exceeded') || CONTEXT_OVERFLOW.test(error.message.slice(0, MAX_READ))) {
      return { type: 'ContextOverflow', retryable: false };
    }
    if (codes.some((code) => CONTENT_FILTER_CODES.has(code))) return { type: 'ContentFilter', retryable: false };
  }
  const [type, usuallyRetryable] = judgeCode(status);
  return { type, retryable: shouldRetry === 'true' || (usuallyRetryable && shouldRetry !== 'false') };
}

function judgeCode(status: number): [type: FailureType, retryable: boolean] {
  if (status === 429) return ['RateLimited', true];
  if (status === 401 || status === 403) return ['NotAuthorised', false];
  if (status === 408 || status === 409 || status >= 500) return ['ModelUnavailable', true];
  return ['RequestRefused', false];
}

function isQuota(status: number, codes: readonly string[], message: string): boolean {
  if (status === 402) return true;
  if (status !== 429 && status !== 400 && status !== 403) return false;
  if (codes.includes('billing_error') || (status === 400 && CREDIT.test(message))) return true;
  return status === 429 && codes.some((code) => QUOTA_CODES.has(code));
}

/** Anthropic's words for an account without money, under the code of any refused request. */
const CREDIT = /credit balance is too low/i;

const QUOTA_CODES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
]);

/** `invalid_prompt` is OpenAI's for a prompt that was flagged, never for one of a wrong form. */
const CONTENT_FILTER_CODES: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
]);

/** Messages of OpenAI, vLLM, llama.cpp, Anthropic, Mistral and Google, where they send no code. */
const CONTEXT_OVERFLOW =
  /maximum context length|context (?:length|window|size|limit)|prompt is too long|input is too long|too many (?:input )?tokens|input token count|exceeds? the (?:model's )?max(?:imum)?\b.*\btokens/i;

function describe(error: unknown): string {
  if (error instanceof openai.APIConnectionTimeoutError || error instanceof anthropic.APIConnectionTimeoutError) {
    return 'the provider did not answer in time';
  }
  if (error instanceof openai.APIConnectionError || error instanceof anthropic.APIConnectionError)
    return `no connection to the provider: ${rootCause(error)}`;
  if (!(error instanceof Error)) return String(error);
  if (!isApiError(error)) return error.message;
  // A gateway's error page says nothing beyond its status.
  if (/<(?:!doctype|html|head|body)\b/i.test(error.message)) {
    return `${String(error.status)} with an HTML page instead of an API answer`;
  }
  // The one package's message is the whole body, the other's the message in it.
  const said: unknown = 'apiMessage' in error ? error.apiMessage : null;
  return typeof said === 'string' ? `${String(error.status)} ${said}` : error.message;
}

/** The innermost error says what happened (`connect ECONNREFUSED 127.0.0.1:1`), the outer ones only that it did. */
function rootCause(error: Error): string {
  let inner: Error = error;
  for (let depth = 0; depth < 8; depth++) {
    const next = inner instanceof AggregateError ? (inner.errors[0] as unknown) : inner.cause;
    if (!(next instanceof Error)) break;
    inner = next;
  }
  const code = (inner as { code?: unknown }).code;
  return typeof code === 'string' && !inner.message.includes(code) ? `${inner.message} (${code})` : inner.message;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE - 1)}…`;
}

const DAY_MS = 86_400_000;

/**
 * Milliseconds to wait, above 0 and at most a day; undefined where the headers say nothing.
 *
 * In this order: `retry-after-ms`; `retry-after` in seconds or as an HTTP date; of limits that are used up
 * (`…ratelimit-remaining… : 0`), the longest time until they are reset.
 * @param nowMs milliseconds since 1970
 */
export function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  if (headers === undefined) return undefined;
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (inMs > 0) return bounded(inMs);
  const text = headers.get('retry-after')?.trim() ?? '';
  const waitMs = /^[\d.]+$/.test(text) ? Number.parseFloat(text) * 1000 : Date.parse(text) - nowMs;
  if (waitMs > 0) return bounded(waitMs);
  const resets = usedUp(headers).flatMap((reset) => readReset(reset, nowMs) ?? []);
  return resets.length === 0 ? undefined : bounded(Math.max(...resets));
}

/** OpenAI, Groq and others: `x-ratelimit-reset-requests`; Anthropic: `anthropic-ratelimit-requests-reset`. */
function usedUp(headers: Headers): string[] {
  const resets: string[] = [];
  headers.forEach((value, name) => {
    if (!/ratelimit/.test(name) || !/remaining/.test(name) || Number.parseFloat(value) !== 0) return;
    const reset = headers.get(name.replace('remaining', 'reset'));
    if (reset !== null) resets.push(reset.trim());
  });
  return resets;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
/** Largest number that is a wait; a larger one is a time: in seconds until about the year 2286, in milliseconds from then on. */
const EARLIEST_TIME_S = 1e9;
const EARLIEST_TIME_MS = 1e11;

/** `6m0s`, `7.66s`, seconds, a time in seconds or milliseconds since 1970, or a date; undefined for anything else. */
function readReset(text: string, nowMs: number): number | undefined {
  if (/^[\d.]+$/.test(text)) {
    const number = Number.parseFloat(text);
    if (number >= EARLIEST_TIME_MS) return positive(number - nowMs);
    return positive(number >= EARLIEST_TIME_S ? number * 1000 - nowMs : number * 1000);
  }
  const parts = [...text.matchAll(/(?<![\d.])([\d.]+)(ms|[smhd])/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return positive(
      parts.reduce((sum, [, count = '', unit = '']) => sum + Number.parseFloat(count) * (UNITS[unit] ?? 0), 0),
    );
  }
  return positive(Date.parse(text) - nowMs);
}

function positive(waitMs: number): number | undefined {
  return waitMs > 0 ? waitMs : undefined;
}

function bounded(waitMs: number): number {
  return Math.min(Math.ceil(waitMs), DAY_MS);
}
