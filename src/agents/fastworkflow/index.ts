/**
 * FastWorkflow on tau-bench retail: a planner and a ReAct agent that speaks in commands, which are understood and
 * validated before they become environment actions.
 *
 * Behaviour follows FastWorkflow 2.24; prompts and wording are this project's own.
 */

import type { AgentSession, SolveEnd, StrategyDefinition, StrategyOptions } from '../port.ts';
import { Bridge } from './bridge/bridge.ts';
import { catalogueOf, catalogues } from './catalogue/index.ts';
import { emptyMemory } from './cme/types.ts';
import { promptTexts } from './prompt/messages.ts';
import type { Workshop } from './state.ts';
import { openFirstTurn, openNextTurn, serveTurn } from './turn.ts';

export const fastWorkflow: StrategyDefinition = {
  name: 'fastworkflow',
  label: 'FW',
  domains: Object.keys(catalogues),
  texts: promptTexts(),
  solve,
};

async function solve(session: AgentSession, options: StrategyOptions): Promise<SolveEnd> {
  const catalogue = catalogueOf(session.env);
  const shop: Workshop = {
    session,
    options,
    catalogue,
    bridge: new Bridge(session, catalogue, options),
    memory: emptyMemory(),
  };
  if (session.stepsLeft() <= 0) return 'max_steps';
  const history: string[] = [];
  let turn = await openFirstTurn(shop);
  for (;;) {
    const served = await serveTurn(shop, turn);
    if (served.kind === 'ended') return served.end;
    turn = await openNextTurn(shop, history, served.answered, served.reply);
  }
}
