/** The ReAct loop's five tools. Only `execute_workflow_query` and `ask_user` can reach the environment. */

import type { PyDict } from '../../benchmark/python/index.ts';
import type { PromptPart, SolveEnd } from '../port.ts';
import { ToolError } from './execution.ts';
import { replan, type ReplanReason } from './planner.ts';
import { UnreadableReply } from './prompt/ask.ts';
import { COMMANDS_TEXT } from './prompt/messages.ts';
import type { ToolName } from './prompt/signatures.ts';
import type { Loop, Turn } from './state.ts';

export type ToolOutcome =
  | { readonly kind: 'observed'; readonly observation: PromptPart; readonly outcome?: string }
  /** As observed, after the customer answered a question. */
  | { readonly kind: 'answered'; readonly observation: PromptPart }
  /** The agent is done with this turn. */
  | { readonly kind: 'finished'; readonly observation: PromptPart }
  | { readonly kind: 'ended'; readonly end: SolveEnd };

/**
 * Uses a tool once. What goes wrong in it is an observation, and nothing is tried again: data may have changed.
 * FastWorkflow runs a failing command twice.
 */
export async function callTool(loop: Loop, turn: Turn, name: ToolName, args: PyDict): Promise<ToolOutcome> {
  try {
    return await useTool(loop, turn, name, args);
  } catch (error) {
    if (error instanceof ToolError || error instanceof UnreadableReply) return failed(loop, name, error.message);
    throw error;
  }
}

async function useTool(loop: Loop, turn: Turn, name: ToolName, args: PyDict): Promise<ToolOutcome> {
  switch (name) {
    case 'what_can_i_do':
    case 'intent_misunderstood':
      return { kind: 'observed', observation: COMMANDS_TEXT };
    case 'finish':
      return { kind: 'finished', observation: 'Completed.' };
    case 'execute_workflow_query':
      return executeWorkflowQuery(loop, turn, textArgument(args, 'command'));
    case 'ask_user':
      return askUser(loop, turn, textArgument(args, 'clarification_request'));
  }
}

async function executeWorkflowQuery(loop: Loop, turn: Turn, command: string): Promise<ToolOutcome> {
  loop.session.tell({ what: 'command', text: command });
  const executed = await loop.execute(loop, turn, command);
  switch (executed.kind) {
    case 'ran':
      turn.records.push({ kind: 'command', command, response: executed.response });
      return {
        kind: 'observed',
        observation: executed.response,
        outcome: inShort(executed.commandName ?? command, executed.response),
      };
    case 'not_run':
      if (typeof executed.observation === 'string') {
        loop.session.tell({ what: 'clarification', text: executed.observation });
      }
      return { kind: 'observed', observation: executed.observation, outcome: 'nothing ran' };
    case 'aborted':
      loop.session.tell({ what: 'clarification', text: executed.message });
      // The command is given up, not completed: the new plan says how to get what is missing.
      return {
        kind: 'observed',
        observation: await planFor(loop, turn, `${executed.message}\ncommand aborted`, 'parameter_error'),
        outcome: 'wrong parameters, nothing ran',
      };
    case 'ended':
      return executed;
  }
}

/** `get_order_details: Error: order not found`; of what went well, the command. */
function inShort(command: string, response: string): string {
  const problem = /(?:^|: ")((?:Error|Unknown action)\b[^"]*)/.exec(response)?.[1];
  return problem === undefined ? command : `${command}: ${problem}`;
}

async function askUser(loop: Loop, turn: Turn, question: string): Promise<ToolOutcome> {
  if (loop.options.decisionOnly === true) return { kind: 'ended', end: 'decided' };
  const acted = await loop.bridge.say(question);
  if (acted.kind === 'ended') return acted;
  turn.records.push({ kind: 'question', question, answer: acted.text });
  return { kind: 'answered', observation: await planFor(loop, turn, acted.text, 'answer') };
}

/** A plan that cannot be read must not lose what it was to be made for. */
async function planFor(loop: Loop, turn: Turn, response: string, reason: ReplanReason): Promise<string> {
  try {
    return await replan(loop, turn, response, reason);
  } catch (error) {
    if (!(error instanceof UnreadableReply)) throw error;
    loop.session.count('tool_errors');
    return `${response}\n\nNo new plan could be made of this: ${error.message}`;
  }
}

function textArgument(args: PyDict, argument: string): string {
  const value = args.get(argument);
  if (typeof value === 'string') return value;
  throw new ToolError(`it needs the argument ${argument}, a text.`);
}

function failed({ session }: Loop, tool: ToolName, problem: string): ToolOutcome {
  session.count('tool_errors');
  return { kind: 'observed', observation: `Execution error in ${tool}: ${problem}` };
}
