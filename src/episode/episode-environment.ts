/** The environment of an episode. Each call includes the earlier calls that changed the state. */

import { AgentError } from '../agents/index.ts';
import type { Action } from '../benchmarks/index.ts';
import { toActionWire, type ActionWire, type StepInput, type StepOutput } from './environment.ts';
import { notedIn, type EpisodeInput } from './input.ts';

/** Most characters of all arguments, because each step carries the arguments of all earlier writes. */
const MAX_ARGUMENT_CHARS = 600_000;

/** Takes one step in the environment. @param summary text for Temporal UI */
export type TakeStep = (summary: string, input: StepInput) => Promise<StepOutput>;

/** The environment's state, as a fold over the calls of agent and user that have changed it. */
export class EpisodeEnvironment {
  readonly writes: ActionWire[] = [];
  readonly #input: EpisodeInput;
  readonly #takeStep: TakeStep;
  readonly #life: string | undefined;

  /** @param life life of an environment service whose calls cannot be repeated */
  constructor(input: EpisodeInput, takeStep: TakeStep, life?: string) {
    this.#input = input;
    this.#takeStep = takeStep;
    this.#life = life;
  }

  /** Takes an action, and adds it to the writes if it has changed the state. */
  async take(summary: string, action: Action, { isNoted = true } = {}): Promise<StepOutput> {
    const { config, episode } = this.#input;
    const wire = toActionWire(action);
    this.#requireSpaceFor(wire);
    const task = { split: config.split, taskId: episode.taskId };
    const output = await this.#takeStep(summary, {
      pack: config.pack,
      writes: this.writes,
      action: wire,
      task,
      life: this.#life,
      ...(isNoted ? notedIn(this.#input) : {}),
    });
    if (output.changed) this.writes.push(wire);
    return output;
  }

  #requireSpaceFor(action: ActionWire): void {
    const chars = [...this.writes, action].reduce((sum, { kwargsJson }) => sum + kwargsJson.length, 0);
    if (chars <= MAX_ARGUMENT_CHARS) return;
    const message = `the arguments of the episode's writes have ${chars} characters; it can carry ${MAX_ARGUMENT_CHARS}`;
    throw new AgentError('reply_too_long', message);
  }
}
