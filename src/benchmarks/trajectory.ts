/** The environment actions of a conversation in tau-bench's form, so that it can be replayed and graded. */

import {
  PyError,
  dumpJson,
  isDict,
  parseJson,
  JsonError,
  containsText,
  getItem,
  strip,
  typeName,
  type DumpableValue,
  type PyValue,
} from './python/index.ts';
import { RESPOND, type Action } from './types.ts';

/** The part of a message that decides the action; messages of any provider's library have at least this. */
export interface ActingMessage {
  readonly role: string;
  readonly content?: DumpableValue;
  readonly tool_calls?: readonly TrajectoryToolCall[] | null;
}

interface TrajectoryToolCall {
  readonly function?: {
    readonly name: string;
    /** JSON text, as the model wrote it. */
    readonly arguments: string;
  } | null;
}

/**
 * Form of the actions in an agent's messages: `tools` for a provider's tool calls (tool-calling, few-shot, and this
 * project's fastworkflow), `text` for JSON after `Action:` (act, react).
 */
export type TrajectoryForm = 'tools' | 'text';

/**
 * Returns one action per assistant message; see {@link findAction}.
 * @param steps number of messages from the first, to leave out an unreadable last one. @default all
 * @throws JsonError, PyError for a message that is not an action
 */
export function listActions(
  messages: readonly ActingMessage[],
  form: TrajectoryForm = 'tools',
  steps = Infinity,
): Action[] {
  const replies = messages.filter((message) => message.role === 'assistant').slice(0, steps);
  return replies.map((message) => findAction(message, form));
}

/**
 * Returns the action of an assistant message: its first tool call, otherwise `respond` with its content; further calls
 * of a message are never executed. In the form `text`, {@link textActionOf} reads the action.
 * @throws JsonError when arguments are not JSON, PyError when they are not an object or the text is not an action
 */
export function findAction(message: ActingMessage, form: TrajectoryForm = 'tools'): Action {
  const { content = null } = message;
  if (form === 'text') return textActionOf(parseJson(dumpJson(content)));
  const call = message.tool_calls?.[0]?.function;
  if (call === undefined || call === null) {
    return { name: RESPOND, kwargs: new Map([['content', parseJson(dumpJson(content))]]) };
  }
  const kwargs = parseJson(call.arguments);
  if (!isDict(kwargs)) {
    throw new PyError('ValidationError', `the arguments of the call of ${call.name} are not a JSON object`);
  }
  return { name: call.name, kwargs };
}

/** Marker of the action in a reply of the act and react agents, which have no tool API: JSON follows it. */
const MARKER = 'Action:';

/**
 * Parses the text after the last marker, or the whole reply. Text that is not JSON becomes a message to the user.
 * @throws PyError if the reference's agent raises one, which ends the episode; JsonError for JSON beyond its limits
 */
export function textActionOf(content: PyValue): Action {
  if (typeof content !== 'string') {
    throw new PyError('AttributeError', `'${typeName(content)}' object has no attribute 'split'`);
  }
  const marker = content.lastIndexOf(MARKER);
  const text = strip(marker < 0 ? content : content.slice(marker + MARKER.length));
  const parsed = parseAction(text);
  if (parsed === undefined) return { name: RESPOND, kwargs: new Map([['content', text]]) };
  for (const key of ['name', 'arguments']) {
    if (!containsText(parsed, key)) throw new PyError('AssertionError', `the action has no "${key}"`);
  }
  const name = getItem(parsed, 'name');
  const kwargs = getItem(parsed, 'arguments');
  if (typeof name !== 'string') throw new PyError('ValidationError', 'the name of the action is no text');
  if (!isDict(kwargs)) throw new PyError('ValidationError', 'the arguments of the action are not an object');
  return { name, kwargs };
}

/**
 * Parses an action; undefined for a decode error of Python. Python's limits on depth and digits are errors of another
 * kind.
 */
function parseAction(text: string): PyValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError && /\(char \d+\)$/.test(error.message)) return undefined;
    throw error;
  }
}
