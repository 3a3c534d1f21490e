/** The ReAct loop's five tools. Only `execute_workflow_query` and `ask_user` can reach the environment. */

import type { PyDict } from '../../bench/python/value.ts';
import type { PromptPart, SolveEnd } from '../port.ts';
import { plan } from './cme/plan.ts';
import { replan } from './planner.ts';
import { COMMANDS_TEXT } from './prompt/messages.ts';
import type { ToolName } from './prompt/signatures.ts';
import type { Turn, Workshop } from './state.ts';

export type ToolOutcome =
  | { readonly kind: 'observed'; readonly observation: PromptPart }
  /** As observed, after the customer answered a question. */
  | { readonly kind: 'answered'; readonly observation: PromptPart }
  /** The agent is done with this turn. */
  | { readonly kind: 'finished'; readonly observation: PromptPart }
  | { readonly kind: 'ended'; readonly end: SolveEnd };

export async function callTool(shop: Workshop, turn: Turn, name: ToolName, args: PyDict): Promise<ToolOutcome> {
  switch (name) {
    case 'what_can_i_do':
    case 'intent_misunderstood':
      return { kind: 'observed', observation: COMMANDS_TEXT };
    case 'finish':
      return { kind: 'finished', observation: 'Completed.' };
    case 'execute_workflow_query': {
      const command = args.get('command');
      if (typeof command !== 'string') return misused(name, 'command');
      return executeWorkflowQuery(shop, turn, command);
    }
    case 'ask_user': {
      const question = args.get('clarification_request');
      if (typeof question !== 'string') return misused(name, 'clarification_request');
      return askUser(shop, turn, question);
    }
  }
}

async function executeWorkflowQuery(shop: Workshop, turn: Turn, command: string): Promise<ToolOutcome> {
  const planned = plan(shop.catalogue, command);
  switch (planned.kind) {
    case 'plan': {
      const acted = await shop.bridge.execute(planned);
      if (acted.kind === 'ended') return acted;
      turn.records.push({ kind: 'command', command, response: acted.text });
      return { kind: 'observed', observation: acted.text };
    }
    case 'handled':
      return {
        kind: 'observed',
        observation: planned.answer.kind === 'catalogue' ? COMMANDS_TEXT : planned.answer.text,
      };
    case 'clarification':
      return { kind: 'observed', observation: planned.message };
    case 'error':
      // The command is given up, not completed: the new plan says how to get what is missing.
      return { kind: 'observed', observation: await replan(shop, turn, `${planned.message}\ncommand aborted`) };
  }
}

async function askUser(shop: Workshop, turn: Turn, question: string): Promise<ToolOutcome> {
  const acted = await shop.bridge.say(question);
  if (acted.kind === 'ended') return acted;
  turn.records.push({ kind: 'question', question, answer: acted.text });
  return { kind: 'answered', observation: await replan(shop, turn, acted.text) };
}

function misused(tool: ToolName, argument: string): ToolOutcome {
  return { kind: 'observed', observation: `Execution error in ${tool}: it needs the argument ${argument}, a text.` };
}
