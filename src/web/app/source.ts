/** The port to conversations and the search in them: in the report's own file, or on a server. */

import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PayloadConversation, PayloadEpisode } from '../data/payload.ts';
import { wordsOf } from '../data/words.ts';
import { keyOf, type Filters, type RunKey } from './address.ts';

export interface Source {
  readonly conversation: (run: RunKey, episode: PayloadEpisode) => Promise<Unpacked>;
  /**
   * Looks for episodes whose conversations have all the words.
   * @param onLook gets what another part has
   */
  readonly search: (
    run: RunKey,
    words: readonly string[],
    onLook: (looked: Looked) => void,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** A conversation with its prompts in their place. */
export interface Unpacked {
  readonly conversation: PayloadConversation;
  readonly prompts: readonly string[];
  /** True if its model calls can be asked for. */
  readonly hasRequests: boolean;
}

export interface Looked {
  /** Share that was looked through, in [0, 1]. */
  readonly progress: number;
  /** Those found in this part. */
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

/** The episode's conversation, once it is there. */
export function useConversation(run: RunKey, episode: PayloadEpisode): Loading<Unpacked> {
  const source = useSource();
  const [state, setState] = useState<{ readonly of: PayloadEpisode; readonly loading: Loading<Unpacked> } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const show = (loading: Loading<Unpacked>) => {
      if (isWanted) setState({ of: episode, loading });
    };
    source.conversation(run, episode).then(
      (value) => show({ kind: 'ready', value }),
      (error: unknown) => show({ kind: 'failed', message: messageOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [source, run, episode]);
  // What is there may still be the conversation of the episode that was shown before.
  return state?.of === episode ? state.loading : { kind: 'loading' };
}

export interface Search {
  /** Keys of the episodes found so far; null when nothing is looked for in conversations. */
  readonly found: ReadonlySet<string> | null;
  /** Share of the conversations that were looked through, in [0, 1]. */
  readonly progress: number;
  readonly problem: string | null;
}

const IDLE: Search = { found: null, progress: 1, problem: null };

/** Typing is not yet asking. */
const PAUSE_MS = 250;

/** Episodes whose conversations have the words, part after part. @param run null: none is shown */
export function useSearch(run: RunKey | null, { query, inConversations }: Filters): Search {
  const source = useSource();
  const [search, setSearch] = useState(IDLE);
  useEffect(() => {
    const words = wordsOf(query);
    if (run === null || !inConversations || words.length === 0) {
      setSearch(IDLE);
      return undefined;
    }
    const stop = new AbortController();
    const found = new Set<string>();
    const onLook = (looked: Looked) => {
      if (stop.signal.aborted) return;
      for (const key of looked.found) found.add(keyOf(key));
      setSearch({ found: new Set(found), progress: looked.progress, problem: null });
    };
    setSearch({ found: new Set(), progress: 0, problem: null });
    const timer = setTimeout(() => {
      source.search(run, words, onLook, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) setSearch({ found: new Set(found), progress: 1, problem: messageOf(error) });
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [source, run, query, inConversations]);
  return search;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
