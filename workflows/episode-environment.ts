/** The environment of an episode: each call is a `step` activity, which gets the calls before it that changed the state. */

import { AgentError } from '../src/agents/index.ts';
import type { Action } from '../src/benchmarks/index.ts';
import { toActionWire, type ActionWire, type EpisodeInput, type StepOutput } from '../src/episode/index.ts';
import { environment } from './activities.ts';

/** Each step carries the arguments of all earlier writes. */
const MAX_ARGUMENT_CHARS = 600_000;

/** The environment's state, as a fold over the calls of agent and user that have changed it. */
export class EpisodeEnvironment {
  readonly writes: ActionWire[] = [];
  readonly #input: EpisodeInput;

  constructor(input: EpisodeInput) {
    this.#input = input;
  }

  /**
   * Takes an action.
   * @param writes those that come before it; others than the episode's own leave its state as it is
   */
  async take(
    summary: string,
    action: Action,
    noted: { readonly logDir?: string },
    writes: readonly ActionWire[] = this.writes,
  ): Promise<StepOutput> {
    const { config, episode } = this.#input;
    const wire = toActionWire(action);
    this.#requireSpaceFor(wire);
    const task = { split: config.split, taskId: episode.taskId };
    const input = { pack: config.pack, writes, action: wire, task, ...noted };
    const output = await environment.step.executeWithOptions({ summary }, [input]);
    if (output.changed && writes === this.writes) this.writes.push(wire);
    return output;
  }

  #requireSpaceFor(action: ActionWire): void {
    const chars = [...this.writes, action].reduce((sum, { kwargsJson }) => sum + kwargsJson.length, 0);
    if (chars <= MAX_ARGUMENT_CHARS) return;
    const message = `the arguments of the episode's writes have ${chars} characters; it can carry ${MAX_ARGUMENT_CHARS}`;
    throw new AgentError('reply_too_long', message);
  }
}
