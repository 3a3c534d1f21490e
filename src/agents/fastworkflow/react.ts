/**
 * The ReAct loop of one turn: the model names a tool, the tool's result is added to the trajectory, until `finish`.
 *
 * The trajectory starts empty in every turn. Iterations count per turn, and an answer of the customer starts the
 * count anew.
 */

import type { SolveEnd } from '../port.ts';
import { askWithTrajectory } from './overflow.ts';
import type { Answer } from './prompt/ask.ts';
import { signaturesFor, type ToolName, TOOLS } from './prompt/signatures.ts';
import type { Loop, Turn } from './state.ts';
import { callTool, type ToolOutcome } from './tools.ts';
import type { Cycle } from './trajectory.ts';

/** Illegal tool choices between two answers of the customer; the last one ends the loop. */
const MAX_ILLEGAL_CHOICES = 3;

export type Work =
  /** There is nothing more to do, or no iterations are left: time for the answer. */
  { readonly kind: 'worked' } | { readonly kind: 'ended'; readonly end: SolveEnd };

export async function work(loop: Loop, turn: Turn): Promise<Work> {
  const { session, iterations, options } = loop;
  iterations.openTurn();
  let illegalChoices = 0;
  while (illegalChoices < MAX_ILLEGAL_CHOICES) {
    const choice = await chooseTool(loop, turn);
    if (choice.kind === 'illegal_choice') {
      illegalChoices++;
      session.count('illegal_tool_choices');
      session.tell({ what: 'note', text: `The model chose ${choice.value}, which is no tool.` });
      turn.cycles.push(...recovery(choice.value, options.useReasoning));
      continue;
    }
    const cycle = toCycle(choice, options.useReasoning);
    if (cycle.thought) session.tell({ what: 'thought', text: cycle.thought });
    const position = turn.cycles.push(cycle) - 1;
    const outcome = await callTool(loop, turn, cycle.tool.name, cycle.tool.args);
    if (outcome.kind === 'ended') return outcome;
    turn.cycles[position] = { ...cycle, ...observed(outcome) };
    if (outcome.kind === 'finished') break;
    if (outcome.kind === 'answered') {
      iterations.startAnew();
      illegalChoices = 0;
    } else if (!iterations.use()) {
      session.count('iterations_exhausted');
      session.tell({ what: 'note', text: 'No iterations are left: the answer is made of what there is.' });
      break;
    }
  }
  return { kind: 'worked' };
}

function chooseTool(loop: Loop, turn: Turn): Promise<Answer> {
  const last = turn.cycles.at(-1);
  const after = last?.outcome ?? last?.tool?.name;
  const verb = loop.options.useReasoning ? 'think' : 'act';
  return askWithTrajectory(
    loop,
    turn,
    signaturesFor(loop.options).react,
    (trajectory) => [
      ['user_query', turn.plannedQuery],
      ['trajectory', trajectory],
    ],
    `${verb} ${turn.cycles.length + 1}${after === undefined ? '' : ` (after ${after})`}`,
  );
}

function observed({ observation, ...rest }: Exclude<ToolOutcome, { kind: 'ended' }>): Partial<Cycle> {
  return 'outcome' in rest && rest.outcome !== undefined ? { observation, outcome: rest.outcome } : { observation };
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
function recovery(value: string, useReasoning: boolean): Cycle[] {
  const names = TOOLS.map((tool) => tool.name).join(', ');
  const hint = 'Choose one of the tools, by its exact name, with a JSON object of its arguments.';
  return [
    { observation: `Agent failed to select a valid tool: '${value}' is none of ${names}.` },
    useReasoning
      ? {
          thought: 'To run a command I have to choose execute_workflow_query; its argument is the command.',
          observation: hint,
        }
      : { observation: hint },
  ];
}
