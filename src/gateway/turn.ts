/** One request to an agent while it is under way: the order of its calls, their number at a time, and its end. */

import type { Refused } from '../wire/index.ts';
import type { TurnBinding } from './binding.ts';
import { GatewayProblem } from './problem.ts';

/** Calls of one request under way; Temporal takes ten Updates of a workflow at a time. */
const MOST_UNDER_WAY = 8;
/** Calls that may wait; further ones are refused for now. */
const MOST_WAITING = 256;
/** Time that calls have to end when the agent has answered. @unit milliseconds */
const CLOSING_MS = 30_000;

type Kind = 'tool' | 'model' | 'passed';

export class Turn {
  readonly binding: TurnBinding;
  readonly over: Promise<void>;
  readonly #all = new Slots(MOST_UNDER_WAY);
  readonly #tools = new Slots(1);
  #open = 0;
  #passedThrough = 0;
  #isOver = false;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #resolveOver: () => void = () => undefined;
  #resolveIdle: () => void = () => undefined;

  constructor(binding: TurnBinding) {
    this.binding = binding;
    this.over = new Promise((resolve) => (this.#resolveOver = resolve));
  }

  /**
   * Carries a call out when it is its turn: tools one at a time in order of arrival, at most eight calls at once.
   * @throws GatewayProblem when it is refused, by the turn or by its episode
   */
  async call<T extends object>(kind: Kind, work: (binding: TurnBinding) => Promise<T | Refused>): Promise<T> {
    this.#requireOpen(this.#state === 'open');
    if (this.#open >= MOST_UNDER_WAY + MOST_WAITING) {
      throw new GatewayProblem('busy', `more than ${MOST_WAITING} calls of this turn are waiting`);
    }
    if (kind === 'passed') this.#passedThrough += 1;
    this.#open += 1;
    try {
      const run = () => this.#all.use(() => this.#carryOut(work));
      return await (kind === 'tool' ? this.#tools.use(run) : run());
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#resolveIdle();
    }
  }

  async #carryOut<T extends object>(work: (binding: TurnBinding) => Promise<T | Refused>): Promise<T> {
    this.#requireOpen(this.#state !== 'closed');
    const result = await work(this.binding);
    const isRefused = 'refused' in result;
    if (isRefused ? result.refused === 'over' : 'done' in result && result.done === true) {
      this.#isOver = true;
      this.#resolveOver();
    }
    if (isRefused) throw new GatewayProblem(result.refused, result.message);
    return result;
  }

  #requireOpen(isOpen: boolean): void {
    if (this.#isOver) throw new GatewayProblem('over', 'the episode has ended');
    if (!isOpen) throw ended();
  }

  /** Lets calls under way end, for a bounded time; new ones are refused at once. */
  async close(): Promise<{ readonly passedThrough: number }> {
    if (this.#state === 'open') this.#state = 'closing';
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CLOSING_MS);
        this.#resolveIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#state = 'closed';
    return { passedThrough: this.#passedThrough };
  }
}

/** The problem of a call that comes after its turn. */
export function ended(): GatewayProblem {
  return new GatewayProblem('stale', 'this address was for a request that has ended; use those of the latest request');
}

/** Lets so many work at a time, in order of arrival. */
class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
