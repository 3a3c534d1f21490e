/**
 * Answers FastWorkflow's prompts: planner, ReAct step, extraction of the answer, summary, clarification, and prompts
 * about a single statement, which need no episode.
 */

import { dumpJson, type DumpableValue } from '../../../benchmarks/python/index.ts';
import { writeCommand } from '../../../agents/index.ts';
import { PHRASES, stateOutputs, type CallMove, type Move, type ToolShape } from '../../script.ts';
import type { ScriptedReply } from '../../reply.ts';
import type { Weakness } from '../under-condition.ts';
import { followProgress, noteMove, readCycles, inputField, type PlayProgress, type FieldPrompt } from './prompt.ts';
import { rankCommands, readStatement } from './statement.ts';
import { DRAFT, chooseManner, wordCommand, type Wording } from './wording.ts';

/** The episode of a prompt. */
interface FieldEpisode {
  readonly code: string;
  readonly script: readonly Move[];
  readonly wording: Wording;
  readonly tools: readonly ToolShape[];
  readonly weakness?: Weakness | undefined;
}

type FieldValues = Readonly<Record<string, DumpableValue>>;

/** End of the summary of a turn after which nothing is left to do. */
const NOTHING_LEFT = 'Nothing is left to do.';
/** The reference's placeholder for a missing value. */
const NOT_FOUND = 'NOT_FOUND';

/** True for a prompt about a text alone, without a conversation or a case code. */
export function asksAboutWords({ role }: FieldPrompt): boolean {
  return role === 'agent/extraction' || role === 'agent/ranker';
}

/** Reads parameters from a statement, or ranks commands, without the ground truth. */
export function playAboutWords(prompt: FieldPrompt): ScriptedReply {
  const reasoning = 'The words say so.';
  const parameters = prompt.fields.filter((field) => field !== 'reasoning');
  const values =
    prompt.role === 'agent/ranker'
      ? { command_confidences: rankCommands(readPromptInput(prompt, 'utterance'), readPromptInput(prompt, 'commands')) }
      : Object.fromEntries(readStatement(readPromptInput(prompt, 'statement'), parameters));
  return { role: prompt.role, episode: null, position: 0, content: replyText(prompt, { reasoning, ...values }) };
}

function readPromptInput({ text }: FieldPrompt, field: string): string {
  return inputField(text, field) ?? text;
}

export function playFieldPrompt(prompt: FieldPrompt, episode: FieldEpisode): ScriptedReply {
  const { code, wording } = episode;
  // Thinking has no command, and the result does not depend on it.
  const moves = episode.script.filter((move) => move.kind === 'say' || move.action.name !== 'think');
  const progress = isOver(prompt.text)
    ? ({ position: moves.length, attempt: 'first' } as const)
    : followProgress(
        readCycles(prompt.text),
        (position) => chooseManner(moves[position], code, position, wording) !== 'exact',
        prompt.role === 'agent/clarification',
        episode.weakness,
      );
  const { position, attempt } = progress;
  const text = replyText(prompt, valuesFor(prompt, moves, progress, episode));
  const isDrafted =
    prompt.role === 'agent' &&
    attempt === 'first' &&
    chooseManner(moves[position], code, position, wording) === 'drafted';
  return { role: prompt.role, episode: code, position, content: isDrafted ? `${DRAFT}\n\n${text}` : text };
}

function valuesFor(
  prompt: FieldPrompt,
  moves: readonly Move[],
  progress: PlayProgress,
  episode: FieldEpisode,
): FieldValues {
  const { position } = progress;
  switch (prompt.role) {
    case 'agent':
      return nextStep(moves, progress, episode);
    case 'agent/planner':
      return { reasoning: 'The ground truth tells what is left.', next_steps: plan(moves.slice(position)) };
    case 'agent/extract':
      return { reasoning: 'All commands have run.', final_answer: lastWords(moves, position) };
    case 'agent/summary':
      return {
        reasoning: 'The turn is over.',
        conversation_summary: `The customer's request ${episode.code} was handled. ${NOTHING_LEFT}`,
      };
    case 'agent/clarification':
      return fillClarification(moves[position], position, episode);
    default:
      return { reasoning: 'This is not known.' };
  }
}

