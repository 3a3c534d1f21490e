/**
 * The one place where FastWorkflow meets the benchmark: a planned command becomes an environment action, its
 * observation becomes the tool's result, and what was said becomes `respond`.
 *
 * The bridge also keeps the trajectory that the results file shows, in a form that replays: commands as tool calls,
 * words as plain assistant messages.
 */

import { dumpJson } from '../../../bench/python/json.ts';
import type { PyDict } from '../../../bench/python/value.ts';
import { type Action, RESPOND } from '../../../bench/types.ts';
import type { AgentSession, Message, SolveEnd } from '../../port.ts';
import type { Catalogue } from '../catalogue/types.ts';

/** An environment action's outcome: something to go on with, or the end of the episode. */
export type Acted =
  { readonly kind: 'observed'; readonly text: string } | { readonly kind: 'ended'; readonly end: SolveEnd };

export interface PlannedCommand {
  readonly commandName: string;
  readonly cmdParameters: PyDict;
}

const TRAJECTORY_HEADING = 'FastWorkflow agent: commands are shown as tool calls, planning and reasoning are left out.';

export class Bridge {
  readonly #session: AgentSession;
  readonly #catalogue: Catalogue;
  #calls = 0;

  constructor(session: AgentSession, catalogue: Catalogue) {
    this.#session = session;
    this.#catalogue = catalogue;
    session.trajectory.push(
      { role: 'system', content: TRAJECTORY_HEADING },
      { role: 'user', content: session.firstMessage },
    );
  }

  /** Carries a command out in the environment. */
  async execute({ commandName: name, cmdParameters: kwargs }: PlannedCommand): Promise<Acted> {
    const id = `call_${this.#calls}`;
    const call = { id, type: 'function', function: { name, arguments: dumpJson(kwargs) } } as const;
    const acted = await this.#step(
      { name, kwargs },
      { role: 'assistant', content: null, tool_calls: [call] },
      (observation) => ({ role: 'tool', tool_call_id: id, name, content: observation }),
    );
    this.#calls += 1;
    return acted.kind === 'observed'
      ? { kind: 'observed', text: renderObsForAgent(this.#catalogue, name, acted.text) }
      : acted;
  }

  /** Says something to the customer; what is observed is the answer. */
  say(content: string): Promise<Acted> {
    return this.#step(
      { name: RESPOND, kwargs: new Map([['content', content]]) },
      { role: 'assistant', content },
      (observation) => ({ role: 'user', content: observation }),
    );
  }

  /** Nothing that follows an episode's last step can change its outcome, so nothing more is paid for. */
  async #step(action: Action, asked: Message, answered: (observation: string) => Message): Promise<Acted> {
    const { trajectory } = this.#session;
    if (this.#session.stepsLeft() <= 0) return { kind: 'ended', end: 'max_steps' };
    trajectory.push(asked);
    const { observation, done } = await this.#session.step(action);
    trajectory.push(answered(observation));
    if (done) return { kind: 'ended', end: 'done' };
    return this.#session.stepsLeft() > 0
      ? { kind: 'observed', text: observation }
      : { kind: 'ended', end: 'max_steps' };
  }
}

/** What the agent reads of a step: the command's label and the observation, never the environment's `info`. */
export function renderObsForAgent(catalogue: Catalogue, commandName: string, observation: string): string {
  return `${catalogue.find(commandName)?.label ?? ''}${observation}`;
}
