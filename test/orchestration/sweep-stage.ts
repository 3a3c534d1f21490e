/** A sweep with plain objects behind its ports: a test ends its episodes and lanes, and lets its time pass. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import { SweepOrder } from '../../src/benchmarks/index.ts';
import type { EpisodeInput } from '../../src/episode/index.ts';
import {
  NO_TOTALS,
  episodeName,
  type EpisodeKey,
  type EpisodeSummary,
  type HeldRelease,
  type SweepControl,
  type SweepInput,
  type SweepPlan,
  type SweepResult,
} from '../../src/evaluation/index.ts';
import {
  SweepMonitor,
  runLanes,
  runWindow,
  type EpisodeFailure,
  type SweepActivities,
  type SweepPorts,
} from '../../src/orchestration/index.ts';

/** A failure of what a sweep has asked for: no bug. */
export class StagedFailure extends Error {
  readonly episode: EpisodeFailure | undefined;

  constructor(message: string, episode?: EpisodeFailure) {
    super(message);
    this.episode = episode;
  }
}

class Cancellation extends StagedFailure {}

interface Settling<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

interface StagedLane {
  readonly input: SweepInput;
  /** Settings that it was sent. */
  readonly sent: SweepControl[];
  readonly end: (result?: Partial<SweepResult>) => void;
  readonly fail: (error: unknown) => void;
}

/** A plan of the first tasks, one trial each. */
export function tasks(count: number): SweepPlan {
  return { taskIds: Array.from({ length: count }, (_, id) => id), numTrials: 1, shuffle: false };
}

export const names = (...ids: number[]): string[] => ids.map((taskId) => episodeName({ taskId, trial: 0 }));

export function summaryOf(episode: EpisodeKey, changes: Partial<EpisodeSummary> = {}): EpisodeSummary {
  return {
    ...{ episode, reward: 1, outcome: 'user_stop', error: null, steps: 3, turns: 1, calls: 4, extraAttempts: 0 },
    ...{ promptTokens: 0, completionTokens: 0, agentCostUsd: 0.5, userCostUsd: 0, durationMs: 1 },
    ...changes,
  };
}

export class SweepStage {
  readonly input: SweepInput;
  readonly monitor: SweepMonitor;
  /** Inputs of episodes in the order of their opening. */
  readonly opened: EpisodeInput[] = [];
  readonly lanes: StagedLane[] = [];
  /** Activities by the summaries that people read, and reports to the sweep of a lane. */
  readonly asked: string[] = [];
  readonly released: (HeldRelease & { readonly episode: EpisodeKey })[] = [];
  mostOpen = 0;
  isHistoryFull = false;
  readonly ports: SweepPorts;
  readonly #open = new Map<string, Settling<EpisodeSummary>>();
  readonly #waits = new Set<Settling<void> & { readonly isMet: () => boolean; readonly isCancelable: boolean }>();
  readonly #uncancelled = new AsyncLocalStorage<boolean>();
  #isCancelled = false;

