/** Requests to the view's server. */

import type { ApiProblem } from '../data/api.ts';
import { useLoaded, type Loaded } from './source.ts';

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

/** @param path null: nothing is asked for */
export function useAnswer<T>(path: string | null, everyMs: number | null = null): Loaded<T> {
  return useLoaded(path, (signal) => getJson<T>(path ?? '', signal), everyMs);
}
