/**
 * An episode's deadline. It limits the working time of the episode, not the elapsed time, because an episode must
 * survive hours without any worker, and days until a human user answers.
 *
 * The time is counted in ticks, each a timer. Without a worker, one timer fires and no other is started, so an outage
 * of any length adds at most one tick.
 */

import type { Clock, Scope } from './ports.ts';

/** Number of ticks of a deadline, if they are long enough. */
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
  /** Number of current waits for which the clock is stopped. */
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
   * Runs work to its end, or until the deadline cancels it.
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

  /** Waits with the clock stopped, because nothing works on the episode. */
  async uncounted<T>(wait: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    this.#timer?.cancel();
    try {
      return await wait();
    } finally {
      this.#waits -= 1;
    }
  }

  /**
   * True if the clock is stopped. It is a getter, because the compiler would assume that a field does not change after
   * a condition on it.
   */
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

  /** Waits until `ms` milliseconds have passed, without the time during which the clock was stopped. */
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
