/**
 * Has episodes ended from outside whose workflow code fails again and again, because these can neither end nor be
 * cancelled.
 */

import { CancellationScope, TemporalFailure, condition } from '@temporalio/workflow';
import type { SweepMonitor } from '../src/orchestration/index.ts';
import type { SweepInput } from '../src/wire/index.ts';
import { episodes } from './activities.ts';

const FIRST_LOOK_MS = 60_000;
const LONGEST_LOOK_MS = 5 * 60_000;
/** Longest time between two looks while no episode opens or ends. */
const LONGEST_IDLE_LOOK_MS = 60 * 60_000;
/** Time until the look after one that found a failing workflow task, and after a cancellation; about the time between two attempts. */
const SOON_MS = 10_000;

export class StuckWatch {
  readonly #input: SweepInput;
  readonly #monitor: SweepMonitor;
  readonly #firstLookMs: number;
  readonly #running: Promise<void>;
  /** Scope of the sweep: the watch itself goes on until the last episode has ended. */
  readonly #sweep = CancellationScope.current();
  #isOver = false;

  constructor(input: SweepInput, monitor: SweepMonitor) {
    this.#input = input;
    this.#monitor = monitor;
    this.#firstLookMs = input.tuning?.stuckLookMs ?? FIRST_LOOK_MS;
    this.#running = CancellationScope.nonCancellable(() => this.#watch());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #watch(): Promise<void> {
    const { board, walk } = this.#monitor;
    const { open } = board;
    let waitMs = this.#firstLookMs;
    let seen = `${walk.next}/${open.size}`;
    let [wasCancelled, wasFailing] = [false, false];
    for (;;) {
      // A paused sweep with nothing open needs no timers.
      await condition(() => this.#isOver || open.size > 0);
      await condition(() => this.#isOver || (!wasCancelled && this.#sweep.consideredCancelled), waitMs);
      if (this.#isOver) return;
      const isFailing = (await this.#look()) > 0;
      const isCancelled = this.#sweep.consideredCancelled;
      const now = `${this.#monitor.walk.next}/${open.size}`;
      const isBusy = isFailing || isCancelled || now !== seen;
      const isNews = (isFailing && !wasFailing) || (isCancelled && !wasCancelled);
      waitMs = isNews
        ? Math.min(SOON_MS, this.#firstLookMs)
        : Math.min(2 * waitMs, isBusy ? LONGEST_LOOK_MS : LONGEST_IDLE_LOOK_MS);
      [seen, wasCancelled, wasFailing] = [now, isCancelled, isFailing];
    }
  }

  /** @returns how many episodes have a workflow task that fails, but not yet often enough */
  async #look(): Promise<number> {
    const { config } = this.#input;
    const isCancelled = this.#sweep.consideredCancelled;
    try {
      const { failing } = await episodes.endStuckEpisodes.executeWithOptions({ summary: 'look for stuck episodes' }, [
        { config, isCancelled },
      ]);
      return failing;
    } catch (error) {
      // The next look makes up for it.
      if (error instanceof TemporalFailure) return 0;
      throw error;
    }
  }
}
