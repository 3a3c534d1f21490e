/** An agent session over the benchmark's own environment, without a server: as the episode workflow keeps it. */

import { applyAction, foldActions, RESPOND, type EnvData, type Action } from '../../src/benchmarks/index.ts';
import type { AgentSession } from '../../src/agents/index.ts';
import { fakeSession, type FakeSession, type FakeSessionSetup } from './fake-session.ts';

export interface BenchSession extends FakeSession {
  /** Every action taken, `respond` included. */
  readonly actions: readonly Action[];
}

/** Runs before a model call or a step gets its turn; lets a test decide who is next. */
export type Turn = (what: string) => Promise<void>;

export function benchSession(data: EnvData, setup: Omit<FakeSessionSetup, 'tool'>, turn?: Turn): BenchSession {
  const fake = fakeSession(setup);
  const actions: Action[] = [];
  const wait = turn ?? (() => Promise.resolve());
  const step: AgentSession['step'] = async (action, settings) => {
    await wait(`step ${action.name}`);
    const before = [...actions];
    actions.push(action);
    const taken = await fake.step(action, settings);
    if (action.name === RESPOND) return taken;
    const { observation, source, done } = applyAction(data, foldActions(data, before), action);
    return { observation, source, done };
  };
  const complete: AgentSession['complete'] = async (request) => {
    await wait(`call ${request.role}`);
    return await fake.complete(request);
  };
  return { ...fake, actions, step, complete };
}
