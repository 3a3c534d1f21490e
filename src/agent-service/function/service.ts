/**
 * Agents as functions in this process. Each file has a thread, which serves the turn protocol on loopback, so an
 * endless loop, an exit or an uncaught error only ends the requests in progress.
 */

import type { Worker } from 'node:worker_threads';
import { UsageError, firstLine } from '../../errors/index.ts';
import { startThread } from '../../io/index.ts';
import type { AgentService } from '../turn-protocol/http.ts';

export interface FunctionService extends AgentService {
  /** The file's name and the first characters of its code's sha256. */
  readonly name: string;
  readonly version: string;
  /** Ends the thread after a timed-out request if it no longer responds; the next request starts another. */
  readonly endIfStuck: () => Promise<void>;
}

/** First message of the thread. */
export type LoadedFunction =
  { readonly url: string; readonly name: string; readonly version: string } | { readonly problem: string };

const LOAD_MS = 30_000;
const STUCK_MS = 5_000;

/** Threads by file, name and version, because a run keeps the code that it was started with. */
const services = new Map<string, Promise<FunctionService>>();

/**
 * @param path absolute
 * @param expected name and version that the run recorded
 * @param warn called with a sentence when the agent's thread ends by itself
 * @throws UsageError with one sentence
 */
export function functionService(
  path: string,
  expected: string | null,
  warn: (message: string) => void,
): Promise<FunctionService> {
  const toServiceKey = (agent: string | null) => `${path}\n${agent ?? ''}`;
  const known = services.get(toServiceKey(expected));
  if (known !== undefined) return known;
  const thread = startThread(new URL('./thread.ts', import.meta.url).href, 'function-thread', path);
  const forget = () => {
    for (const [key, each] of services) if (each === service) services.delete(key);
  };
  const service = awaitLoaded(thread, path).then((found) => {
    const agent = `${found.name} ${found.version}`;
    if (expected !== null && agent !== expected) {
      throw new UsageError(
        `the agent in ${path} is ${agent} now, and the run was started with ${expected}; put that file back, or start another run.`,
      );
    }
    if (!services.has(toServiceKey(agent))) services.set(toServiceKey(agent), service);
    thread.on('error', (error) => warn(`the agent in ${path} has ended: ${firstLine(error)}`));
    return found;
  });
  for (const end of ['error', 'exit']) thread.once(end, forget);
  if (expected !== null) services.set(toServiceKey(expected), service);
  service.catch(() => {
    forget();
    void thread.terminate();
  });
  return service;
}

async function awaitLoaded(thread: Worker, path: string): Promise<FunctionService> {
  let timer: NodeJS.Timeout | undefined;
  const problem = (what: string) => new UsageError(`the agent in ${path} cannot be loaded: ${what}.`);
  const said = await new Promise<LoadedFunction>((resolve, reject) => {
    timer = setTimeout(() => reject(problem(`it takes more than ${LOAD_MS / 1_000} s`)), LOAD_MS);
    thread.once('message', resolve);
    thread.once('error', (error) => reject(problem(firstLine(error))));
    thread.once('exit', () => reject(problem('it ends this program')));
  }).finally(() => clearTimeout(timer));
  if ('problem' in said) throw new UsageError(said.problem);
  const endIfStuck = async () => {
    await fetch(said.url, { signal: AbortSignal.timeout(STUCK_MS) }).catch(() => thread.terminate());
  };
  return { ...said, label: `the agent in ${path}`, endIfStuck };
}
