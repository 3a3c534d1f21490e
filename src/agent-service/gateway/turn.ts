/** A request to an agent in progress: the order of its calls, the limit of simultaneous calls, and its end. */

import type { RefusedCall } from '../payloads.ts';
import type { ClosedCalls, TurnBinding } from './binding.ts';
import { GatewayProblem } from './problem.ts';

/** Most calls of a request in progress; Temporal takes ten updates of a workflow at a time. */
const MOST_UNDER_WAY = 8;
/** Most waiting calls; further ones are refused for now. */
const MOST_WAITING = 256;
/** Longest wait for calls to end after the agent has answered. @unit milliseconds */
const CLOSING_MS = 30_000;

type Kind = 'tool' | 'model' | 'passed';

/** Sender of a call, who gets the answer. */
export interface Caller {
  /** True when the connection has ended. */
  readonly destroyed: boolean;
  /** True when the answer was sent as a whole. */
  readonly writableFinished: boolean;
}

/** A call whose answer may not have arrived. */
interface UnconfirmedCall {
  readonly kind: Kind;
  readonly key: string;
  readonly result: Promise<unknown>;
  caller: Caller;
}

export class GatewayTurn {
  readonly binding: TurnBinding;
  readonly over: Promise<void>;
  readonly #all = new Slots(MOST_UNDER_WAY);
  readonly #tools = new Slots(1);
  #unheard: readonly UnconfirmedCall[] = [];
  #open = 0;
  #passedThrough = 0;
  #isDisturbed = false;
  #isOver = false;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #resolveOver: () => void = () => undefined;
  #resolveIdle: () => void = () => undefined;

  constructor(binding: TurnBinding) {
    this.binding = binding;
    this.over = new Promise((resolve) => (this.#resolveOver = resolve));
  }

  /**
   * Executes a call, or returns the result of an equal one whose caller has gone, because HTTP clients repeat slow
   * requests.
   * @param key equal for equal calls
   * @throws GatewayProblem as {@link call} does
   */
  async callOnce<T extends object>(
    kind: Kind,
    { key, caller }: { readonly key: string; readonly caller: Caller },
    work: (binding: TurnBinding) => Promise<T | RefusedCall>,
  ): Promise<T> {
    const isGone = (each: UnconfirmedCall) => each.kind === kind && each.caller.destroyed;
    const waiting = this.#unheard
      .filter((each) => !each.caller.writableFinished)
      // After another tool call, an equal call may have another result.
      .filter((each) => kind !== 'tool' || each.key === key || !isGone(each))
      .slice(-MOST_WAITING);
    const same = waiting.find((each) => each.key === key && isGone(each));
    this.#unheard = waiting;
    if (same !== undefined) {
      same.caller = caller;
      // A key has one kind of result.
      return (await same.result) as T;
    }
    const result = this.call(kind, work);
    const unheard = { kind, key, caller, result };
    this.#unheard = [...waiting, unheard];
    // A failed call is made again.
    result.catch(() => (this.#unheard = this.#unheard.filter((each) => each !== unheard)));
    return await result;
  }

  /**
   * Carries out a call when it is its turn: tools one at a time in order of arrival, at most eight calls at once.
   * @throws GatewayProblem if the turn or its episode refuses it
   */
  async call<T extends object>(kind: Kind, work: (binding: TurnBinding) => Promise<T | RefusedCall>): Promise<T> {
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

  async #carryOut<T extends object>(work: (binding: TurnBinding) => Promise<T | RefusedCall>): Promise<T> {
    this.#requireOpen(this.#state !== 'closed');
    const result = await work(this.binding).catch((error: unknown) => {
      this.#isDisturbed = true;
      throw error;
    });
    const isRefused = 'refused' in result;
    if (isRefused ? result.refused === 'over' : 'done' in result && result.done === true) {
      this.#isOver = true;
      this.#resolveOver();
    }
    if (isRefused) {
      this.#isDisturbed ||= result.refused !== 'invalid';
      throw new GatewayProblem(result.refused, result.message);
    }
    return result;
  }

  #requireOpen(isOpen: boolean): void {
    if (this.#isOver || !isOpen) throw endedProblem(this.#isOver);
  }

  /** Waits for calls in progress, up to a limit; refuses new ones at once. */
  async close(): Promise<ClosedCalls & { readonly isOver: boolean }> {
    const open = this.#open;
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
    const disturbed = this.#isDisturbed ? { isDisturbed: true as const } : {};
    return { passedThrough: this.#passedThrough, open, isOver: this.#isOver, ...disturbed };
  }
}

/**
 * Creates the problem of a call that comes after its turn. @param isOver true if the episode has ended with the turn
 */
export function endedProblem(isOver: boolean): GatewayProblem {
  return isOver
    ? new GatewayProblem('over', 'the episode has ended')
    : new GatewayProblem('stale', 'this address was for a request that has ended; use those of the latest request');
}

/** Lets a limited number of calls work at a time, in order of arrival. */
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
