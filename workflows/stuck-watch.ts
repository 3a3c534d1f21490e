/**
 * Has episodes ended from outside whose workflow code fails again and again, because these can neither end nor be
 * cancelled.
 */

import { CancellationScope, TemporalFailure, condition } from '@temporalio/workflow';
import { FIRST_LOOK_MS, timeToNextLook, type Look, type SweepMonitor } from '../src/orchestration/index.ts';
import type { SweepInput } from '../src/evaluation/index.ts';
import { episodes } from './activities.ts';

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
    let before: Look = { isFailing: false, isCancelled: false, progress: `${walk.next}/${open.size}` };
    for (;;) {
      // A paused sweep with nothing open needs no timers.
      await condition(() => this.#isOver || open.size > 0);
      await condition(() => this.#isOver || (!before.isCancelled && this.#sweep.consideredCancelled), waitMs);
      if (this.#isOver) return;
      const isFailing = (await this.#look()) > 0;
      const isCancelled = this.#sweep.consideredCancelled;
      const now = { isFailing, isCancelled, progress: `${this.#monitor.walk.next}/${open.size}` };
      waitMs = timeToNextLook(before, now, { lastMs: waitMs, firstMs: this.#firstLookMs });
      before = now;
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