function nextStep(moves: readonly Move[], progress: PlayProgress, episode: FieldEpisode): FieldValues {
  const { position, attempt } = progress;
  const move = moves[position];
  if (move === undefined || (move.kind === 'say' && position === moves.length - 1)) {
    return step('Nothing is left to do but to answer.', 'finish', {});
  }
  if (move.kind === 'say') {
    return step(noteMove('The customer must be told', progress), 'ask_user', { clarification_request: move.text });
  }
  const { name } = move.action;
  switch (attempt) {
    case 'first': {
      const manner = chooseManner(move, episode.code, position, episode.wording);
      const next = moves[position + 1];
      const following = next?.kind === 'call' ? next.action : undefined;
      const command = commandText(move, (action) => wordCommand(action, manner, position, episode.tools, following));
      return step(noteMove(`Next comes ${name}`, progress), 'execute_workflow_query', { command });
    }
    case 'again': {
      const command = commandText(move);
      return step(noteMove(`Once more to the letter: ${name}`, progress), 'execute_workflow_query', { command });
    }
    case 'ask':
      return step(noteMove('The customer shall decide', progress), 'ask_user', {
        clarification_request: PHRASES.mayIGoOn,
      });
  }
}

function step(thought: string, tool: string, args: FieldValues): FieldValues {
  return { next_thought: thought, next_tool_name: tool, next_tool_args: args };
}

/** Formats a command as `name <p>v</p> <q>["v", "w"]</q>`; a garbled one lacks its last parameter. */
function commandText(
  { action, garbled }: CallMove,
  write = ({ name, kwargs }: CallMove['action']) => writeCommand(name, kwargs),
): string {
  const parameters = [...action.kwargs];
  return write({ name: action.name, kwargs: new Map(garbled === true ? parameters.slice(0, -1) : parameters) });
}

function plan(moves: readonly Move[]): string {
  const steps = moves.map((move) => (move.kind === 'call' ? `Run ${move.action.name}.` : 'Tell the customer.'));
  return (steps.length === 0 ? ['Say goodbye.'] : steps).map((text, i) => `${i + 1}. ${text}`).join('\n');
}

function lastWords(moves: readonly Move[], position: number): string {
  if (position >= moves.length) return PHRASES.goodbye;
  const last = moves.at(-1);
  return last?.kind === 'say' ? last.text : `${stateOutputs([])} ${PHRASES.requestComplete}`;
}

function fillClarification(move: Move | undefined, position: number, { code, wording }: FieldEpisode): FieldValues {
  if (move?.kind === 'call' && chooseManner(move, code, position, wording) !== 'hopeless') {
    return {
      reasoning: 'The script names the command.',
      clarified_command: commandText(move),
      needs_human: 'False',
      clarification_question: '',
    };
  }
  return {
    reasoning: 'Only the customer can tell.',
    clarified_command: '',
    needs_human: 'True',
    clarification_question: PHRASES.mayIGoOn,
  };
}

/** True if an earlier turn has the answer, in its summary or in the answer itself. */
function isOver(text: string): boolean {
  return text.includes(NOTHING_LEFT) || text.includes(PHRASES.requestComplete);
}

function replyText({ form, fields }: FieldPrompt, values: FieldValues): string {
  const entries = fields.map((field) => [field, values[field] ?? NOT_FOUND] as const);
  if (form === 'json') return dumpJson(Object.fromEntries(entries));
  const sections = entries.map(
    ([field, value]) => `[[ ## ${field} ## ]]\n${typeof value === 'string' ? value : dumpJson(value)}`,
  );
  return [...sections, '[[ ## completed ## ]]'].join('\n\n');
}
