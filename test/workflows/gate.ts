/** Holds episodes at their first model call until a test lets them go on, and counts those that are open. */

import { Context } from '@temporalio/activity';
import { vi } from 'vitest';

import type { Activities } from '../../src/orchestration/index.ts';
import { episodeName } from '../../src/evaluation/index.ts';
import { beating } from './rig.ts';

export class Gate {
  /** Names of episodes in the order in which they were opened. */
  readonly opened: string[] = [];
  /** Names of episodes that were recorded. */
  readonly recorded: string[] = [];
  mostOpen = 0;
  readonly #open = new Set<string>();
  readonly #held = new Map<string, () => void>();
  #isWide: boolean;

  /** @param isWide whether every episode may pass at once */
  constructor(isWide = false) {
    this.#isWide = isWide;
  }

  /** Value for {@link RigOptions.activities}. */
  readonly activities = (real: Activities): Partial<Activities> => ({
    complete: beating(async (input) => {
      const name = episodeName(input.episode);
      // The user's first call opens the episode. Others may carry the whole conversation as well.
      if (input.call === 'user 1') await this.#pass(name);
      return await real.complete(input);
    }),
    record: async (input) => {
      const recorded = await real.record(input);
      const name = episodeName(input.episode);
      this.recorded.push(name);
      this.#open.delete(name);
      return recorded;
    },
  });

  get held(): string[] {
    return [...this.#held.keys()];
  }

  /** Settles when that many episodes have been opened in all. */
  async openedCount(count: number): Promise<void> {
    await vi.waitFor(
      () => {
        if (this.opened.length < count) throw new Error(`${this.opened.length} of ${count} episodes were opened`);
      },
      { timeout: 20_000, interval: 20 },
    );
  }

  release(...names: readonly string[]): void {
    for (const name of names) this.#held.get(name)?.();
  }

  /** Holds nobody from now on. */
  openWide(): void {
    this.#isWide = true;
    this.release(...this.held);
  }

  async #pass(name: string): Promise<void> {
    this.opened.push(name);
    this.#open.add(name);
    this.mostOpen = Math.max(this.mostOpen, this.#open.size);
    if (this.#isWide) return;
    const released = new Promise<void>((resolve) => this.#held.set(name, resolve));
    try {
      await Promise.race([released, Context.current().cancelled]);
    } finally {
      this.#held.delete(name);
    }
  }
}
