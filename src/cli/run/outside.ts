/**
 * `--decisions stdio`: an outside harness steps the environment and answers for the user. Each action goes out as a
 * JSON line on stdout, its observation comes in as a JSON line on stdin. An action waits in its episode, so a command
 * that resumes the run prints it again, with the same id.
 */

import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import * as z from 'zod';
import { observe } from '../../../workflows/client.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import {
  endOfEpisode,
  fetchOpenAction,
  fetchProgress,
  openEpisodeNames,
  requestUpdate,
  workflowStatus,
} from '../../temporal/client/index.ts';
import { MAX_OBSERVATION_CHARS, fromActionWire, type OpenAction } from '../../episode/index.ts';
import { parseEpisodeName, sweepWorkflowId, workflowIdOfEpisode } from '../../evaluation/index.ts';
import { type CliContext, isConnectionLost } from '../context.ts';
import { escapeControls } from '../terminal/style.ts';
import { parsedJson } from '../../io/index.ts';

/** First interval of queries for an episode's next action, in ms; later intervals are longer. */
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 500;
/** Interval of queries for the run's open episodes, in ms. */
const EPISODES_MS = 300;

interface ObservationLine {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly observation: string;
  readonly done: boolean;
}

const lineSchema = z.object(
  {
    id: z.string({ error: 'needs the id of an action, such as "task-1.trial-0/3"' }),
    observation: z
      .string({ error: 'needs an observation, a text' })
      .max(MAX_OBSERVATION_CHARS, `has an observation of more than ${MAX_OBSERVATION_CHARS} characters`),
    done: z.boolean({ error: 'has a done that is not true or false' }).default(false),
  },
  { error: 'is not a JSON object such as {"id": "task-1.trial-0/3", "observation": "…"}' },
);

type ParsedLine =
  | (Omit<ObservationLine, 'line'> & { readonly name: string; readonly number: number; readonly problem?: never })
  | { readonly problem: string };

/**
 * Parses a line. @returns the observation with its episode and action, or a problem, a phrase for the end of a sentence
 */
export function parseObservationLine(text: string): ParsedLine {
  const parsed = lineSchema.safeParse(parsedJson(text));
  if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? 'cannot be used' };
  const { id, ...given } = parsed.data;
  const [, name = '', digits = ''] = /^(.*)\/(0|[1-9]\d{0,8})$/.exec(id) ?? [];
  if (parseEpisodeName(name) === null) return { problem: `has the id "${id}"; one is written task-1.trial-0/3` };
  return { ...given, name, number: Number(digits) };
}

/** Formats an action as an output line. Numbers keep their spelling. */
export function formatOpenAction(name: string, { number, action }: OpenAction): string {
  const { taskId, trial } = parseEpisodeName(name) ?? { taskId: 0, trial: 0 };
  const what = action === null ? { reset: true } : { action: fromActionWire(action) };
  return dumpJson({ task_id: taskId, trial, id: `${name}/${number}`, ...what });
}

/** Exchanges actions and observations with an outside harness until it is stopped. */
export class OutsideSteps {
  readonly #client: Client;
  readonly #runId: string;
  readonly #context: CliContext;
  /** Observations by the id of their action, until they are delivered. */
  readonly #given = new Map<string, ObservationLine>();
  /** Lowest number of an action that still may get an observation, by episode. */
  readonly #next = new Map<string, number>();
  readonly #followed = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #work: Promise<void>;
  readonly #reader;
  #isClosed = false;
  #leave: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  /** Callbacks that wait for a line. */
  #wakers: (() => void)[] = [];

  /** Settles when standard input has ended and an action waits for an observation; rejects when the server is lost. */
  readonly left: Promise<void>;