  constructor(changes: Partial<SweepInput> = {}, activities: Partial<SweepActivities> = {}) {
    this.input = {
      ...{ run: { runId: 'run-1', logDir: '/log' }, plan: tasks(3), config: { seed: 1, strategyOptions: {} } },
      ...{ queues: {}, indexed: false, maxConcurrency: 2, maxCostUsd: null },
      ...changes,
    } as unknown as SweepInput;
    this.monitor = new SweepMonitor(this.input, () => undefined);
    const answering = <T>(answer: unknown) => {
      return (summary: string) => (this.asked.push(summary), Promise.resolve(answer as T));
    };
    this.ports = {
      activities: {
        openRun: answering({ token: '' }),
        findRecorded: answering({ positions: [], totals: NO_TOTALS }),
        sumRecorded: answering({ failed: 0, totals: NO_TOTALS }),
        summarize: answering(null),
        archive: answering({ totals: NO_TOTALS }),
        closeRun: answering({}),
        endStuckEpisodes: answering({ ended: 0, failing: 0 }),
        recordLost: answering(null),
        ...activities,
      },
      workflowId: 'w',
      isCancelled: () => this.#isCancelled,
      isCancellation: (error) => error instanceof Cancellation,
      isFailure: (error) => error instanceof StagedFailure,
      uncancelled: (work) => this.#uncancelled.run(true, work),
      sleep: async (ms) => void (await this.#wait(() => false, ms)),
      until: (isMet, ms) => this.#wait(isMet, ms),
      isHistoryFull: () => this.isHistoryFull,
      startLane: (input) => this.#startLane(input),
      playEpisode: (input) => this.#play(input),
      readEpisodeFailure: (error) => (error instanceof StagedFailure ? error.episode : undefined),
      release: (episode, release) => Promise.resolve(void this.released.push({ episode, ...release })),
      reportHalt: (reason) => Promise.resolve(void this.asked.push(`halt: ${reason}`)),
    };
  }

  runWindow(): Promise<void> {
    return runWindow(this.input, this.monitor, this.ports);
  }

  runLanes(laneSize: number): Promise<void> {
    return runLanes(this.input, this.monitor, this.ports, laneSize);
  }

  /** Names of episodes in the order of their opening. */
  get names(): string[] {
    return this.opened.map(({ episode }) => episodeName(episode));
  }

  get open(): string[] {
    return [...this.#open.keys()];
  }

  /** The plan's order, by name. */
  get order(): string[] {
    const order = new SweepOrder(this.input.plan, this.input.config.seed);
    return Array.from({ length: order.length }, (_, position) => episodeName(order.at(position)));
  }

  /** Lets everything happen that waits for nothing but what has happened. */
  async settle(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const met = [...this.#waits].filter(({ isMet }) => isMet());
      if (met.length === 0) return;
      for (const wait of met) {
        this.#waits.delete(wait);
        wait.resolve();
      }
    }
  }

  /** Needs `vi.useFakeTimers({ toFake: ['Date'] })`. */
  async pass(ms: number): Promise<void> {
    vi.setSystemTime(Date.now() + ms);
    await this.settle();
  }

  /** Ends an open episode. */
  async end(name: string, changes: Partial<EpisodeSummary> = {}): Promise<void> {
    const input = this.opened.findLast(({ episode }) => episodeName(episode) === name);
    if (input === undefined) throw new Error(`${name} was not opened`);
    this.#take(name).resolve(summaryOf(input.episode, changes));
    await this.settle();
  }

  async fail(name: string, error: unknown): Promise<void> {
    this.#take(name).reject(error);
    await this.settle();
  }

  /** Ends all episodes, also those that are opened meanwhile. */
  async endAll(): Promise<void> {
    await this.settle();
    while (this.#open.size > 0) for (const name of this.open) await this.end(name);
  }

  /** Cancels the sweep; what it has open goes on. */
  async cancel(): Promise<void> {
    this.#isCancelled = true;
    for (const wait of this.#waits) {
      if (!wait.isCancelable) continue;
      this.#waits.delete(wait);
      wait.reject(new Cancellation('cancelled'));
    }
    await this.settle();
  }

  #take(name: string): Settling<EpisodeSummary> {
    const open = this.#open.get(name);
    if (open === undefined) throw new Error(`${name} is not open`);
    this.#open.delete(name);
    return open;
  }

  #play(input: EpisodeInput): Promise<EpisodeSummary> {
    this.opened.push(input);
    return new Promise((resolve, reject) => {
      this.#open.set(episodeName(input.episode), { resolve, reject });
      this.mostOpen = Math.max(this.mostOpen, this.#open.size);
    });
  }

  #startLane(input: SweepInput) {
    const sent: SweepControl[] = [];
    const result = new Promise<SweepResult>((resolve, reject) => {
      const size = (input.lane?.end ?? 0) - (input.lane?.start ?? 0);
      const totals = { ...NO_TOTALS, ended: size };
      this.lanes.push({
        ...{ input, sent, fail: reject },
        end: (changes) => resolve({ total: size, totals, status: 'completed', ...changes }),
      });
    });
    return Promise.resolve({
      result: () => result,
      send: (share: SweepControl) => Promise.resolve(void sent.push(share)),
    });
  }

  #wait(isMet: () => boolean, ms = Infinity): Promise<void> {
    const isCancelable = this.#uncancelled.getStore() !== true;
    if (isCancelable && this.#isCancelled) return Promise.reject(new Cancellation('cancelled'));
    if (isMet()) return Promise.resolve();
    const end = Date.now() + ms;
    return new Promise((resolve, reject) => {
      this.#waits.add({ isMet: () => isMet() || Date.now() >= end, isCancelable, resolve, reject });
    });
  }
}
