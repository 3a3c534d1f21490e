/** An episode's conversation as a component has it: not yet, there, or not to be had. */

import { useEffect, useState } from 'preact/hooks';
import type { PayloadEpisode } from '../results/page/index.ts';
import { conversationOf, type Unpacked } from './data.ts';

export type Loading<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

export function useConversation(episode: PayloadEpisode): Loading<Unpacked> {
  const [state, setState] = useState<{ readonly of: PayloadEpisode; readonly loading: Loading<Unpacked> } | null>(null);
  useEffect(() => {
    let isWanted = true;
    const show = (loading: Loading<Unpacked>) => {
      if (isWanted) setState({ of: episode, loading });
    };
    conversationOf(episode).then(
      (value) => show({ kind: 'ready', value }),
      (error: unknown) => show({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [episode]);
  // What is there may still be the conversation of the episode that was shown before.
  return state?.of === episode ? state.loading : { kind: 'loading' };
}
