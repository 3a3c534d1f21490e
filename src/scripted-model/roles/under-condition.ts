/**
 * The scripted agent's behavior under conditions: it repeats a call that was not executed, checks whether a call with a
 * lost answer took effect, reads the rest of a cut result, and calls tools by the offered names.
 */

import { parsedJson, isObject } from '../../io/index.ts';
import { stringEnd } from '../../agents/index.ts';
import { isDict, isList, parseObject, type PyDict, type PyValue } from '../../benchmarks/python/index.ts';
import type { Action } from '../../benchmarks/index.ts';
import type { Conversation } from '../conversation.ts';
import { isRead } from '../flaws.ts';
import { moveAt, schemaField, type Move, type ToolShape } from '../script.ts';

/** Weaknesses of an agent that become visible under conditions. */
export const WEAKNESSES = ['no-retry', 'blind-repeats', 'by-heart'] as const;
export type Weakness = (typeof WEAKNESSES)[number];

export const NOT_CARRIED_OUT = /is temporarily unavailable\. The call was not carried out/;
export const ANSWER_LOST = /connection was lost before \S+ answered/;
const CUT = /\[The result was cut here; .* call (\w+) with (\{[^{}]*\})\.\]/;

interface ConditionScript {
  readonly moves: readonly Move[];
  readonly tools: readonly ToolShape[];
  readonly weakness?: Weakness | undefined;
}

/**
 * Finds the next move.
 * @param turns turns of the conversation from the agent's first message on
 */
export function followScript(turns: Conversation['turns'], { moves, tools, weakness }: ConditionScript): Move {
  let position = 0;
  let next: Move | undefined;
  for (const [at, { role }] of turns.entries()) {
    if (role !== 'assistant') continue;
    const answer = turns[at + 1]?.role === 'assistant' ? '' : (turns[at + 1]?.text ?? '');
    const isExtra = next !== undefined;
    next = undefined;
    if (NOT_CARRIED_OUT.test(answer) && weakness !== 'no-retry') continue;
    if (ANSWER_LOST.test(answer) && weakness === 'blind-repeats') continue;
    const made = moveAt(moves, position);
    if (!isExtra) position += 1;
    if (ANSWER_LOST.test(answer) && weakness === undefined && made.kind === 'call')
      next = lookAfter(made.action, tools);
    const [, name = '', args = ''] = CUT.exec(answer) ?? [];
    const kwargs = parseObject(args);
    if (name !== '' && kwargs !== null) next = { kind: 'call', action: { name, kwargs } };
  }
  return next ?? moveAt(moves, position);
}

/** Returns a call that shows whether a write took effect: a call of a reading tool with arguments of the write. */
function lookAfter({ kwargs }: Action, tools: readonly ToolShape[]): Move | undefined {
  const look = tools.find(
    ({ name, required }) => isRead({ name, kwargs }) && required.length > 0 && required.every((key) => kwargs.has(key)),
  );
  if (look === undefined) return undefined;
  const args = new Map([...kwargs].filter(([key]) => look.required.includes(key)));
  return { kind: 'call', action: { name: look.name, kwargs: args } };
}

interface OfferedSchema {
  readonly name: string;
  readonly properties: unknown;
}

/** Returns a move with the offered names, which are in the order of the script's names. */
export function withOfferedNames(move: Move, tools: readonly ToolShape[], offered: readonly OfferedSchema[]): Move {
  const isOther = move.kind === 'call' && !offered.some(({ name }) => name.endsWith(move.action.name));
  if (!isOther || offered.length < tools.length) return move;
  const at = tools.findIndex(({ name }) => name === move.action.name);
  const [shape, other] = [tools[at], offered[at]];
  if (shape === undefined || other === undefined) return move;
  const kwargs = withOtherKeys(move.action.kwargs, shape.properties, other.properties);
  return { ...move, action: { ...move.action, name: other.name, kwargs } };
}

/**
 * Gives arguments the names of other properties.
 * @param from properties; those of `to` have the same descriptions, or else the same order
 */
function withOtherKeys(kwargs: PyDict, from: PyValue | undefined, to: unknown): PyDict {
  if (!isDict(from) || !isObject(to)) return kwargs;
  const known = [...from.keys()];
  const others = Object.entries(to);
  return new Map(
    [...kwargs].map(([key, value]) => {
      const described = schemaField(from.get(key), 'description');
      const alike = others.filter(([, schema]) => isObject(schema) && schema['description'] === described);
      const [other, schema] = (alike.length === 1 ? alike[0] : others[known.indexOf(key)]) ?? [key, undefined];
      return [other, withOtherKeysIn(value, from.get(key), schema)];
    }),
  );
}

function withOtherKeysIn(value: PyValue, from: PyValue | undefined, to: unknown): PyValue {
  const schema = isObject(to) ? to : {};
  if (isList(value)) return value.map((item) => withOtherKeysIn(item, schemaField(from, 'items'), schema['items']));
  return isDict(value) ? withOtherKeys(value, schemaField(from, 'properties'), schema['properties']) : value;
}

const LIST_OF_COMMANDS = 'execute_workflow_query tool commands:\n';

/**
 * Returns moves with the names of FastWorkflow's commands in a prompt, which are in the order of the tools' own names.
 */
export function withCommandNames(moves: readonly Move[], tools: readonly ToolShape[], prompt: string): Move[] {
  const [, text = ''] = prompt.split(LIST_OF_COMMANDS, 2);
  const commands: { name: string; properties: Record<string, unknown> }[] = [];
  for (const line of text.split('\n')) {
    const [, name, field, traits = ''] = /^- (\w+): |^ {4}(\w+) \(([^;]*;?[^;]*)/.exec(line) ?? [];
    if (name !== undefined) commands.push({ name, properties: {} });
    if (field === undefined) continue;
    const keys = [...traits.matchAll(/"(\w+)"/g)].map(([, key = '']) => [key, {}]);
    const properties = { [field]: { items: { properties: Object.fromEntries(keys) as object } } };
    Object.assign(commands.at(-1)?.properties ?? {}, properties);
  }
  const known = tools.filter(({ name }) => name !== 'think').sort((a, b) => (a.name < b.name ? -1 : 1));
  return moves.map((move) => withOfferedNames(move, known, commands));
}

const LIST_OF_TOOLS = '[{"type": "function"';

/** Returns the tools that a prompt contains as JSON. */
export function toolsInText(text: string): readonly OfferedSchema[] {
  const start = text.indexOf(LIST_OF_TOOLS);
  if (start < 0) return [];
  const tools = parsedJson(text.slice(start, endOfList(text, start)));
  return (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) => {
    const described = isObject(tool) ? tool['function'] : undefined;
    if (!isObject(described) || typeof described['name'] !== 'string') return [];
    const { parameters } = described;
    return [{ name: described['name'], properties: isObject(parameters) ? parameters['properties'] : undefined }];
  });
}

function endOfList(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') at = (stringEnd(text, at) ?? text.length) - 1;
    else if (char === '[') depth += 1;
    else if (char === ']' && --depth === 0) return at + 1;
  }
  return text.length;
}
