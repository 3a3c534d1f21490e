/**
 * Ends stuck episodes from outside. Their workflow code fails again and again, so they can neither end nor be canceled.
 */

import type { SweepInput } from '../evaluation/index.ts';
import type { SweepPorts } from './ports.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

const FIRST_LOOK_MS = 60_000;
const LONGEST_LOOK_MS = 5 * 60_000;
/** Longest time between two checks while no episode opens or ends. */
const LONGEST_IDLE_LOOK_MS = 60 * 60_000;
/**
 * Time until the check after one that found a failing workflow task, and after a cancellation; about the time between
 * two attempts of the task.
 */
const SOON_MS = 10_000;

/**
 * Checks for stuck episodes until the last episode has ended, also while the sweep is being canceled.
 * @param isOver true if no episode is open any more
 */
export async function watchForStuck(
  { config, tuning }: SweepInput,
  { board: { open }, walk }: SweepMonitor,
  ports: SweepPorts,
  isOver: () => boolean,
): Promise<void> {
  const firstMs = tuning?.stuckLookMs ?? FIRST_LOOK_MS;
  let waitMs = firstMs;
  let before: Look = { isFailing: false, isCancelled: false, progress: `${walk.next}/${open.size}` };
  for (;;) {
    // A paused sweep without open episodes needs no timers.
    await ports.until(() => isOver() || open.size > 0);
    await ports.until(() => isOver() || (!before.isCancelled && ports.isCancelled()), waitMs);
    if (isOver()) return;
    const isFailing = (await look(config, ports)) > 0;
    const now = { isFailing, isCancelled: ports.isCancelled(), progress: `${walk.next}/${open.size}` };
    waitMs = timeToNextLook(before, now, { lastMs: waitMs, firstMs });
    before = now;
  }
}

/** @returns the number of episodes whose workflow task fails, but not yet often enough */
async function look(config: SweepInput['config'], ports: SweepPorts): Promise<number> {
  try {
    const asked = { config, isCancelled: ports.isCancelled() };
    return (await ports.activities.endStuckEpisodes('look for stuck episodes', asked)).failing;
  } catch (error) {
    // The next check asks again.
    if (ports.isFailure(error)) return 0;
    throw error;
  }
}

/** State of a sweep at the time of a check. */
export interface Look {
  readonly isFailing: boolean;
  readonly isCancelled: boolean;
  /** Changes whenever an episode opens or ends. */
  readonly progress: string;
}

/**
 * Returns the time until the next check: short after a change, then twice as long each time.
 *
 * @param lastMs time between the last two checks
 * @param firstMs time until the first one
 */
export function timeToNextLook(before: Look, now: Look, { lastMs, firstMs }: Record<'lastMs' | 'firstMs', number>) {
  const isNews = (now.isFailing && !before.isFailing) || (now.isCancelled && !before.isCancelled);
  if (isNews) return Math.min(SOON_MS, firstMs);
  const isBusy = now.isFailing || now.isCancelled || now.progress !== before.progress;
  return Math.min(2 * lastMs, isBusy ? LONGEST_LOOK_MS : LONGEST_IDLE_LOOK_MS);
}
