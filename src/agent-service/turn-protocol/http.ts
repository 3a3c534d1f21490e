/** HTTP requests to agents, with limits on time, size and address. */

import { ModelCallError } from '../../models/index.ts';
import { FailureType } from '../../evaluation/index.ts';
import {
  HttpServiceError,
  createRedactor,
  exchange as exchangeOver,
  isObject,
  jsonObject,
  quoteBody,
  readRetryAfter,
  withinTime as limitTime,
  type HttpReply,
  type TimeLimit,
} from '../../io/index.ts';

export interface AgentService {
  readonly url: string;
  /** Bearer token. @default none */
  readonly key?: string | null;
  /** Name of the service in messages. @default its URL */
  readonly label?: string;
  /** Form of the tools for an A2A agent. @default the agent speaks the turn protocol */
  readonly a2aTools?: A2aTools;
}

/** Forms of tools: a data part, the address of an MCP server, or words with one action in each answer. */
export type A2aTools = 'data' | 'mcp' | 'text';

/** A2A extension of agents that speak the turn protocol within A2A. */
export const A2A_EXTENSION = 'urn:tauflow:a2a:1';

/** Code in a status 500 for an error of the agent's own code, which is permanent. */
export const AGENT_FAILED = 'agent_failed';

export interface AskOptions extends TimeLimit {
  /** Called with the problem if the agent's usage cannot be read. */
  readonly onUnreadUsage?: (problem: string) => void;
  /** {@link TurnAnswer.peer} of the previous request. @default the conversation begins */
  readonly peer?: string | undefined;
  /** True if the request may have reached the agent before, in the same conversation. */
  readonly isRepeated?: boolean;
}

/**
 * Sends a request and reads the whole answer of any status.
 * @param body JSON text; null: `GET`
 * @throws ModelCallError without an answer, or for a too large one; the signal's reason if aborted
 */
export async function exchangeWithAgent(
  service: AgentService,
  body: string | null,
  headers: Readonly<Record<string, string>>,
  options: AskOptions,
): Promise<HttpReply> {
  const named = { ...service, name: formatAgentName(service) };
  return await asModelCall(service, exchangeOver(named, body, headers, options));
}

/**
 * Runs work with a time limit, and describes errors of the connection.
 * @throws ModelCallError; the signal's reason if aborted
 */
export async function withinAgentTime<T>(
  service: AgentService,
  options: AskOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const isOwn = (error: unknown) => error instanceof ModelCallError;
  return await asModelCall(service, limitTime(formatAgentName(service), options, work, isOwn));
}

async function asModelCall<T>(service: AgentService, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof HttpServiceError ? withoutAnswer(service, error) : error;
  }
}

export function withoutAnswer(
  service: AgentService,
  { fault, message: reason, status }: HttpServiceError,
): ModelCallError {
  const message = clean(service, reason);
  switch (fault) {
    case 'redirected':
      return new ModelCallError({
        type: FailureType.RequestRefused,
        retryable: false,
        status,
        message: `${message}; give --agent-url as it is there`,
      });
    case 'too_large':
      return new ModelCallError({ type: FailureType.InvalidAnswer, retryable: false, message });
    case 'unreached':
    case 'broken':
    case 'timeout':
      return new ModelCallError({
        type: FailureType.ModelUnavailable,
        retryable: true,
        message,
        isTimeout: fault === 'timeout' || undefined,
        isUnreached: fault === 'unreached' || undefined,
      });
  }
}

/** Returns the failure for an answer with a status other than 2xx. */
export function toAgentFailure(service: AgentService, { status, headers, body }: HttpReply): ModelCallError {
  const retryAfterMs = readRetryAfter(headers, Date.now());
  const ownWords = status === 500 ? wordsOnOwnFailure(body) : null;
  if (ownWords !== null) {
    return failure(service, FailureType.AgentFailed, `has failed${quoteBody(ownWords)}`, status);
  }
  const { type, retryable, advice } = classifyStatus(status, body);
  const message = clean(service, `${formatAgentName(service)} answered ${String(status)}${quoteBody(body)}${advice}`);
  return new ModelCallError({
    type,
    retryable,
    status,
    retryAfterMs: retryable ? retryAfterMs : undefined,
    message,
  });
}

/** Returns the failure for a 2xx that breaks the protocol. */
export function invalidAnswer(
  service: AgentService,
  problem: string,
  { status, body }: Pick<HttpReply, 'status' | 'body'>,
): ModelCallError {
  const what = `answered ${String(status)} with ${problem}${quoteBody(body)}`;
  return failure(service, FailureType.InvalidAnswer, what, status);
}

/** @param what the agent's action, a phrase that follows the agent's name */
export function failure(
  service: AgentService,
  type: FailureType,
  what: string,
  status?: number,
  retryable = false,
): ModelCallError {
  const message = clean(service, `${formatAgentName(service)} ${what}`);
  return new ModelCallError({ type, retryable, status, message });
}

interface Meaning {
  readonly type: FailureType;
  readonly retryable: boolean;
  readonly advice: string;
}

function classifyStatus(status: number, body: string): Meaning {
  if (status === 429) return { type: FailureType.RateLimited, retryable: true, advice: '' };
  if (status >= 500 || status === 408 || status === 425) {
    return { type: FailureType.ModelUnavailable, retryable: true, advice: '' };
  }
  if (status === 401 || status === 403) {
    return { type: FailureType.NotAuthorised, retryable: false, advice: '; set TAUFLOW_AGENT_KEY on the worker' };
  }
  if ((status === 404 || status === 409) && hasForgotten(body)) {
    return { type: FailureType.AgentForgot, retryable: false, advice: '' };
  }
  const advice = status === 404 || status === 405 ? '; check --agent-url' : '';
  return { type: FailureType.RequestRefused, retryable: false, advice };
}

/** Returns the agent's message on an error of its own code; null for another failure. */
function wordsOnOwnFailure(body: string): string | null {
  const { error, message } = jsonObject(body) ?? {};
  if (error !== AGENT_FAILED) return null;
  return typeof message === 'string' ? message : '';
}

/** True if the agent does not know the episode; frameworks put the error below `detail`. */
function hasForgotten(body: string): boolean {
  const { error, detail } = jsonObject(body) ?? {};
  return [error, detail, isObject(detail) ? detail['error'] : undefined].includes('unknown_episode');
}

/** Returns the agent's label, or its URL without user, password and query. */
export function formatAgentName({ url, label }: AgentService): string {
  if (label !== undefined) return label;
  const { origin, pathname } = new URL(url);
  return `the agent at ${origin}${pathname}`;
}

function clean({ key = null }: AgentService, message: string): string {
  return createRedactor([key])(message);
}
