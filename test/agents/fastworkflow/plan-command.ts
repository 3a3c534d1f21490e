/**
 * The wildcard route: a command's text in, a plan or the reason for none out. No side effects, no model.
 *
 * Words alone have to do. Where a model would be asked, the answer says what is open: `clarification` (which command?)
 * or `error` (which parameters?).
 */

import type { StrategyOptions } from '../../../src/agents/port.ts';
import type { Catalogue } from '../../../src/agents/fastworkflow/catalogue/definitions.ts';
import { rankByWords } from '../../../src/agents/fastworkflow/understanding/ranking.ts';
import { transition } from '../../../src/agents/fastworkflow/understanding/machine.ts';
import {
  START,
  type CmeContext,
  type CmeEvent,
  type CmeStage,
  type CommandPlan,
  type IntentClassifier,
} from '../../../src/agents/fastworkflow/understanding/types.ts';

export interface PlanOptions extends Pick<StrategyOptions, 'compat'> {
  /** @default similarity of words */
  readonly classifier?: IntentClassifier;
}

export function plan(catalogue: Catalogue, command: string, options: PlanOptions = {}): CommandPlan {
  const { classifier = rankByWords, compat = [] } = options;
  const context: CmeContext = { catalogue, learned: new Map(), options: { compat }, classifier };
  let stage: CmeStage = START;
  let event: CmeEvent = { kind: 'command', text: command };
  for (;;) {
    const step = transition(stage, event, context);
    const { effect } = step;
    switch (effect.kind) {
      case 'done':
        return effect.plan;
      case 'ask_clarifier': {
        const candidates = effect.candidates ?? catalogue.commands.map(({ name }) => name);
        return { kind: 'clarification', message: effect.message, candidates };
      }
      case 'ask_ranker':
        event = { kind: 'ranked', text: effect.text, among: effect.among, ranking: null };
        break;
      case 'ask_extraction':
        // Without a model, what stands in tags is all there is.
        event = { kind: 'extracted', parameters: effect.found };
        break;
    }
    stage = step.stage;
  }
}
