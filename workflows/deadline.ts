/**
 * An episode's deadline. It bounds the time that an episode is worked on, not the time that passes: a run that is taken
 * up after a night without any worker must find its open episodes alive.
 *
 * The time is counted in ticks, each a timer. Without a worker a timer fires once and the next is not started, so an
 * outage of whatever length costs at most one tick.
 */

import { CancellationScope, CancelledFailure, sleep } from '@temporalio/workflow';

/** Ticks of one deadline, where it is long enough. */
const TICKS = 8;
/** A shorter tick would put more timers into the history than it is worth. */
const SHORTEST_TICK_MS = 60_000;

export class Deadline {
  readonly #scope = new CancellationScope({ cancellable: true });
  readonly #clock = new CancellationScope({ cancellable: true });
  readonly #timeoutMs: number;
  #passed = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether the deadline has passed, and what ran within it was cancelled for that. */
  get passed(): boolean {
    return this.#passed;
  }

  /** Runs until the end, or until the deadline cancels what is going on. */
  async run<T>(body: () => Promise<T>): Promise<T> {
    return await this.#scope.run(async () => {
      const ticking = this.#clock.run(() => this.#tick());
      try {
        return await body();
      } finally {
        this.#clock.cancel();
        await ticking;
      }
    });
  }

  async #tick(): Promise<void> {
    const ticks = Math.max(1, Math.min(TICKS, Math.floor(this.#timeoutMs / SHORTEST_TICK_MS)));
    try {
      for (let tick = 0; tick < ticks; tick++) await sleep(this.#timeoutMs / ticks);
    } catch (error) {
      if (error instanceof CancelledFailure) return;
      throw error;
    }
    this.#passed = true;
    this.#scope.cancel();
  }
}
