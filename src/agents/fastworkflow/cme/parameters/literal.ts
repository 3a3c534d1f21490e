/**
 * Reads what models write where JSON is asked for: JSON proper, else Python's spelling of it (single quotes,
 * `True`, `None`), trailing commas, a code fence or words around it.
 */

import { parseJson } from '../../../../bench/python/json.ts';
import { isDict, type PyDict, type PyValue } from '../../../../bench/python/value.ts';

/** @returns the value, or undefined when the text is no literal even with good will */
export function parseLiteral(text: string): PyValue | undefined {
  const trimmed = text.trim();
  return tryJson(trimmed) ?? tryJson(toJsonSpelling(trimmed));
}

/** The JSON object in a text; undefined when there is none. Nothing at all counts as an empty object. */
export function parseObject(text: string): PyDict | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null' || trimmed === 'None') return new Map();
  const direct = parseLiteral(trimmed);
  if (isDict(direct)) return direct;
  const start = trimmed.indexOf('{');
  const end = trimmed.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  const inner = parseLiteral(trimmed.slice(start, end + 1));
  return isDict(inner) ? inner : undefined;
}

/** undefined for no JSON, and for JSON's own `null`, which no caller has a use for. */
function tryJson(text: string): PyValue | undefined {
  try {
    return parseJson(text) ?? undefined;
  } catch {
    // Not JSON: the caller tries the next reading.
    return undefined;
  }
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** Rewrites Python's spelling outside of double-quoted strings; text that is JSON already stays the same. */
function toJsonSpelling(text: string): string {
  const token = /"(?:[^"\\]|\\[\s\S])*"|'((?:[^'\\]|\\[\s\S])*)'|\b(?:True|False|None)\b|,(?=\s*[\]}])/g;
  return text.replace(token, (match: string, single: string | undefined) => {
    if (single !== undefined) return jsonString(single);
    if (match === ',') return '';
    return PYTHON_WORDS[match] ?? escapeControls(match);
  });
}

/** The inside of a single-quoted string as a JSON string. */
function jsonString(inside: string): string {
  return escapeControls(`"${inside.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"')}"`);
}

/** Models write line breaks into strings, which JSON forbids. */
function escapeControls(quoted: string): string {
  return quoted.replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t');
}
