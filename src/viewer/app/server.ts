/** Requests to the view's server as states of components, and the source of conversations. */

import type { EpisodeKey } from '../../evaluation/index.ts';
import type { ApiProblem, SearchLine, ViewedEpisode } from '../data/api.ts';
import type { PayloadEpisode } from '../data/payload.ts';
import { formatEpisodeKey, type RunKey } from './address.ts';
import { useLoaded, type LoadState, type Source, type UnpackedConversation } from './source.ts';

/** Returns a path of the server: `api/runs/a%2Fb/episodes/3/0`. */
export function apiPath(...parts: readonly (string | number)[]): string {
  return ['api', ...parts.map((part) => encodeURIComponent(part))].join('/');
}

export function episodePath(run: RunKey, episode: EpisodeKey, ...part: string[]) {
  return apiPath('runs', run, 'episodes', ...episodeSegments(episode), ...part);
}

/** Returns the path's parts for an episode: its task, and its trial with its condition. */
export function episodeSegments({ taskId, trial, condition }: EpisodeKey): [number, number | string] {
  return [taskId, condition === undefined ? trial : `${trial},${condition}`];
}

/** @throws Error with the server's sentence */
export async function askServer(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new Error('The server does not answer. Is `tauflow view` still running?', { cause: error });
  }
  if (response.ok) return response;
  throw new Error(await readProblem(response));
}

async function readProblem(response: Response): Promise<string> {
  try {
    const { problem } = (await response.json()) as ApiProblem;
    return problem;
  } catch {
    return `The server answered ${response.status} ${response.statusText}.`;
  }
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await askServer(path, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

/** @param path null: no request */
export function useAnswer<T>(path: string | null, everyMs: number | null = null): LoadState<T> {
  return useLoaded(path, (signal) => getJson<T>(path ?? '', signal), everyMs);
}

export function serverSource(): Source {
  const kept = new KeptConversations();
  return {
    conversation: (run, episode) => kept.get(run, episode),
    search: async (run, words, onLook, signal) => {
      const path = `${apiPath('runs', run, 'search')}?q=${encodeURIComponent(words.join(' '))}`;
      const { body } = await askServer(path, { signal });
      if (body === null) return;
      for await (const line of readLines(body)) onLook(JSON.parse(line) as SearchLine);
    },
  };
}

/** Most conversations in memory, because readers return to neighbors. */
const MOST_KEPT = 12;

class KeptConversations {
  readonly #kept = new Map<
    string,
    { readonly of: PayloadEpisode; readonly conversation: Promise<UnpackedConversation> }
  >();

  get(run: RunKey, episode: PayloadEpisode): Promise<UnpackedConversation> {
    const key = JSON.stringify([run, formatEpisodeKey(episode)]);
    const before = this.#kept.get(key);
    this.#kept.delete(key);
    // A rerun is another episode of the same name.
    const conversation = before?.of === episode ? before.conversation : unpackFetched(run, episode);
    this.#kept.set(key, { of: episode, conversation });
    conversation.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return conversation;
  }
}

async function unpackFetched(run: RunKey, episode: PayloadEpisode): Promise<UnpackedConversation> {
  const { conversation, prompts, hasRequests } = await getJson<ViewedEpisode>(episodePath(run, episode));
  return { conversation, prompts: conversation.prompts.flatMap((at) => prompts[at] ?? []), hasRequests };
}

/** Yields the lines without their ends, and an unfinished last line. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
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
