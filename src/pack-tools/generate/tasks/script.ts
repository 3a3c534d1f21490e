/**
 * Writes down a task's ground truth while the task is made up: the tool calls of an agent that looks up what it needs
 * and then does what the policy asks. Looking up the same thing twice is left out; a write takes nothing but what the
 * instruction gives a ground for.
 */

import type { PyValue } from '../../../benchmark/python/index.ts';
import type { Action } from '../../../benchmark/index.ts';
import type { Evidence } from './ground.ts';

export class Script {
  readonly actions: Action[] = [];
  /** For every write, by its position: where each of its arguments comes from. */
  readonly evidence = new Map<number, Readonly<Record<string, Evidence>>>();
  readonly #seen = new Set<string>();

  think(thought: string): void {
    this.call('think', { thought });
  }

  transfer(summary: string): void {
    this.call('transfer_to_human_agents', { summary });
  }

  /** A call that changes nothing. */
  protected call(name: string, kwargs: Readonly<Record<string, PyValue>>): void {
    this.actions.push({ name, kwargs: new Map(Object.entries(kwargs)) });
  }

  /** A call that need not be made again. */
  protected lookUp(name: string, kwargs: Readonly<Record<string, PyValue>>, key: string): void {
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.call(name, kwargs);
  }

  protected write(name: string, evidence: Readonly<Record<string, Evidence>>): void {
    this.evidence.set(this.actions.length, evidence);
    this.actions.push({
      name,
      kwargs: new Map(Object.entries(evidence).map(([key, { argument }]) => [key, argument])),
    });
  }
}
