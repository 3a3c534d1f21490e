/**
 * An outside harness in the place of the environment and of the user. An action waits without a timer and without a
 * worker: its observation is an update, and what came before it is replayed from the history.
 */

import { ApplicationFailure, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { RESPOND, STOP_MARKER, type Action, type StepResult } from '../src/benchmarks/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import {
  findObservationProblem,
  toActionWire,
  type ActionWire,
  type OpenAction,
  type OutsideObservation,
} from '../src/episode/index.ts';
import type { Deadline } from './deadline.ts';
import { observe, openAction } from './messages.ts';

export class OutsideEnvironment {
  readonly #deadline: Deadline;
  #open: OpenAction | null = null;
  #asked = 0;
  #given: OutsideObservation | null = null;

  /** Must be called before the workflow's first await, so that no message comes too early. */
  constructor(deadline: Deadline) {
    this.#deadline = deadline;
    setHandler(openAction, () => this.#open);
    setHandler(
      observe,
      (given) => {
        this.#given = given;
        this.#open = null;
      },
      {
        validator: (given: OutsideObservation) => {
          const problem = findObservationProblem(given, this.#open);
          if (problem !== null) throw ApplicationFailure.nonRetryable(problem, FailureType.BadRequest);
        },
      },
    );
  }

  /** @returns the user's first message */
  async open(): Promise<string> {
    return (await this.#ask(null)).observation;
  }

  async step(action: Action): Promise<StepResult> {
    const { observation, done } = await this.#ask(toActionWire(action));
    const isReply = action.name === RESPOND;
    const source = isReply ? 'user' : action.name;
    return { observation, source, done: done || (isReply && observation.includes(STOP_MARKER)) };
  }

  async #ask(action: ActionWire | null): Promise<Pick<OutsideObservation, 'observation' | 'done'>> {
    this.#open = { number: this.#asked, action };
    this.#asked += 1;
    setCurrentDetails(`**waits for an outside harness**: ${action === null ? 'the first message' : action.name}`);
    try {
      await this.#deadline.uncounted(() => condition(() => this.#open === null));
    } finally {
      // Of an episode that is cancelled, nothing is asked any more.
      this.#open = null;
    }
    return this.#given ?? { observation: '', done: true };
  }
}
