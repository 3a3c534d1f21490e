/**
 * FastWorkflow's prompts: planner, ReAct step, extraction, summary, and what else asks for `[[ ## field ## ]]`s.
 *
 * A prompt is known by the output fields that its last paragraph asks for, and the agent's position in its script by
 * the trajectory that the prompt shows.
 */

import { writeCommand } from '../../../agents/fastworkflow/cme/parameters/xml.ts';
import { dumpJson, type Dumpable } from '../../../bench/python/json.ts';
import { lastText, type Conversation } from '../conversation.ts';
import { PHRASES, tellOutputs } from '../phrases.ts';
import type { ScriptedReply } from '../reply.ts';
import type { CallMove, Move } from '../script.ts';

/** What such a prompt asks for. */
export interface FieldPrompt {
  readonly role: 'agent' | `agent/${string}`;
  /** In the order asked for. */
  readonly fields: readonly string[];
  readonly form: 'chat' | 'json';
  /** The message that fills in the input fields. */
  readonly text: string;
}

type FieldValues = Readonly<Record<string, Dumpable>>;

/** Output fields that tell which prompt it is. */
const ROLE_OF_FIELD: Readonly<Record<string, FieldPrompt['role']>> = {
  next_tool_name: 'agent',
  next_steps: 'agent/planner',
  final_answer: 'agent/extract',
  conversation_summary: 'agent/summary',
  clarified_command: 'agent/clarification',
};

/** Tools of the loop that carry out a move of the script. The others (help texts, finish) leave it where it was. */
const MOVING_TOOLS: ReadonlySet<string> = new Set(['execute_workflow_query', 'ask_user']);
const TRAJECTORY_FIELD = /\[\[ ## (thought|tool_name|observation)_(\d+) ## \]\]\s*"?(\w*)/g;
/** Ends the summary of a turn; a later turn has nothing more to do. */
const NOTHING_LEFT = 'Nothing is left to do.';
/** The reference's word for a value that a statement does not give. */
const NOT_FOUND = 'NOT_FOUND';

/** @returns undefined when the request is of another kind */
export function readFieldPrompt(conversation: Conversation): FieldPrompt | undefined {
  const text = lastText(conversation, 'user');
  if (text === undefined || !text.includes('[[ ## ')) return undefined;
  const reminder = text.slice(text.trimEnd().lastIndexOf('\n\n') + 1);
  const marked = [...reminder.matchAll(/\[\[ ## (\w+) ## \]\]/g)].map(([, field]) => field ?? '');
  const quoted = [...reminder.matchAll(/`(\w+)`/g)].map(([, field]) => field ?? '');
  const fields = (marked.length > 0 ? marked : quoted).filter((field) => field !== 'completed');
  if (fields.length === 0) return undefined;
  const known = fields.map((field) => ROLE_OF_FIELD[field]).find((role) => role !== undefined);
  return {
    role: known ?? 'agent/extraction',
    fields,
    form: conversation.wantsJson || marked.length === 0 ? 'json' : 'chat',
    text,
  };
}

export function playFieldPrompt(prompt: FieldPrompt, script: readonly Move[], episode: string): ScriptedReply {
  // There is no command for thinking, and nothing is lost without it.
  const moves = script.filter((move) => move.kind === 'say' || move.action.name !== 'think');
  const position = isOver(prompt.text) ? moves.length : movesMade(prompt.text);
  const values = valuesFor(prompt, moves, position, episode);
  const entries = prompt.fields.map((field) => [field, values[field] ?? NOT_FOUND] as const);
  const content = prompt.form === 'json' ? dumpJson(Object.fromEntries(entries)) : chatText(entries);
  return { role: prompt.role, episode, position, content };
}

function valuesFor(prompt: FieldPrompt, moves: readonly Move[], position: number, episode: string): FieldValues {
  switch (prompt.role) {
    case 'agent':
      return nextStep(moves, position);
    case 'agent/planner':
      return { reasoning: 'The ground truth tells what is left.', next_steps: plan(moves.slice(position)) };
    case 'agent/extract':
      return { reasoning: 'All commands have run.', final_answer: lastWords(moves, position) };
    case 'agent/summary':
      return {
        reasoning: 'The turn is over.',
        conversation_summary: `The customer's request ${episode} was handled. ${NOTHING_LEFT}`,
      };
    case 'agent/clarification':
      return clarification(moves, position);
    default:
      return { reasoning: 'The statement does not give the values.' };
  }
}

function nextStep(moves: readonly Move[], position: number): FieldValues {
  const move = moves[position];
  if (move === undefined || (move.kind === 'say' && position === moves.length - 1)) {
    return step('Nothing is left to do but to answer.', 'finish', {});
  }
  if (move.kind === 'say') return step('The customer must be told.', 'ask_user', { clarification_request: move.text });
  return step(`Next comes ${move.action.name}.`, 'execute_workflow_query', { command: commandText(move) });
}

function step(thought: string, tool: string, args: FieldValues): FieldValues {
  return { next_thought: thought, next_tool_name: tool, next_tool_args: args };
}

/** `name <p>v</p> <q>["v", "w"]</q>`; garbled, it lacks its last parameter. */
function commandText({ action, garbled }: CallMove): string {
  const parameters = [...action.kwargs];
  return writeCommand(action.name, new Map(garbled === true ? parameters.slice(0, -1) : parameters));
}

function plan(moves: readonly Move[]): string {
  const steps = moves.map((move) => (move.kind === 'call' ? `Run ${move.action.name}.` : 'Tell the customer.'));
  return (steps.length === 0 ? ['Say goodbye.'] : steps).map((text, i) => `${i + 1}. ${text}`).join('\n');
}

function lastWords(moves: readonly Move[], position: number): string {
  if (position >= moves.length) return PHRASES.goodbye;
  const last = moves.at(-1);
  return last?.kind === 'say' ? last.text : `${tellOutputs([])} ${PHRASES.requestComplete}`;
}

function clarification(moves: readonly Move[], position: number): FieldValues {
  const move = moves[position];
  const known = move?.kind === 'call';
  return {
    reasoning: known ? 'The script names the command.' : 'No command is left.',
    clarified_command: known ? commandText(move) : '',
    needs_human: known ? 'False' : 'True',
    clarification_question: known ? '' : PHRASES.beforeTransfer,
  };
}

/** Whether an earlier turn has given the answer: its summary says so, or where there is none, the answer itself. */
function isOver(text: string): boolean {
  return text.includes(NOTHING_LEFT) || text.includes(PHRASES.requestComplete);
}

/**
 * Moves that a trajectory shows. It numbers its steps from 0 and may have lost the oldest, so the last number counts,
 * less the visible steps that were none of the script's moves.
 */
function movesMade(text: string): number {
  const tools = new Map<number, string>();
  for (const [, field, index, tool] of text.matchAll(TRAJECTORY_FIELD)) {
    const step = Number(index);
    tools.set(step, field === 'tool_name' ? (tool ?? '') : (tools.get(step) ?? ''));
  }
  const others = [...tools.values()].filter((tool) => !MOVING_TOOLS.has(tool)).length;
  return tools.size === 0 ? 0 : Math.max(...tools.keys()) + 1 - others;
}

function chatText(entries: readonly (readonly [field: string, value: Dumpable])[]): string {
  const sections = entries.map(
    ([field, value]) => `[[ ## ${field} ## ]]\n${typeof value === 'string' ? value : dumpJson(value)}`,
  );
  return [...sections, '[[ ## completed ## ]]'].join('\n\n');
}
