/**
 * An episode's deadline. It limits the time in which the episode is worked on, not the elapsed time, because an episode
 * must survive hours without any worker, and days until a human user answers.
 *
 * The time is counted in ticks, each a timer. Without a worker, a timer fires once and the next is not started, so an
 * outage of any length costs at most one tick.
 */

import type { Clock, Scope } from './ports.ts';

/** Ticks of a deadline that is long enough. */
const TICKS = 8;
/** Shortest tick; a shorter one would put too many timers into the history. */
const SHORTEST_TICK_MS = 60_000;

export class Deadline {
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #work: Scope;
  readonly #ticks: Scope;
  /** Scope of the current tick, if the clock can be stopped. */
  #timer: Scope | null = null;
  /** Number of current waits that do not count. */
  #waits = 0;
  #passed = false;

  constructor(timeoutMs: number, clock: Clock) {
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#work = clock.openScope();
    this.#ticks = clock.openScope();
  }

  /** True if the deadline has passed and has canceled the work. */
  get passed(): boolean {
    return this.#passed;
  }

  /**
   * Runs until the end, or until the deadline cancels the work.
   * @param isStoppable true if {@link uncounted} is used; the clock's cancellation then takes other turns of the event
   * loop
   */
  async run<T>(body: () => Promise<T>, isStoppable = false): Promise<T> {
    return await this.#work.run(async () => {
      const ticking = this.#ticks.run(() => this.#tick(isStoppable));
      try {
        return await body();
      } finally {
        this.#ticks.cancel();
        await ticking;
      }
    });
  }

  /** Waits without counting the time, because nothing works on the episode. */
  async uncounted<T>(wait: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    this.#timer?.cancel();
    try {
      return await wait();
    } finally {
      this.#waits -= 1;
    }
  }

  /** A getter, because the compiler would assume that a field does not change after a condition on it. */
  get #isStopped(): boolean {
    return this.#waits > 0;
  }

  async #tick(isStoppable: boolean): Promise<void> {
    const ticks = Math.max(1, Math.min(TICKS, Math.floor(this.#timeoutMs / SHORTEST_TICK_MS)));
    const tickMs = this.#timeoutMs / ticks;
    try {
      for (let tick = 0; tick < ticks; tick++) await (isStoppable ? this.#count(tickMs) : this.#clock.sleep(tickMs));
    } catch (error) {
      if (this.#clock.isCancellation(error)) return;
      throw error;
    }
    this.#passed = true;
    this.#work.cancel();
  }

  /** Waits until the given time has passed, without the time in which the clock was stopped. */
  async #count(ms: number): Promise<void> {
    for (let left = ms; left > 0;) {
      // Checked before waiting, because the clock may be stopped in the same turn.
      while (this.#isStopped) await this.#clock.until(() => !this.#isStopped);
      const since = this.#clock.now();
      const timer = this.#clock.openScope();
      this.#timer = timer;
      try {
        return await timer.run(() => this.#clock.sleep(left));
      } catch (error) {
        if (!this.#clock.isCancellation(error) || !this.#isStopped) throw error;
        left -= this.#clock.now() - since;
      }
    }
  }
}
