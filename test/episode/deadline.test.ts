/** The deadline of an episode counts the time in which the episode is worked on. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { Deadline, type Clock } from '../../src/episode/index.ts';

const MINUTE = 60_000;

class Canceled extends Error {}

/** A clock that a test moves on. */
class StagedClock implements Clock {
  /** Length of each timer that was started. */
  readonly timers: number[] = [];
  #now = 0;
  readonly #scope = new AsyncLocalStorage<AbortSignal>();
  readonly #waits = new Set<{ readonly isMet: () => boolean; readonly resolve: () => void }>();

  readonly now = () => this.#now;
  readonly isCancellation = (error: unknown) => error instanceof Canceled;
  readonly sleep = (ms: number) => {
    this.timers.push(ms);
    const end = this.#now + ms;
    return this.until(() => this.#now >= end);
  };

  readonly until = (isMet: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      this.#waits.add({ isMet, resolve });
      this.#scope.getStore()?.addEventListener('abort', () => reject(new Canceled()));
    });

  readonly openScope = () => {
    const controller = new AbortController();
    this.#scope.getStore()?.addEventListener('abort', () => controller.abort());
    return {
      run: <T>(work: () => Promise<T>) => this.#scope.run(controller.signal, work),
      cancel: () => controller.abort(),
    };
  };

  /** Lets time pass without anything happening meanwhile, as without a worker. */
  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (let met = true; met;) {
      await new Promise((resolve) => setImmediate(resolve));
      met = false;
      for (const wait of this.#waits) {
        if (!wait.isMet()) continue;
        this.#waits.delete(wait);
        wait.resolve();
        met = true;
      }
    }
  }
}

describe('a deadline', () => {
  it('cancels what goes on when it has passed', async () => {
    const clock = new StagedClock();
    const deadline = new Deadline(8 * MINUTE, clock);
    const work = deadline.run(() => clock.until(() => false));
    work.catch(() => undefined);
    for (let minute = 0; minute < 8; minute++) {
      expect(deadline.passed).toBe(false);
      await clock.pass(MINUTE);
    }
    await expect(work).rejects.toBeInstanceOf(Canceled);
    expect(deadline.passed).toBe(true);
    expect(clock.timers).toEqual(Array.from({ length: 8 }, () => MINUTE));
  });

  it('has one timer where it is short', async () => {
    const clock = new StagedClock();
    const work = new Deadline(90_000, clock).run(() => Promise.resolve('done'));
    await clock.pass(0);
    expect(await work).toBe('done');
    expect(clock.timers).toEqual([90_000]);
  });

  it('loses one tick to an outage of any length', async () => {
    const clock = new StagedClock();
    const deadline = new Deadline(8 * MINUTE, clock);
    let isDone = false;
    const work = deadline.run(() => clock.until(() => isDone));
    await clock.pass(100 * MINUTE);
    for (let minute = 0; minute < 6; minute++) await clock.pass(MINUTE);
    isDone = true;
    await clock.pass(0);
    await work;
    expect(deadline.passed).toBe(false);
  });

  it('does not count a wait for somebody', async () => {
    const clock = new StagedClock();
    const deadline = new Deadline(MINUTE, clock);
    let isAnswered = false;
    const work = deadline.run(async () => {
      await clock.until(() => clock.now() >= 30_000);
      await deadline.uncounted(() => clock.until(() => isAnswered));
      await clock.until(() => false);
    }, true);
    work.catch(() => undefined);
    await clock.pass(30_000);
    await clock.pass(100 * MINUTE);
    isAnswered = true;
    await clock.pass(0);
    await clock.pass(29_000);
    expect(deadline.passed).toBe(false);
    await clock.pass(1_000);
    await expect(work).rejects.toBeInstanceOf(Canceled);
    expect(deadline.passed).toBe(true);
  });
});
