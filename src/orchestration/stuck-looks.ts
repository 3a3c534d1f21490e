/** Times at which a sweep looks whether episodes' workflow tasks fail again and again. */

export const FIRST_LOOK_MS = 60_000;
const LONGEST_LOOK_MS = 5 * 60_000;
/** Longest time between two looks while no episode opens or ends. */
const LONGEST_IDLE_LOOK_MS = 60 * 60_000;
/** Time until the look after one that found a failing workflow task, and after a cancellation; about the time between two attempts. */
const SOON_MS = 10_000;

/** State of a sweep at a look. */
export interface Look {
  readonly isFailing: boolean;
  readonly isCancelled: boolean;
  /** Changes whenever an episode opens or ends. */
  readonly progress: string;
}

/**
 * Time until the next look: soon after what is new, then each time twice as long.
 *
 * @param lastMs time between the last two looks
 * @param firstMs time until the first one
 */
export function timeToNextLook(before: Look, now: Look, { lastMs, firstMs }: Record<'lastMs' | 'firstMs', number>) {
  const isNews = (now.isFailing && !before.isFailing) || (now.isCancelled && !before.isCancelled);
  if (isNews) return Math.min(SOON_MS, firstMs);
  const isBusy = now.isFailing || now.isCancelled || now.progress !== before.progress;
  return Math.min(2 * lastMs, isBusy ? LONGEST_LOOK_MS : LONGEST_IDLE_LOOK_MS);
}
