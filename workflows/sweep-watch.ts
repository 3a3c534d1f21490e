/**
 * Loops that run beside a sweep's window while episodes are open: one makes held calls again, the other has episodes ended
 * from outside whose workflow code fails again and again, because these can neither end nor be cancelled.
 */

import {
  CancellationScope,
  TemporalFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import { episodeName, episodeWorkflowId, type SweepInput } from '../src/wire/index.ts';
import type { DueCall } from './held-calls.ts';
import { halted, releaseCall } from './messages.ts';
import type { SweepMonitor } from './sweep-monitor.ts';
import { episodes } from './activities.ts';

/**
 * Makes a sweep's held calls again when they are due, for as long as episodes are open.
 * @param isOver true if no episode is open any more; a sweep that is canceled need not attend to its held calls, as its
 *   episodes are canceled as well
 */
export async function attendHeldCalls(input: SweepInput, monitor: SweepMonitor, isOver: () => boolean): Promise<void> {
  try {
    while (!isOver()) await attendOnce(input, monitor, isOver);
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}

async function attendOnce(input: SweepInput, monitor: SweepMonitor, isOver: () => boolean): Promise<void> {
  const { held } = monitor;
  const dueAt = held.dueAt();
  if (dueAt === null) {
    await condition(() => isOver() || held.dueAt() !== null);
    return;
  }
  const waitMs = dueAt - Date.now();
  if (waitMs > 0) {
    const isSooner = () => (held.dueAt() ?? Infinity) < dueAt;
    await condition(() => isOver() || isSooner() || held.dueAt() === null, waitMs);
    return;
  }
  const reason = monitor.expireHeld();
  if (reason !== null && input.lane !== undefined) await tellSweep(reason);
  await Promise.all(held.take(Date.now()).map((due) => release(input, monitor, due)));
  monitor.show();
}

async function release({ run }: SweepInput, monitor: SweepMonitor, { call, again }: DueCall): Promise<void> {
  const episode = getExternalWorkflowHandle(episodeWorkflowId(run.runId, call.episode));
  try {
    await episode.signal(releaseCall, { call: call.call, again });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    // The episode has ended meanwhile.
    monitor.held.episodeEnded(episodeName(call.episode), false, Date.now());
  }
}

/** A lane's refusal is met by the other lanes as well: their sweep pauses them all. */
export async function tellSweep(reason: string): Promise<void> {
  const { parent, workflowId } = workflowInfo();
  if (parent === undefined) return;
  try {
    await getExternalWorkflowHandle(parent.workflowId).signal(halted, workflowId, reason);
  } catch (error) {
    // A sweep that is being cancelled, or has ended, opens nothing more either.
    if (!(error instanceof TemporalFailure)) throw error;
  }
}

const FIRST_LOOK_MS = 60_000;
const LONGEST_LOOK_MS = 5 * 60_000;
/** While no episode opens or ends. */
const LONGEST_IDLE_LOOK_MS = 60 * 60_000;
/** After a look that found a failing workflow task, and after a cancellation; about the time between two attempts. */
const SOON_MS = 10_000;

export class StuckWatch {
  readonly #input: SweepInput;
  readonly #monitor: SweepMonitor;
  readonly #firstLookMs: number;
  readonly #running: Promise<void>;
  /** Of the sweep: the watch itself goes on until the last episode has ended. */
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
    const { open, next } = this.#monitor;
    let waitMs = this.#firstLookMs;
    let seen = `${next}/${open.size}`;
    let [wasCancelled, wasFailing] = [false, false];
    for (;;) {
      // A paused sweep with nothing open needs no timers.
      await condition(() => this.#isOver || open.size > 0);
      await condition(() => this.#isOver || (!wasCancelled && this.#sweep.consideredCancelled), waitMs);
      if (this.#isOver) return;
      const isFailing = (await this.#look()) > 0;
      const isCancelled = this.#sweep.consideredCancelled;
      const now = `${this.#monitor.next}/${open.size}`;
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
