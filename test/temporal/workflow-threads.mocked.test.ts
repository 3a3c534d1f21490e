import { UnexpectedError } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runRestarting } from '../../src/temporal/worker/testing.ts';

// Fake timers leave this module's alone.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((resolve) => globalThis.setTimeout(resolve, ms)),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A Worker that runs until it is shut down, or until a test ends it. */
class FakeWorker {
  state = 'RUNNING';
  #end: { resolve: () => void; reject: (error: Error) => void } | undefined;

  run(): Promise<void> {
    return new Promise((resolve, reject) => (this.#end = { resolve, reject }));
  }
  getState(): string {
    return this.state;
  }
  shutdown(): void {
    this.state = 'STOPPED';
    this.#end?.resolve();
  }
  fail(error: Error): void {
    this.state = 'FAILED';
    this.#end?.reject(error);
  }
}

const threadLost = () => new UnexpectedError('Workflow Worker Thread exited prematurely: out of memory');

function running() {
  const workers = [new FakeWorker()];
  const made: boolean[] = [];
  const create = (isCautious: boolean) => {
    made.push(isCautious);
    const worker = new FakeWorker();
    workers.push(worker);
    return Promise.resolve(worker as unknown as Worker);
  };
  const restarted = runRestarting(workers[0] as unknown as Worker, create);
  return { restarted, made, latest: () => workers.at(-1) ?? expect.fail('there is a first Worker') };
}

describe('a Worker whose thread dies', () => {
  it('is replaced by a cautious one, and after five minutes without a death by an ordinary one', async () => {
    const { restarted, made, latest } = running();
    latest().fail(threadLost());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(made).toEqual([true]);
    await vi.advanceTimersByTimeAsync(299_000);
    latest().fail(threadLost());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(made).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(299_000);
    expect(made).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(made).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(made).toHaveLength(3);
    restarted.stop();
    await restarted.ended;
  });

  it('is not replaced when it is stopped, and fails with any other error', async () => {
    const stopped = running();
    stopped.latest().fail(threadLost());
    await vi.advanceTimersByTimeAsync(1_000);
    stopped.restarted.stop();
    await stopped.restarted.ended;
    expect(stopped.made).toEqual([true]);

    const failed = running();
    failed.latest().fail(new Error('no server'));
    await expect(failed.restarted.ended).rejects.toThrow('no server');
    expect(failed.made).toEqual([]);
  });
});
