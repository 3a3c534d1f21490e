/** Waiting for what comes by itself; also outside of the test runner, where recordings are made. */

import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again until the answer is right.
 * @param check throws while it is not
 * @throws what the last check threw, when the time is over
 */
export async function eventually<T>(check: () => Promise<T>, timeoutMs = 45_000, intervalMs = 100): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await delay(intervalMs);
  }
}
