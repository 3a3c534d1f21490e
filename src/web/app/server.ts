/** Requests to the view's server, and answers as the state of a component. */

import { useEffect, useState } from 'preact/hooks';
import type { ApiProblem } from '../data/api.ts';
import type { Loading } from './source.ts';
import { messageOf } from './source.ts';

/** `api/runs/a%2Fb/episodes/3/0` */
export function apiPath(...parts: readonly (string | number)[]): string {
  return ['api', ...parts.map((part) => encodeURIComponent(part))].join('/');
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
  throw new Error(await problemOf(response));
}

async function problemOf(response: Response): Promise<string> {
  try {
    const { problem } = (await response.json()) as ApiProblem;
    return problem;
  } catch {
    return `The server answered ${String(response.status)} ${response.statusText}.`;
  }
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await askServer(path, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

export interface Asked<T> {
  /** The newest answer; an answer stays while a newer one fails. */
  readonly loading: Loading<T>;
  /** Of the newest request; null when it was answered. */
  readonly problem: string | null;
  readonly retry: () => void;
}

interface State<T> {
  readonly of: string | null;
  readonly loading: Loading<T>;
  readonly problem: string | null;
}

/**
 * The answer to a request.
 * @param path null: nothing is asked for
 * @param everyMs asks again, while the page is visible; null: once
 */
export function useAnswer<T>(path: string | null, everyMs: number | null = null): Asked<T> {
  const [state, setState] = useState<State<T>>({ of: null, loading: { kind: 'loading' }, problem: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === null) return undefined;
    const stop = new AbortController();
    const ask = async (): Promise<number | null> => {
      try {
        const value = await getJson<T>(path, stop.signal);
        if (!stop.signal.aborted) setState({ of: path, loading: { kind: 'ready', value }, problem: null });
      } catch (error) {
        if (stop.signal.aborted) return null;
        const problem = messageOf(error);
        setState((before) => ({
          of: path,
          loading:
            before.of === path && before.loading.kind === 'ready'
              ? before.loading
              : { kind: 'failed', message: problem },
          problem,
        }));
      }
      return everyMs;
    };
    repeatWhileVisible(ask, stop.signal);
    return () => stop.abort();
  }, [path, everyMs, attempt]);
  const retry = () => setAttempt(attempt + 1);
  // What is there may still be the answer to the request before.
  return state.of === path ? { ...state, retry } : { loading: { kind: 'loading' }, problem: null, retry };
}

/**
 * Does something now, and again after the milliseconds that it answers; null: not again. A hidden page waits until it
 * is seen.
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
