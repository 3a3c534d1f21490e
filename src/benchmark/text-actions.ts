/** The action in a reply of the act and react agents, which have no tool API: JSON after the word `Action:`. */

import {
  JsonError,
  PyError,
  containsText,
  getItem,
  isDict,
  parseJson,
  strip,
  typeName,
  type PyValue,
} from './python/index.ts';
import { RESPOND, type Action } from './types.ts';

const MARKER = 'Action:';

/**
 * What stands after the last marker (or the whole reply) is the action; what is no JSON is said to the user.
 * @throws PyError where the reference's agent raises, and so ends the episode; JsonError for JSON beyond its limits
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

/** Undefined for what Python calls a decode error; its limits on depth and digits are errors of another kind. */
function parseAction(text: string): PyValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError && /\(char \d+\)$/.test(error.message)) return undefined;
    throw error;
  }
}
