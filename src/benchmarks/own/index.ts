/**
 * A benchmark's folder as an environment service of this process. Its code runs in a thread, like agents in files: a
 * model's arguments may lead a tool into an endless loop, which must not stop the worker's other episodes. A blocked
 * thread is ended and replaced by another one. Nothing is lost, because every request includes the earlier calls.
 */

import type { Worker } from 'node:worker_threads';
import { UsageError, firstLine } from '../../errors/index.ts';
import { startThread } from '../../io/index.ts';
import { EnvironmentServiceError, type EnvironmentService } from '../service/port.ts';
import { readBenchmarkFolder } from './folder.ts';
import { BenchmarkError } from './load.ts';
import type { ThreadAnswer, ThreadRequest } from './thread.ts';
import { CALL_MS, describeSlow } from './tools.ts';

/** Time limit for compiling and loading, in milliseconds. */
const LOAD_MS = 30_000;
const WATCH_MS = 1_000;

/** Services by path and digest of the folder's files. */
const services = new Map<string, Promise<EnvironmentService>>();

/**
 * Opens a folder in its current state; an open service keeps the files with which it was opened.
 * @param path absolute
 * @throws UsageError with one sentence for a folder that cannot be used
 */
export async function openFolder(path: string): Promise<EnvironmentService> {
  const key = `${path}\n${(await readBenchmarkFolder(path)).digest}`;
  const service = services.get(key) ?? openThread(path);
  services.set(key, service);
  service.catch(() => services.delete(key));
  return await service;
}

type Method = Exclude<keyof EnvironmentService, 'description'>;

/** A request that has no answer yet. */
interface PendingRequest {
  readonly id: number;
  readonly method: Method;
  readonly request: unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  /** Number of threads that ended during the request. */
  losses: number;
}

const MOST_LOSSES = 3;

async function openThread(path: string): Promise<EnvironmentService> {
  const first = await loadThread(path);
  const { description } = first;
  const folder = new FolderThread(path, first);
  return {
    description,
    tasks: (request) => folder.ask('tasks', request),
    start: (request) => folder.ask('start', request),
    call: (request) => folder.ask('call', request),
    grade: (request) => folder.ask('grade', request),
  };
}

/** Sends requests to a folder's thread, and replaces the thread when it has ended or is blocked. */
class FolderThread {
  readonly #path: string;
  readonly #digest: string;
  readonly #pending = new Map<number, PendingRequest>();
  #thread: Worker | null = null;
  #asked = 0;
  /** The request whose code ran last, and the name of that code. */
  #running: { readonly id: number; readonly what: string } | null = null;
  #heardAt = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(path: string, loaded: LoadedThread) {
    this.#path = path;
    this.#digest = loaded.digest;
    this.#use(loaded.thread);
  }

  ask<T>(method: Method, request: unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#pending.size === 0) this.#heardAt = Date.now();
      const pending = { id: (this.#asked += 1), method, request, resolve, reject, losses: 0 };
      this.#pending.set(pending.id, pending);
      this.#send(pending);
      // Threads do not keep a process alive, but a request that waits for one has to.
      this.#watch ??= setInterval(() => this.#look(), WATCH_MS);
      this.#watch.ref();
    });
  }

  #send({ id, method, request }: PendingRequest): void {
    // Without a thread, the next one gets all pending requests.
    this.#thread?.postMessage({ kind: 'ask', id, method, request } satisfies ThreadRequest);
    if (this.#thread === null) void this.#replace();
  }

  #use(thread: Worker): void {
    this.#thread = thread;
    this.#heardAt = Date.now();
    thread.on('message', (message: ThreadAnswer) => {
      this.#heardAt = Date.now();
      this.#hear(message);
    });
    let reason = 'it ends the thread that it runs in';
    thread.once('error', (error) => (reason = firstLine(error)));
    thread.once('exit', () => this.#lose(reason));
  }

  #hear(message: ThreadAnswer): void {
    if (message.kind === 'running') this.#running = message;
    if (message.kind !== 'answer' && message.kind !== 'fault') return;
    const pending = this.#pending.get(message.id);
    this.#forget(message.id);
    if (message.kind === 'answer') pending?.resolve(message.answer as never);
    else pending?.reject(new EnvironmentServiceError(message.fault, message.message));
  }

  #forget(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#watch?.unref();
  }

  /** Ends the thread if it is blocked. */
  #look(): void {
    if (this.#pending.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      return;
    }
    if (this.#thread === null) return;
    this.#thread.postMessage({ kind: 'ping' } satisfies ThreadRequest);
    // After a machine's sleep, the time starts again.
    if (Date.now() - this.#heardAt < CALL_MS + WATCH_MS) return;
    const { id, what } = this.#running ?? { id: 0, what: '' };
    this.#refuse(this.#pending.get(id), describeSlow(what));
    void this.#thread.terminate();
  }

  /** Handles the end of a thread: refuses the request that it was working on, and sends all others to a new thread. */
  #lose(reason: string): void {
    this.#thread = null;
    this.#refuse(this.#pending.get(this.#running?.id ?? 0), `the ${this.#running?.what} failed: ${reason}.`);
    this.#running = null;
    for (const pending of this.#pending.values()) {
      pending.losses += 1;
      if (pending.losses >= MOST_LOSSES) this.#refuse(pending, `the benchmark in ${this.#path} failed: ${reason}.`);
    }
    if (this.#pending.size > 0) void this.#replace();
  }

  #replacing: Promise<void> | null = null;

  #replace(): Promise<void> {
    this.#replacing ??= loadThread(this.#path)
      .then(({ thread, digest }) => {
        if (digest !== this.#digest) {
          void thread.terminate();
          throw new UsageError(`the files of ${this.#path} have changed; put them back, or start another run.`);
        }
        this.#use(thread);
        for (const pending of this.#pending.values()) this.#send(pending);
      })
      .catch((error: unknown) => {
        for (const pending of this.#pending.values()) this.#refuse(pending, firstLine(error));
      })
      .finally(() => (this.#replacing = null));
    return this.#replacing;
  }

  #refuse(pending: PendingRequest | undefined, message: string): void {
    if (pending === undefined) return;
    this.#forget(pending.id);
    pending.reject(new EnvironmentServiceError('refused', message));
  }
}

interface LoadedThread {
  readonly thread: Worker;
  readonly description: EnvironmentService['description'];
  readonly digest: string;
}

/** @throws UsageError with one sentence */
async function loadThread(path: string): Promise<LoadedThread> {
  const thread = startThread(new URL('./thread.ts', import.meta.url).href, 'benchmark-thread', path);
  let timer: NodeJS.Timeout | undefined;
  const problem = (what: string) => new UsageError(`the benchmark in ${path} cannot be loaded: ${what}.`);
  try {
    const said = await new Promise<ThreadAnswer>((resolve, reject) => {
      timer = setTimeout(() => reject(problem(`it takes more than ${LOAD_MS / 1_000} s`)), LOAD_MS);
      thread.once('message', resolve);
      thread.once('error', (error) => reject(problem(firstLine(error))));
      thread.once('exit', () => reject(problem('it ends this program, or awaits what never comes')));
    });
    if (said.kind === 'loaded') return { thread, description: said.description, digest: said.digest };
    throw said.kind === 'problem' ? new BenchmarkError(said.problems) : problem('it said nothing of itself');
  } catch (error) {
    void thread.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    thread.removeAllListeners('exit');
    thread.removeAllListeners('error');
  }
}
