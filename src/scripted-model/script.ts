/**
 * The moves of an episode's agent, their sentences, and the tools that they call. Without a flaw they are the task's
 * ground truth.
 */

import { RESPOND, STOP_MARKER, type Action, type Task } from '../benchmarks/index.ts';
import type { Pack } from '../benchmarks/packs/index.ts';
import { formatCaseCode, type CaseCode } from './case-code.ts';
import { isDict, isList, type PyDict, type PyValue } from '../benchmarks/python/index.ts';

export type Move =
  | {
      readonly kind: 'call';
      readonly action: Action;
      /** True if the arguments are deliberately unreadable. @default false */
      readonly garbled?: boolean;
    }
  | { readonly kind: 'say'; readonly text: string };

export type CallMove = Extract<Move, { kind: 'call' }>;

/**
 * Returns the moves that solve a task: its actions, then an answer with its outputs. A tool that ends the episode comes
 * last.
 */
export function solvingMoves(pack: Pack, task: Task): Move[] {
  const calls: Move[] = [];
  let ending: CallMove | undefined;
  const moves: Move[] = calls;
  for (const action of task.actions) {
    if (action.name === RESPOND) continue;
    if (action.requestor === 'user') {
      if (moves.at(-1)?.kind !== 'say') moves.push({ kind: 'say', text: PHRASES.askForCalls });
      continue;
    }
    if (pack.terminateTools.includes(action.name)) ending ??= { kind: 'call', action };
    else calls.push({ kind: 'call', action });
  }
  if (ending === undefined) return [...calls, finalAnswer(task.outputs)];
  if (task.outputs.length === 0) return [...calls, ending];
  return [...calls, { kind: 'say', text: `${stateOutputs(task.outputs)} ${PHRASES.beforeTransfer}` }, ending];
}

/** Returns the agent's last message, which makes the scripted user stop. */
export function finalAnswer(outputs: readonly string[]): Move {
  return { kind: 'say', text: `${stateOutputs(outputs)} ${PHRASES.requestComplete}` };
}

/** Returns the agent's move at a position of its script; after the end, a goodbye. */
export function moveAt(moves: readonly Move[], position: number): Move {
  return moves[position] ?? { kind: 'say', text: PHRASES.goodbye };
}

/** Sentences of the scripted user and agent, and the patterns that recognize them. */
export const PHRASES = {
  /** Requests the next calls of the ground truth from a user with own tools. */
  askForCalls: 'Please take the next steps on your phone.',
  /** End of the agent's last answer, which makes the user stop. */
  requestComplete: 'Your request is complete.',
  handled: 'Everything has been taken care of.',
  beforeTransfer: 'I will now pass you on to a colleague; may I go ahead?',
  /** Requests the user's consent, which the user gives. */
  mayIGoOn: 'I would like to go on with your request now; may I?',
  goodbye: 'Thank you for getting in touch. Goodbye.',
  consent: 'Yes, please go ahead.',
  greeting: 'Hello, I could use some help.',
  handOver: 'The customer needs help that goes beyond what I can do.',
} as const;

/** Matches any agent's last message. */
const END_OF_HELP = /your request is complete|goodbye|anything else|have a (?:great|good|nice|wonderful|lovely) /i;

const OPENINGS = [
  'Hi, I need some help with my account.',
  'Hello, could you help me with something?',
  'Good day, I have a request about an order of mine.',
  'Hi there, I would like to sort something out.',
] as const;

/** Returns the user's first line, with the case code from which the scripted agent knows its task. */
export function openingLine(code: CaseCode): string {
  const line = OPENINGS[code.taskId % OPENINGS.length] ?? OPENINGS[0];
  return `${line} ${formatCaseCode(code)}`;
}

export function userReply(agentText: string): string {
  return END_OF_HELP.test(agentText) ? STOP_MARKER : PHRASES.consent;
}

/** Returns a sentence with a task's literal outputs. */
export function stateOutputs(outputs: readonly string[]): string {
  if (outputs.length === 0) return PHRASES.handled;
  return `Here is what you asked for: ${outputs.join('; ')}.`;
}

/** Names and parameters of a tool. */
export interface ToolShape {
  readonly name: string;
  /** Required parameters in the tool's order. */
  readonly required: readonly string[];
  readonly properties: PyDict;
}

const EMPTY: PyDict = new Map<string, PyValue>();

/** Returns the parameters of all tools that a pack offers to a model. */
export function toolShapes(pack: Pack): ToolShape[] {
  return pack.tools.flatMap((tool): ToolShape[] => {
    const described = schemaField(tool, 'function');
    const name = schemaField(described, 'name');
    const parameters = schemaField(described, 'parameters');
    const required = schemaField(parameters, 'required');
    const properties = schemaField(parameters, 'properties');
    if (typeof name !== 'string' || name === RESPOND) return [];
    return [
      {
        name,
        required: isList(required) ? required.filter((key) => typeof key === 'string') : [],
        properties: isDict(properties) ? properties : EMPTY,
      },
    ];
  });
}

/** Returns the value of a key in a schema. */
export function schemaField(value: PyValue | undefined, key: string): PyValue | undefined {
  return isDict(value) ? value.get(key) : undefined;
}

/** Returns the user's own calls in the ground truth, grouped by the agent's requests for them. */
export function userCalls({ actions }: Task): readonly (readonly Action[])[] {
  const groups: Action[][] = [];
  let isOpen = false;
  for (const action of actions) {
    if (action.requestor !== 'user') isOpen = false;
    else if (isOpen) groups.at(-1)?.push(action);
    else {
      groups.push([action]);
      isOpen = true;
    }
  }
  return groups;
}
