/** Conversations of the view's server. */

import type { PayloadEpisode } from '../data/payload.ts';
import type { SearchLine, ViewedEpisode } from '../data/api.ts';
import { keyOf, type RunKey } from './address.ts';
import type { Source, Unpacked } from './source.ts';
import { apiPath, askServer, getJson } from './server.ts';

export function serverSource(): Source {
  const kept = new KeptConversations();
  return {
    conversation: (run, episode) => kept.get(run, episode),
    search: async (run, words, onLook, signal) => {
      const path = `${apiPath('runs', run, 'search')}?q=${encodeURIComponent(words.join(' '))}`;
      const { body } = await askServer(path, { signal });
      if (body === null) return;
      for await (const line of linesOf(body)) onLook(JSON.parse(line) as SearchLine);
    },
  };
}

/** A reader goes to and fro among neighbours. */
const MOST_KEPT = 12;

class KeptConversations {
  readonly #kept = new Map<string, { readonly of: PayloadEpisode; readonly conversation: Promise<Unpacked> }>();

  get(run: RunKey, episode: PayloadEpisode): Promise<Unpacked> {
    const key = JSON.stringify([run, keyOf(episode)]);
    const before = this.#kept.get(key);
    this.#kept.delete(key);
    // An episode that ran again is another one of the same name.
    const conversation = before?.of === episode ? before.conversation : fetched(run, episode);
    this.#kept.set(key, { of: episode, conversation });
    conversation.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return conversation;
  }
}

async function fetched(run: RunKey, { taskId, trial }: PayloadEpisode): Promise<Unpacked> {
  const { conversation, prompts, hasRequests } = await getJson<ViewedEpisode>(
    apiPath('runs', run, 'episodes', taskId, trial),
  );
  return { conversation, prompts: conversation.prompts.flatMap((at) => prompts[at] ?? []), hasRequests };
}

/** Lines as they come, without their ends; a last one without an end too. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = `${rest}${decoder.decode(value, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter(Boolean);
  }
  if (rest !== '') yield rest;
}
