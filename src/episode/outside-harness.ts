/** An outside harness instead of the environment and the user: each action waits for its observation. */

import { RESPOND, STOP_MARKER, type Action } from '../benchmarks/pure.ts';
import { toActionWire, type ActionWire } from './environment.ts';
import { findObservationProblem, type OpenAction, type OutsideObservation } from './outside.ts';
import type { WaitingDisplay } from './ports.ts';
import type { StepTaker, TakenStep } from './takers.ts';

export class OutsideHarness implements StepTaker {
  readonly #waiting: WaitingDisplay;
  #open: OpenAction | null = null;
  #asked = 0;
  #given: OutsideObservation | null = null;

  constructor(waiting: WaitingDisplay) {
    this.#waiting = waiting;
  }

  get openAction(): OpenAction | null {
    return this.#open;
  }

  /** Checks an observation. @returns the reason for rejecting it; null if it is accepted */
  findProblem(given: OutsideObservation): string | null {
    return findObservationProblem(given, this.#open);
  }

  observe(given: OutsideObservation): void {
    this.#given = given;
    this.#open = null;
  }

  /** @returns the user's first message */
  async open(): Promise<string> {
    return (await this.#ask(null)).observation;
  }

  async take(action: Action): Promise<TakenStep> {
    const { observation, done } = await this.#ask(toActionWire(action));
    const isReply = action.name === RESPOND;
    const source = isReply ? 'user' : action.name;
    return { observation, source, done: done || (isReply && observation.includes(STOP_MARKER)), changed: false };
  }

  async #ask(action: ActionWire | null): Promise<Pick<OutsideObservation, 'observation' | 'done'>> {
    this.#open = { number: this.#asked, action };
    this.#asked += 1;
    this.#waiting.show(`**waits for an outside harness**: ${action === null ? 'the first message' : action.name}`);
    try {
      await this.#waiting.until(() => this.#open === null);
    } finally {
      // A canceled episode has no open action.
      this.#open = null;
    }
    return this.#given ?? { observation: '', done: true };
  }
}