  constructor(client: Client, runId: string, context: CliContext) {
    this.#client = client;
    this.#runId = runId;
    this.#context = context;
    this.left = new Promise((resolve, reject) => {
      this.#leave = resolve;
      this.#fail = reject;
    });
    this.#reader = createInterface({ input: context.stdin });
    let lines = 0;
    this.#reader.on('line', (text) => {
      lines += 1;
      if (text.trim() !== '') this.#take(text, lines);
      this.#wake();
    });
    this.#reader.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
    this.#work = this.#findEpisodes();
  }

  /** @param hasEnded true if all episodes of the run have ended, so that their last lines are printed */
  async finish(hasEnded: boolean): Promise<void> {
    if (!hasEnded) this.#stop.abort();
    await Promise.all(this.#followed.values());
    this.#stop.abort();
    await this.#work;
    this.#reader.close();
    for (const [id, { line }] of this.#given) {
      this.#context.log(`line ${line} of standard input was not used: no action ${id} came up`);
    }
  }

  #take(text: string, line: number): void {
    const refuse = (reason: string) =>
      this.#context.log(`error: line ${line} of standard input ${escapeControls(reason)}; it was not taken`);
    const parsed = parseObservationLine(text);
    if (parsed.problem !== undefined) return refuse(parsed.problem);
    const { name, number, observation, done } = parsed;
    const id = `${name}/${number}`;
    const isAnswered = number < (this.#next.get(name) ?? 0);
    if (isAnswered || this.#given.has(id)) return refuse(`is for ${id}, which has its observation already`);
    this.#given.set(id, { line, observation, done });
  }

  #wake(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }

  /** Waits for `ms` milliseconds, or until a line arrives or it is time to stop. */
  async #pause(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => this.#wakers.push(resolve));
    const cut = new AbortController();
    const stop = () => cut.abort();
    this.#stop.signal.addEventListener('abort', stop, { once: true });
    await Promise.race([woken, delay(ms, undefined, { signal: cut.signal }).catch(() => undefined)]);
    this.#stop.signal.removeEventListener('abort', stop);
    cut.abort();
  }

  async #findEpisodes(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      for (const name of await this.#openNames()) {
        if (this.#followed.has(name)) continue;
        const following = this.#follow(name)
          .catch((error: unknown) => this.#lost(error))
          .finally(() => this.#followed.delete(name));
        this.#followed.set(name, following);
      }
      await delay(EPISODES_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** Ignores a lost connection, which the follower of the run restores. */
  #lost(error: unknown): void {
    if (!this.#stop.signal.aborted && !isConnectionLost(error)) this.#fail(error);
  }

  /**
   * Returns the names of open episodes. The sweep reports ten of them immediately; the server's index has all of them,
   * after a delay.
   */
  async #openNames(): Promise<readonly string[]> {
    try {
      const [{ open }, indexed] = await Promise.all([
        fetchProgress(this.#client, sweepWorkflowId(this.#runId)),
        openEpisodeNames(this.#client, { runId: this.#runId }),
      ]);
      return [...new Set([...open, ...indexed])];
    } catch (error) {
      this.#lost(error);
      return [];
    }
  }

  /** Prints an episode's actions and delivers their observations, from the current action to the episode's end. */
  async #follow(name: string): Promise<void> {
    const workflowId = workflowIdOfEpisode(this.#runId, name);
    // The index may not know yet that it has ended.
    if ((await workflowStatus(this.#client, workflowId)) !== 'running') return;
    let printed = -1;
    for (let pauseMs = FIRST_LOOK_MS; !this.#stop.signal.aborted; pauseMs = Math.min(LONGEST_LOOK_MS, pauseMs * 1.5)) {
      const open = await fetchOpenAction(this.#client, workflowId);
      if (open !== null) {
        this.#next.set(name, open.number);
        if (open.number !== printed) {
          // A worker took the last observation, although it did not confirm that in time.
          this.#given.delete(`${name}/${printed}`);
          this.#context.out(formatOpenAction(name, open));
          printed = open.number;
          pauseMs = FIRST_LOOK_MS;
        }
        if (await this.#deliver(name, open.number)) pauseMs = FIRST_LOOK_MS;
        else if (this.#isClosed) return this.#leaveFor(`${name}/${open.number}`);
        else await this.#pause(LONGEST_LOOK_MS);
      } else if ((await workflowStatus(this.#client, workflowId)) !== 'running') {
        return this.#printEnd(name, workflowId);
      } else await delay(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** @returns true if the action now has an observation */
  async #deliver(name: string, number: number): Promise<boolean> {
    const id = `${name}/${number}`;
    const given = this.#given.get(id);
    if (given === undefined) return false;
    const { line, observation, done } = given;
    const workflowId = workflowIdOfEpisode(this.#runId, name);
    const sent = await requestUpdate(this.#client, workflowId, observe, [{ number, observation, done }]);
    switch (sent.kind) {
      case 'done':
      case 'over':
        this.#next.set(name, number + 1);
        break;
      case 'refused':
        this.#context.log(
          `error: line ${line} of standard input was not taken for ${id}: ${escapeControls(sent.reason)}`,
        );
        break;
      case 'unanswered':
        // No worker answered. The observation is sent again, and the episode takes it once.
        return true;
    }
    this.#given.delete(id);
    return sent.kind !== 'refused';
  }

  #leaveFor(id: string): void {
    this.#context.log(`standard input has ended, and ${id} waits for its observation`);
    this.#leave();
  }

  async #printEnd(name: string, workflowId: string): Promise<void> {
    const { taskId, trial } = parseEpisodeName(name) ?? { taskId: 0, trial: 0 };
    const end = await endOfEpisode(this.#client, workflowId);
    const how =
      end.kind === 'failed'
        ? { end: 'failed', reason: end.reason }
        : { end: end.summary.outcome, ...(end.summary.error === null ? {} : { reason: end.summary.error }) };
    this.#context.out(dumpJson({ task_id: taskId, trial, ...how }));
  }
}
