/**
 * Classifies failed model calls: whether another attempt can help, and when.
 *
 * A 429 waits as long as the provider asks; a 429 for exhausted quota (`insufficient_quota`) is permanent. If the
 * provider states whether to retry (`x-should-retry`), the statement applies, except for failures in the table.
 */

import * as anthropic from '@anthropic-ai/sdk/core/error';
import * as openai from 'openai';
import { messageWithCode, rootCause } from '../errors/index.ts';
import type { Usage } from '../agents/index.ts';
import type { FailureType } from '../evaluation/index.ts';
import { judgeConnection } from './connection-failures.ts';
import { judgeAnswer, type ProviderAnswer } from './failure-table.ts';
import { toFields } from './reply-reader.ts';
import { parsedJson, type Redact, readRetryAfter, readWaitInWords } from '../io/index.ts';

export interface ModelFailure {
  readonly type: FailureType;
  readonly retryable: boolean;
  /** Wait that the provider asks for, in ms, above 0 and at most a day. */
  readonly retryAfterMs?: number;
  /** Message of at most 500 characters, without keys. */
  readonly message: string;
  /** True if the call's time ended without an answer. */
  readonly isTimeout?: true;
  /** True if no connection was made, so that the request was not received. */
  readonly isUnreached?: true;
  /** True if an agent's answer does not follow its protocol at all; it may be a web page. */
  readonly isNoAnswer?: true;
  /** See `HeldCall.isOwnOnceWorked`. */
  readonly isOwnOnceWorked?: true;
  /** True if a request to an agent failed because a provider refused the agent's model call. */
  readonly isForModel?: true;
  readonly status?: number;
  readonly requestId?: string;
  /** Usage of the failed reply; absent: nothing was paid. */
  readonly paid?: PaidReply;
}

/** Usage of a reply that ended as a failure; the fields are those of a completion. */
export interface PaidReply {
  readonly servedModel: string;
  readonly usage: Usage;
  /** False if the usage cannot be read; the counts are then all 0. */
  readonly usageReported: boolean;
  readonly reportedCostUsd?: number;
}

/** A failed model call. It has no cause, because the whole error enters a workflow's history. */
export class ModelCallError extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.name = 'ModelCallError';
    this.failure = failure;
  }
}

/** Adds the usage of a failed reply to its error. */
export function withPaid(error: ModelCallError, paid: PaidReply | undefined): ModelCallError {
  return paid === undefined ? error : new ModelCallError({ ...error.failure, paid });
}

/** Error of an answer with status 200 that has no usable completion. */
export class UnusableReplyError extends Error {
  readonly type: FailureType;

  constructor(type: FailureType, message: string) {
    super(message);
    this.name = 'UnusableReplyError';
    this.type = type;
  }
}

interface ClassifyContext {
  /** Time for the comparison with an HTTP date in `Retry-After`, milliseconds since 1970. */
  readonly nowMs: number;
  /** Time limit of the call, in milliseconds. */
  readonly timeoutMs: number;
  readonly redact: Redact;
}

const MAX_MESSAGE = 500;
/** Most characters besides the remedy; a certificate can list many names. */
const MAX_CAUSE = 300;
/** Most characters of a provider's message to read. */
const MAX_READ = 20_000;

/** Transient failures. A gateway's error page is one too. */
const PASSING: ReadonlySet<FailureType> = new Set(['ModelUnavailable', 'NotACompletion', 'RateLimited']);

/** Classifies any error; never throws. An unknown error counts as transient, because retries are limited. */
export function classifyModelError(error: unknown, context: ClassifyContext): ModelFailure {
  const message = shorten(context.redact(describe(error).slice(0, MAX_READ)));
  if (error instanceof UnusableReplyError) {
    return { type: error.type, retryable: PASSING.has(error.type), message };
  }
  const answer = isApiError(error) ? error : undefined;
  if (isTimeout(error)) {
    const late = `the provider did not answer within ${formatSeconds(context.timeoutMs)}`;
    return { type: 'ModelUnavailable', retryable: true, isTimeout: true, message: late };
  }
  if (answer?.status === undefined) return toUnanswered(error, message);
  const { headers, requestID, status } = answer;
  const read = toProviderAnswer(answer);
  const retryAfterMs = readRetryAfter(headers, context.nowMs) ?? readWaitInWords(read.words, context.nowMs);
  return {
    ...judge(read, headers?.get('x-should-retry') ?? null),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(requestID ? { requestId: shorten(context.redact(requestID)) } : {}),
    status,
    message,
  };
}

function toUnanswered(error: unknown, message: string): ModelFailure {
  const cause = error instanceof Error ? rootCause(error) : null;
  if (cause !== null && isOwnMistake(cause)) {
    // The message about an invalid header contains the header, and so the key.
    const what = /header/i.test(cause.message) ? 'it has a header with a character that no header can have' : message;
    return { type: 'RequestRefused', retryable: false, message: `the request could not be made: ${what}` };
  }
  const { type, remedy } = isConnectionError(error)
    ? judgeConnection(rootCause(error))
    : ({ type: 'ModelUnavailable' } as const);
  return {
    type,
    retryable: PASSING.has(type),
    message: remedy === undefined ? message : `${shorten(message, MAX_CAUSE)} (${remedy})`,
  };
}

