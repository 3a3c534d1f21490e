/**
 * The ReAct loop of one turn: the model names a tool, the tool's result is added to the trajectory, until `finish`.
 *
 * The trajectory starts empty in every turn. Iterations count per turn, and an answer of the customer starts the
 * count anew.
 */

import type { SolveEnd } from '../port.ts';
import { ask, type Answer } from './prompt/ask.ts';
import { signaturesFor, type ToolName, TOOLS } from './prompt/signatures.ts';
import type { Turn, Workshop } from './state.ts';
import { callTool } from './tools.ts';
import { type Cycle, trajectoryParts } from './trajectory.ts';

/** Tool calls between two answers of the customer. */
export const MAX_ITERATIONS = 25;
/** Illegal tool choices between two answers of the customer; the last one ends the loop. */
const MAX_ILLEGAL_CHOICES = 3;

export type Work =
  /** There is nothing more to do, or no iterations are left: time for the answer. */
  { readonly kind: 'worked' } | { readonly kind: 'ended'; readonly end: SolveEnd };

export async function work(shop: Workshop, turn: Turn): Promise<Work> {
  let iterations = 0;
  let illegalChoices = 0;
  while (iterations < MAX_ITERATIONS && illegalChoices < MAX_ILLEGAL_CHOICES) {
    const choice = await chooseTool(shop, turn);
    if (choice.kind === 'illegal_choice') {
      illegalChoices++;
      turn.cycles.push(...recovery(choice.value));
      continue;
    }
    const cycle = toCycle(choice, shop.options.useReasoning);
    const position = turn.cycles.push(cycle) - 1;
    const outcome = await callTool(shop, turn, cycle.tool.name, cycle.tool.args);
    if (outcome.kind === 'ended') return outcome;
    turn.cycles[position] = { ...cycle, observation: outcome.observation };
    if (outcome.kind === 'finished') break;
    iterations++;
    if (outcome.kind === 'answered') iterations = illegalChoices = 0;
  }
  return { kind: 'worked' };
}

function chooseTool({ session, options }: Workshop, turn: Turn): Promise<Answer> {
  return ask(session, options, signaturesFor(options).react, [
    ['user_query', turn.plannedQuery],
    ['trajectory', trajectoryParts(turn.cycles)],
  ]);
}

type ToolCycle = Cycle & { readonly tool: { readonly name: ToolName } };

function toCycle(choice: Extract<Answer, { kind: 'fields' }>, useReasoning: boolean): ToolCycle {
  const { texts, objects } = choice.fields;
  // The reply was read with these very tools as choices, so one of them is found.
  const chosen = texts.get('next_tool_name');
  const name = TOOLS.find((tool) => tool.name === chosen)?.name ?? 'finish';
  const tool = { name, args: objects.get('next_tool_args') ?? new Map<string, never>() };
  return useReasoning ? { thought: texts.get('next_thought') ?? '', tool } : { tool };
}

/** What the model reads after a tool name that does not exist. */
function recovery(value: string): Cycle[] {
  const names = TOOLS.map((tool) => tool.name).join(', ');
  return [
    { observation: `Agent failed to select a valid tool: '${value}' is none of ${names}.` },
    {
      thought: 'To run a command I have to choose execute_workflow_query; its argument is the command.',
      observation: 'Choose one of the tools, by its exact name, with a JSON object of its arguments.',
    },
  ];
}
