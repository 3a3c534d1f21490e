/**
 * FastWorkflow's prompts: recognizes the kind by the output fields, and the agent's progress in its script by the
 * trajectory.
 */

import { lastText, type Conversation } from '../../conversation.ts';
import { ANSWER_LOST, NOT_CARRIED_OUT, type Weakness } from '../under-condition.ts';

/** A prompt, by the reply that it requests. */
export interface FieldPrompt {
  readonly role: 'agent' | `agent/${string}`;
  /** Output fields in order. */
  readonly fields: readonly string[];
  readonly form: 'chat' | 'json';
  /** The filled-in input fields. */
  readonly text: string;
}

/** Kinds of prompts, by an output field. */
const ROLE_OF_FIELD: Readonly<Record<string, FieldPrompt['role']>> = {
  next_tool_name: 'agent',
  next_steps: 'agent/planner',
  final_answer: 'agent/extract',
  conversation_summary: 'agent/summary',
  clarified_command: 'agent/clarification',
  command_confidences: 'agent/ranker',
};

/** Reads a prompt. @returns undefined for another request */
export function readFieldPrompt(conversation: Conversation): FieldPrompt | undefined {
  const text = lastText(conversation, 'user');
  if (text === undefined || !text.includes('[[ ## ')) return undefined;
  const end = text.trimEnd().lastIndexOf('\n\n');
  const reminder = text.slice(end + 1);
  const marked = [...reminder.matchAll(/\[\[ ## (\w+) ## \]\]/g)].map(([, field]) => field ?? '');
  const quoted = [...reminder.matchAll(/`(\w+)`/g)].map(([, field]) => field ?? '');
  const fields = (marked.length > 0 ? marked : quoted).filter((field) => field !== 'completed');
  if (fields.length === 0) return undefined;
  const known = fields.map((field) => ROLE_OF_FIELD[field]).find((role) => role !== undefined);
  return {
    role: known ?? 'agent/extraction',
    fields,
    form: conversation.wantsJson || marked.length === 0 ? 'json' : 'chat',
    text: end < 0 ? text : text.slice(0, end),
  };
}

/** Returns an input field's text; undefined if there is no such field. */
export function inputField(text: string, name: string): string | undefined {
  const heading = `[[ ## ${name} ## ]]`;
  const at = text.indexOf(heading);
  if (at < 0) return undefined;
  const rest = text.slice(at + heading.length);
  const end = rest.indexOf('\n\n[[ ## ');
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** Way to make the next move. */
export type PromptAttempt =
  | 'first'
  /** Repeats a misunderstood command unchanged. */
  | 'again'
  /** Repeats a misunderstood command after a question to the user. */
  | 'ask';

export interface PlayProgress {
  /** Position of the next move, from 0. */
  readonly position: number;
  readonly attempt: PromptAttempt;
}

/** A step of the agent in the prompt. */
export interface SeenCycle {
  readonly index: number;
  readonly thought: string;
  readonly tool: string;
  /** Observation of the tool; undefined while it is running. */
  readonly observation: string | undefined;
}

const FIELD = /\[\[ ## (?:(thought|tool_name|observation)_(\d+)|\w+) ## \]\]\n?/g;
/** Matches notes of moves: `(move 4)`, `(move 4, again)`, `(before move 4)`. */
const MOVE = /\((before )?move (\d+)(, again)?\)/;

/** Matches observations of FastWorkflow's agent after a command that did not run. */
const NOT_RUN =
  /PARAMETER EXTRACTION ERROR|Execution error in|Execute these next steps:|, so nothing ran\b|\bask_user\b/;
const TO_ASK = /\bask_user\b/;

/** Adds a move's number to a thought about it. */
export function noteMove(text: string, { position, attempt }: PlayProgress): string {
  const number = `move ${position + 1}`;
  const note = { first: number, again: `${number}, again`, ask: `before ${number}` }[attempt];
  return `${text} (${note}).`;
}

export function readCycles(text: string): SeenCycle[] {
  const cycles = new Map<number, { thought: string; tool: string; observation: string | undefined }>();
  const marks = [...text.matchAll(FIELD)];
  for (const [i, mark] of marks.entries()) {
    const [heading, field, number] = mark;
    if (field === undefined) continue;
    const index = Number(number);
    const cycle = cycles.get(index) ?? { thought: '', tool: '', observation: undefined };
    cycles.set(index, cycle);
    const value = text.slice(mark.index + heading.length, marks[i + 1]?.index).trim();
    if (field === 'thought') cycle.thought = value;
    else if (field === 'tool_name') cycle.tool = /\w+/.exec(value)?.[0] ?? '';
    else cycle.observation = value;
  }
  return Array.from(cycles, ([index, cycle]) => ({ index, ...cycle })).sort((a, b) => a.index - b.index);
}

/**
 * Finds the position of an episode's agent in its script. Every thought of the scripted agent names its move,
 * `(move 4)`, so the last one suffices. For an agent without thoughts, its steps are counted.
 * @param isRepeated true if a misunderstood command is repeated; otherwise it is abandoned
 * @param atWork true for a prompt about the current command, which has not run yet
 * @param weakness decides whether the agent repeats a command that failed because of a condition
 */
export function followProgress(
  cycles: readonly SeenCycle[],
  isRepeated: (position: number) => boolean,
  atWork: boolean,
  weakness?: Weakness,
): PlayProgress {
  // Dropped steps count as moves.
  let progress: PlayProgress = { position: cycles[0]?.index ?? 0, attempt: 'first' };
  for (const { thought, tool, observation } of cycles) {
    const note = MOVE.exec(thought);
    if (note !== null) progress = readNote(note);
    if (atWork && observation === undefined) return progress;
    const { position, attempt } = progress;
    if (tool === 'ask_user') {
      progress = attempt === 'ask' ? { position, attempt: 'again' } : { position: position + 1, attempt: 'first' };
    } else if (tool === 'execute_workflow_query') {
      const failed = observation === undefined || NOT_RUN.test(observation);
      const isRefused = NOT_CARRIED_OUT.test(observation ?? '') && weakness !== 'no-retry';
      const isRepeatedBlindly = ANSWER_LOST.test(observation ?? '') && weakness === 'blind-repeats';
      if (isRefused || isRepeatedBlindly) progress = { position, attempt: 'again' };
      else
        progress =
          failed && attempt === 'first' && isRepeated(position)
            ? { position, attempt: TO_ASK.test(observation ?? '') ? 'ask' : 'again' }
            : { position: position + 1, attempt: 'first' };
    }
  }
  return progress;
}

function readNote([, before, number, again]: RegExpExecArray): PlayProgress {
  const attempt = before !== undefined ? 'ask' : again !== undefined ? 'again' : 'first';
  return { position: Number(number) - 1, attempt };
}
