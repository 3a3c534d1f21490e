/**
 * The bodies of an HTTP request for a completion and of its answer, for logging. Recorded below the SDKs, as sent and
 * received, without headers, which contain the key.
 */

import { AsyncLocalStorage } from 'node:async_hooks';

export interface Exchange {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly durationMs: number;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** Bodies, without keys. */
  readonly request: string;
  /** null without an answer. */
  readonly reply: string | null;
}

export type OnExchange = (exchange: Exchange) => void;

/**
 * Keeps the listener of the current call, because SDKs pass nothing through to their `fetch`, and one client makes many
 * calls at once.
 */
const watched = new AsyncLocalStorage<OnExchange>();

/** Runs a call; each of its HTTP requests is reported. */
export function watchExchanges<T>(onExchange: OnExchange | undefined, call: () => Promise<T>): Promise<T> {
  return onExchange === undefined ? call() : watched.run(onExchange, call);
}

/** Reports the HTTP request that is about to be sent; undefined if nothing records it. */
export function startExchange(request: unknown): ((status: number | null, reply: string | null) => void) | undefined {
  const onExchange = watched.getStore();
  if (onExchange === undefined) return undefined;
  const at = new Date().toISOString();
  const startedAt = performance.now();
  return (status, reply) => {
    const durationMs = Math.round(performance.now() - startedAt);
    onExchange({ at, durationMs, status, request: typeof request === 'string' ? request : '', reply });
  };
}
