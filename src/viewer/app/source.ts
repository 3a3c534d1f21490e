/** The port to conversations and their search, in the report's file or on a server. */

import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PayloadConversation, PayloadEpisode } from '../data/payload.ts';
import { splitQuery } from '../data/words.ts';
import { formatEpisodeKey, type Filters, type RunKey } from './address.ts';
import { useRunRoutes } from './navigation.tsx';

export interface Source {
  readonly conversation: (run: RunKey, episode: PayloadEpisode) => Promise<UnpackedConversation>;
  /** Searches episodes whose conversations contain all the words. @param onLook called with each part's result */
  readonly search: (
    run: RunKey,
    words: readonly string[],
    onLook: (looked: SearchPart) => void,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** A conversation with its prompts. */
export interface UnpackedConversation {
  readonly conversation: PayloadConversation;
  readonly prompts: readonly string[];
  /** True if the server has the episode's model calls. */
  readonly hasRequests: boolean;
}

interface SearchPart {
  /** Share of the conversations searched so far, in [0, 1]. */
  readonly progress: number;
  /** Episodes found in this part. */
  readonly found: readonly Pick<PayloadEpisode, 'taskId' | 'trial'>[];
}

export const SourceContext = createContext<Source | null>(null);

function useSource(): Source {
  const source = useContext(SourceContext);
  if (source === null) throw new Error('no SourceContext.Provider is around');
  return source;
}

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

export interface LoadState<T> {
  /** Newest value, kept while a newer one fails. */
  readonly loading: Loading<T>;
  /** Reason why the newest value is missing; null if it is not missing. */
  readonly problem: string | null;
  readonly retry: () => void;
}

/**
 * Loads a value for a component.
 * @param of key of the value; null: nothing is loaded
 * @param load called again when `of` changes
 * @param everyMs interval of reloading while the page is visible; null: once
 */
export function useLoaded<T>(
  of: string | object | null,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number | null = null,
): LoadState<T> {
  const [state, setState] = useState<{ readonly of: unknown } & Omit<LoadState<T>, 'retry'>>({ of: null, ...LOADING });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (of === null) return undefined;
    const stop = new AbortController();
    const act = async (): Promise<number | null> => {
      try {
        const value = await load(stop.signal);
        if (!stop.signal.aborted) setState({ of, loading: { kind: 'ready', value }, problem: null });
      } catch (error) {
        const problem = toErrorMessage(error);
        if (!stop.signal.aborted)
          setState((before) => ({ of, ...toFailedState(before.of === of ? before.loading : null, problem) }));
      }
      return everyMs;
    };
    repeatWhileVisible(act, stop.signal);
    return () => stop.abort();
  }, [of, everyMs, attempt]);
  // The state may still be of an earlier key.
  return { ...(state.of === of ? state : LOADING), retry: () => setAttempt(attempt + 1) };
}

export const LOADING = { loading: { kind: 'loading' }, problem: null } as const;

/** Returns the state after a failure, with the earlier value. */
export function toFailedState<T>(before: Loading<T> | null, problem: string): Omit<LoadState<T>, 'retry'> {
  return { loading: before?.kind === 'ready' ? before : { kind: 'failed', message: problem }, problem };
}

/**
 * Calls `act` now, and again after the returned milliseconds; null: not again. A hidden page waits until it is visible.
 */
export function repeatWhileVisible(act: () => Promise<number | null>, signal: AbortSignal): void {
  const again = async () => {
    const pauseMs = await act();
    if (pauseMs !== null && !signal.aborted) setTimeout(whenVisible, pauseMs);
  };
  const whenVisible = () => {
    if (signal.aborted) return;
    if (document.hidden) document.addEventListener('visibilitychange', whenVisible, { once: true, signal });
    else void again();
  };
  void again();
}

export function useConversation(episode: PayloadEpisode): Loading<UnpackedConversation> {
  const source = useSource();
  const { key } = useRunRoutes();
  return useLoaded(episode, () => source.conversation(key, episode)).loading;
}

export interface Search {
  /** Keys of the found episodes; null without a search in conversations. */
  readonly found: ReadonlySet<string> | null;
  /** Searched share of the conversations, in [0, 1]. */
  readonly progress: number;
  readonly problem: string | null;
}

const IDLE: Search = { found: null, progress: 1, problem: null };

/** Pause after typing before a search begins, in milliseconds. */
const PAUSE_MS = 250;

/** Searches episodes whose conversations contain the words, part by part. */
export function useSearch({ query, inConversations }: Filters): Search {
  const source = useSource();
  const { key: run } = useRunRoutes();
  const [search, setSearch] = useState(IDLE);
  useEffect(() => {
    const words = splitQuery(query);
    if (!inConversations || words.length === 0) {
      setSearch(IDLE);
      return undefined;
    }
    const stop = new AbortController();
    const found = new Set<string>();
    const onLook = (looked: SearchPart) => {
      if (stop.signal.aborted) return;
      for (const key of looked.found) found.add(formatEpisodeKey(key));
      setSearch({ found: new Set(found), progress: looked.progress, problem: null });
    };
    setSearch({ found: new Set(), progress: 0, problem: null });
    const timer = setTimeout(() => {
      source.search(run, words, onLook, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) setSearch({ found: new Set(found), progress: 1, problem: toErrorMessage(error) });
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [source, run, query, inConversations]);
  return search;
}

export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