/** Error codes of requests that Node and its HTTP client refuse to send. */
const UNSENDABLE = [
  ...['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_INVALID_ARG', 'ERR_INVALID_PROTOCOL', 'ERR_INVALID_HTTP_TOKEN'],
  ...['ERR_UNESCAPED_CHARACTERS', 'ERR_HTTP_INVALID', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'],
];

/** @returns true for a request that cannot be sent, because of its address or a header; repeating it does not help */
function isOwnMistake({ code, name }: Error & { readonly code?: unknown }): boolean {
  if (typeof code === 'string') return UNSENDABLE.some((known) => code.startsWith(known));
  return /^(?:Type|Range|Syntax|Reference|URI)Error$/.test(name);
}

/** Error of either SDK. `instanceof` infers `any` for the classes' parameters, so their defaults are used. */
type ApiError = openai.APIError | anthropic.APIError;

function isApiError(error: unknown): error is ApiError {
  return error instanceof openai.APIError || error instanceof anthropic.APIError;
}

function isConnectionError(error: unknown): error is Error {
  return error instanceof openai.APIConnectionError || error instanceof anthropic.APIConnectionError;
}

/** True for the error with which an SDK answers an abort. */
export function isAbort(error: unknown): boolean {
  return error instanceof openai.APIUserAbortError || error instanceof anthropic.APIUserAbortError;
}

function judge(answer: ProviderAnswer, shouldRetry: string | null): Pick<ModelFailure, 'type' | 'retryable'> {
  const { type, isByStatus } = judgeAnswer(answer);
  const isPassing = PASSING.has(type);
  if (!isByStatus) return { type, retryable: isPassing };
  return { type, retryable: shouldRetry === 'true' || (isPassing && shouldRetry !== 'false') };
}

/** Reads the codes and texts of the SDK's error, including those of a server behind a gateway. */
function toProviderAnswer(error: ApiError): ProviderAnswer {
  const body: unknown = error.error;
  const codes = [
    'code' in error ? error.code : null,
    error.type,
    ...listCodes(body),
    ...listCodes(toFields(body)['error']),
  ];
  return {
    status: error.status ?? 0,
    codes: codes.flatMap((code) => (typeof code === 'string' ? [code] : [])),
    words: `${error.message.slice(0, MAX_READ)} ${JSON.stringify(body ?? '').slice(0, MAX_READ)}`,
  };
}

function listCodes(error: unknown): string[] {
  const { code, type, status } = toFields(error);
  return [code, type, status].flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  );
}

/**
 * Returns the failure for an error inside an answer of status 200, as gateways send it.
 * @param error an object or a text
 * @param what begins the message
 * @param unknown type of an error that is not in the table
 */
export function reportedError(
  error: unknown,
  what: string,
  unknown: FailureType = 'ModelUnavailable',
): UnusableReplyError {
  const { code, message, msg, metadata } = toFields(error);
  const codes = listCodes(error);
  const said = [message, msg, error, ...codes].find((words) => typeof words === 'string' && words !== '');
  const { raw } = toFields(metadata);
  const words = `${typeof said === 'string' ? said : 'no reason given'}${typeof raw === 'string' ? `: ${raw}` : ''}`;
  const status = Number(code);
  const answer = {
    status: status >= 400 && status < 600 ? status : 0,
    codes,
    words: `${words.slice(0, MAX_READ)} ${JSON.stringify(error).slice(0, MAX_READ)}`,
  };
  const { type, isByStatus } = judgeAnswer(answer);
  return new UnusableReplyError(isByStatus && answer.status === 0 ? unknown : type, `${what}: ${words}`);
}

/**
 * Reads a provider's refusal of a request that an agent has written.
 * @param body JSON text
 * @returns null for an answer that is no refusal, or may be transient
 */
export function refusalIn(status: number, body: string): Pick<ModelFailure, 'type' | 'message'> | null {
  if (status < 400) return null;
  const fields = toFields(parsedJson(body.slice(0, MAX_READ)));
  const { error, message, detail } = fields;
  const codes = [...listCodes(fields), ...listCodes(error)];
  const { type } = judgeAnswer({ status, codes, words: body.slice(0, MAX_READ) });
  if (PASSING.has(type)) return null;
  const said = [toFields(error)['message'], error, message, detail].find((each) => typeof each === 'string');
  return { type, message: shorten(`${status} ${typeof said === 'string' ? said : ''}`) };
}

function isTimeout(error: unknown): boolean {
  return error instanceof openai.APIConnectionTimeoutError || error instanceof anthropic.APIConnectionTimeoutError;
}

function formatSeconds(ms: number): string {
  return `${String(Number((ms / 1_000).toPrecision(3)))} s`;
}

function describe(error: unknown): string {
  if (isConnectionError(error)) return `no connection to the provider: ${describeCause(rootCause(error))}`;
  if (!(error instanceof Error)) return String(error);
  if (!isApiError(error)) return error.message;
  if (/<(?:!doctype|html|head|body)\b/i.test(error.message)) {
    const [, title] = /<title>([^<]{1,100})/i.exec(error.message) ?? [];
    const page = title === undefined ? 'an HTML page' : `the HTML page ${JSON.stringify(title.trim())}`;
    return `${String(error.status)} with ${page} instead of an API answer`;
  }
  // One SDK's message is the whole body, the other's is the message within the body.
  const said: unknown = 'apiMessage' in error ? error.apiMessage : null;
  const { raw } = toFields(toFields(error.error)['metadata']);
  const behind = typeof raw === 'string' ? `: ${raw}` : '';
  return `${typeof said === 'string' ? `${String(error.status)} ${said}` : error.message}${behind}`;
}

function describeCause({ message, code }: Error & { readonly code?: unknown }): string {
  // OpenSSL's own message contains positions in its source code.
  if (typeof code === 'string' && code.startsWith('ERR_SSL_')) return code;
  return messageWithCode({ message, code });
}

function shorten(text: string, most = MAX_MESSAGE): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
