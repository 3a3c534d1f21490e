/** Finds the reason in nested errors, because services wrap their model's error in their own, as JSON within a text. */

import { isObject, jsonObject, parsedJson } from './json-text.ts';

const FIELDS = ['message', 'error', 'detail', 'details', 'reason'] as const;
/** Most levels that are searched. */
const MOST_LAYERS = 8;

/** Returns the innermost message, or the text itself. */
export function innermostReason(text: string): string {
  const outer = jsonObject(text);
  const isFlat = outer !== null && Object.values(outer).every((value) => !isObject(value) && !isWrapping(value));
  if (isFlat) return text;
  let reason = text;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const inner = unwrapJson(reason);
    if (inner === undefined) break;
    reason = inner;
  }
  return reason;
}

function isWrapping(value: unknown): boolean {
  return typeof value === 'string' && unwrapJson(value) !== undefined;
}

/** Unwraps one level; SDKs write `400 {"error": …}`, and in Python `Error code: 400 - {'error': …}`. */
function unwrapJson(text: string): string | undefined {
  const start = text.indexOf('{');
  if (start === -1 || start > MOST_BEFORE) return undefined;
  const json = text.slice(start).trim();
  const value = parsedJson(json);
  return value === undefined ? pythonMessage(json) : textIn(value);
}

const MOST_BEFORE = 200;

function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  for (const field of FIELDS) {
    const found = textIn(value[field]);
    if (found !== undefined && found !== '') return found;
  }
  return undefined;
}

/** Finds the message in the form of a Python dict. */
function pythonMessage(text: string): string | undefined {
  const [, double, single] = /'message': (?:"((?:[^"\\]|\\.){1,2000})"|'((?:[^'\\]|\\.){1,2000})')/.exec(text) ?? [];
  return (double ?? single)?.replace(/\\(['"])/g, '$1');
}
