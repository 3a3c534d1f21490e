/** A completion in the form that all wires return, and shared parts of their readers. */

import type { CompleteOutput } from '../evaluation/index.ts';
import * as z from 'zod';

import { UnusableReplyError, reportedError } from './failures.ts';
import { toFields } from './reply-reader.ts';
import { parsedJson, type Redact } from '../io/index.ts';

/**
 * The model's message with all tool calls; the strategy decides which of them to execute. Without the provider's
 * information, the reason is `unknown` and the served model the requested name.
 */
export interface ModelReply extends Omit<CompleteOutput, 'attempt' | 'costUsd' | 'fields' | 'tooLong' | 'reused'> {
  /** False if the provider sent no usage. The usage is then all zeros, and the call has no price. */
  readonly usageReported: boolean;
  /** The call's cost in USD as the provider reports it. @default not reported */
  readonly reportedCostUsd?: number;
}

/**
 * Longest name that a provider may give a model, a fingerprint, a reason or a call; none of them is the model's text.
 */
const MAX_NAME_CHARS = 200;

/** Cleans a name that a provider sends: without the key and bounded; uses the fallback if it is no text. */
export function nameCleaner(removeKey: Redact): (value: unknown, fallback?: string) => string {
  return (value, fallback = 'unknown') => {
    const name = typeof value === 'string' && value !== '' ? value : fallback;
    return removeKey(name.slice(0, MAX_NAME_CHARS));
  };
}

/** The end of a stream of events. */
const END_MARK = 'data: [DONE]';

/**
 * Removes a byte order mark, with which some servers begin their JSON, and a stream's end mark, with which some
 * gateways end it.
 */
export function withoutMarks(text: string): string {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const end = body.trimEnd();
  return end.endsWith(END_MARK) && !isStream(body) ? end.slice(0, -END_MARK.length) : body;
}

function isStream(text: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(text);
}

/** Most characters of an answer in a message. */
const SAMPLE_CHARS = 200;

/**
 * Parses the body of an answer with status 200.
 * @param text without a byte order mark
 * @param schema of the required fields; others are left to the reader
 * @param what the schema describes, for the failure's message: `a chat completion`
 * @throws UnusableReplyError
 */
export function parseReplyBody<T>(text: string, schema: z.ZodType<T>, what: string): T {
  if (text.trim() === '') throw new UnusableReplyError('ModelUnavailable', 'the provider answered with an empty body');
  const json = parsedJson(text);
  if (json === undefined) {
    if (isStream(text)) throw failedStream(text);
    if (!/^\s*[[{]/.test(text)) throw notACompletion(text, what, `it is ${/^\s*</.test(text) ? 'HTML' : 'no JSON'}`);
    const found = `${String(text.length)} characters that are not whole JSON`;
    throw new UnusableReplyError('ModelUnavailable', `the provider answered with ${found} instead of a completion`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const { error, object, success } = toFields(json);
  if (error !== undefined && error !== null) throw answeredError(error);
  // FastChat and older vLLM send the first, z.ai the second.
  if (object === 'error' || success === false) throw answeredError(json);
  const choices = z.looseObject({ choices: z.array(z.unknown()).length(0) }).safeParse(json);
  if (choices.success) throw new UnusableReplyError('ModelUnavailable', 'the provider answered without any choice');
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.');
  throw notACompletion(text, what, `${place}: ${issue?.message ?? 'unknown form'}`);
}

/** Creates the failure for an unknown error, which the set-up may cause. */
function answeredError(error: unknown): UnusableReplyError {
  return reportedError(error, 'the provider answered with an error', 'NotACompletion');
}

/**
 * Creates the failure for an event stream that was not requested: that of the error in it, otherwise a refused request.
 */
function failedStream(text: string): UnusableReplyError {
  for (const line of text.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const { error } = toFields(parsedJson(line.slice('data:'.length)));
    if (error !== undefined && error !== null) return answeredError(error);
  }
  return new UnusableReplyError(
    'RequestRefused',
    'the provider answered with a stream of events, and none was asked for',
  );
}

/**
 * Creates the failure for an answer in another form. The address may be wrong, the API different, or a proxy has
 * answered.
 */
export function notACompletion(text: string, what: string, problem: string): UnusableReplyError {
  const sample = text.slice(0, SAMPLE_CHARS).replace(/\s+/g, ' ').trim();
  const message = `the provider's answer is not ${what}: ${problem}; it begins with: ${sample}`;
  return new UnusableReplyError('NotACompletion', message);
}

/** Problem of a call without a name, or with arguments that are neither text nor an object that can be read. */
export const NO_CALL = 'its tool call has no name, or no arguments that can be read';

/** Creates the failure for an answer in the API's form whose model part is invalid. */
export function malformedReply(problem: string): UnusableReplyError {
  return new UnusableReplyError('MalformedReply', `the model's reply is malformed: ${problem}`);
}

export function contentFiltered(): UnusableReplyError {
  return new UnusableReplyError('ContentFilter', "the provider's content filter withheld the reply");
}
