/**
 * Remembers the last failed attempt of each request. An agent that answered with an error still has its conversation.
 */

import { LRUCache } from 'lru-cache';
import type { ModelCallError } from '../../../models/index.ts';
import type { AgentService } from '../http.ts';
import type { TurnRequest } from '../protocol.schema.ts';

interface FailedAttempt {
  readonly attempt: number;
  readonly message: string;
  /** True if the agent itself answered, not a proxy. */
  readonly isAnswered: boolean;
}

/** The last failed attempt of each request in this process. */
const failed = new LRUCache<string, FailedAttempt>({ max: 10_000 });

/** Statuses of a proxy, or of a timeout, which do not prove that the agent is there. */
const OF_OTHERS: ReadonlySet<number> = new Set([408, 502, 503, 504]);

export function rememberFailure(service: AgentService, request: TurnRequest, { failure }: ModelCallError): void {
  const { status, message } = failure;
  const isAnswered = status !== undefined && !OF_OTHERS.has(status);
  failed.set(toAttemptKey(service, request), { attempt: request.attempt, message, isAnswered });
}

/** Returns the failure of the request's previous attempt; undefined if this process does not know it. */
export function attemptBefore(service: AgentService, request: TurnRequest): FailedAttempt | undefined {
  const last = failed.get(toAttemptKey(service, request));
  return last !== undefined && last.attempt >= request.attempt - 1 ? last : undefined;
}

function toAttemptKey({ url }: AgentService, { idempotency_key }: TurnRequest): string {
  return `${url} ${idempotency_key}`;
}
