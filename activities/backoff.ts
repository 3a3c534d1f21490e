/**
 * How long a model call waits for its next attempt where the provider does not say. Temporal's own retry intervals have
 * no jitter: a window of episodes that a provider has turned away together would come back together.
 */

const FIRST_MS = 1_000;
const MOST_MS = 60_000;

/**
 * Doubles from a second to a minute, and is drawn from its upper half ("equal jitter"): calls spread out, and none comes
 * back at once.
 *
 * @param failures API failures of the call so far, at least 1
 * @param random in [0, 1)
 * @returns milliseconds
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.round(ceiling * (0.5 + 0.5 * random()));
}
