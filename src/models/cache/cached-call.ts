/**
 * Returns stored replies for model calls whose settings turn the cache on.
 *
 * A cached reply is marked as such. It has the tokens of the original call, and the latency of the lookup. Equal
 * simultaneous calls of one process become one call. Equal calls of two processes are both made, and the reply that is
 * stored later replaces the other.
 */

import { isTruncated } from '../../agents/index.ts';
import { findExcess, type ReplyLimits } from '../../evaluation/index.ts';

import type { ForwardCall, ForwardReply } from '../forward.ts';
import type { CacheScope, CallModel, CallOptions, ModelRequest } from '../types.ts';
import { providerModel } from '../providers.ts';
import type { ModelReply } from '../reply.ts';
import { completionKey, forwardKey } from './key.ts';
import type { CompletionPlace, CompletionStore } from './store.ts';

/** Address of a provider in this process, as `toEndpoint` names it. */
type FindEndpoint = (provider: string) => string | null;

/**
 * Adds the cache to a function that calls models.
 *
 * @param callModel makes calls that are not cached
 * @param store has only whole, successful replies; a call that failed or was truncated is made again
 */
export function cachedCallModel(
  callModel: CallModel,
  store: CompletionStore<ModelReply>,
  findEndpoint: FindEndpoint,
): CallModel {
  return cachedCalls(callModel, store, (request) => findCachePlace(request, completionKey, findEndpoint), isWhole);
}

/** Adds the cache to calls that agents have written themselves. Its parameters are those of {@link cachedCallModel}. */
export function cachedForwardCall(
  forwardCall: ForwardCall,
  store: CompletionStore<ForwardReply>,
  findEndpoint: FindEndpoint,
): ForwardCall {
  return cachedCalls(forwardCall, store, (request) => findCachePlace(request, forwardKey, findEndpoint), isWholeAnswer);
}

function cachedCalls<Request, Reply extends { readonly latencyMs: number }>(
  callModel: (request: Request, options: CallOptions) => Promise<Reply>,
  store: CompletionStore<Reply>,
  findPlace: (request: Request) => CompletionPlace | null,
  isWhole: (reply: Reply) => boolean,
): (request: Request, options: CallOptions) => Promise<Reply> {
  const underWay = new Map<string, Promise<Reply>>();

  const lead = async (place: CompletionPlace, request: Request, options: CallOptions): Promise<Reply> => {
    const startedAt = performance.now();
    const known = await store.find(place);
    if (known !== null) return markCached(known, startedAt);
    const reply = await callModel(request, options);
    if (isWhole(reply)) await store.keep(place, reply);
    return reply;
  };

  return async (request, options) => {
    const place = findPlace(request);
    if (place === null) return callModel(request, options);
    const startedAt = performance.now();
    for (;;) {
      const earlier = underWay.get(place.key);
      if (earlier === undefined) break;
      // The end of another call, by failure or cancellation, does not end this call.
      const reply = await untilAborted(earlier, options.signal).catch(() => null);
      options.signal?.throwIfAborted();
      if (reply !== null && isWhole(reply)) return markCached(reply, startedAt);
    }
    const timeoutMs = options.timeoutMs - (performance.now() - startedAt);
    const leading = lead(place, request, { ...options, timeoutMs }).finally(() => underWay.delete(place.key));
    underWay.set(place.key, leading);
    return await leading;
  };
}

function findCachePlace<Request extends Pick<ModelRequest, 'cache' | 'provider' | 'model'>>(
  request: Request,
  toCacheKey: (request: Request, scope: CacheScope, endpoint: string | null) => string,
  findEndpoint: FindEndpoint,
): CompletionPlace | null {
  const { cache: scope, provider, model } = request;
  if (scope === undefined) return null;
  return {
    shelf: { configuration: scope.configuration, provider, model: providerModel(provider, model) },
    key: toCacheKey(request, scope, findEndpoint(provider)),
  };
}

function markCached<Reply extends { readonly latencyMs: number }>(reply: Reply, startedAt: number): Reply {
  return { ...reply, latencyMs: Math.round(performance.now() - startedAt), cached: true };
}

/** Finish reasons of truncated replies, besides a reached token limit. */
const CUT_SHORT: ReadonlySet<string> = new Set(['content_filter', 'error']);

/** Largest reply that is stored; a longer one is useless to any run. */
const KEPT: ReplyLimits = { contentChars: 1_000_000, toolArgumentChars: 1_000_000 };

function isWhole({ message, finishReason }: ModelReply): boolean {
  const saysNothing = (message.content ?? '') === '' && message.tool_calls === undefined;
  return (
    !saysNothing &&
    !isTruncated(finishReason) &&
    !CUT_SHORT.has(finishReason) &&
    findExcess(message, KEPT) === undefined
  );
}

function isWholeAnswer({ status, body, finishReason }: ForwardReply): boolean {
  const isCut = isTruncated(finishReason) || CUT_SHORT.has(finishReason);
  return status < 300 && !isCut && body.length <= KEPT.contentChars;
}

/** Settles with the promise, or rejects as soon as the signal aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
