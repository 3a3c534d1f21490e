/** Reads what the agent answers to an error text: tags, or just values in the order in which they were asked for. */

import type { CommandDefinition } from '../../catalogue/types.ts';
import { readList } from '../parameters/list.ts';
import { readSyntax } from '../parameters/xml.ts';
import type { RawParameters } from '../types.ts';

/**
 * @param wanted names of the fields that were asked for, in that order
 * @returns the values that the text gives; values beyond the fields that were asked for are passed over
 */
export function readCorrection(command: CommandDefinition, wanted: readonly string[], text: string): RawParameters {
  const { found } = readSyntax(command, text);
  if (found.size > 0) return found;
  const values = wanted.length === 1 ? [text.trim()] : splitValues(text);
  const corrected = new Map<string, string | readonly string[]>();
  for (const [i, name] of wanted.entries()) {
    const field = command.fields.find((candidate) => candidate.name === name);
    const value = values[i];
    if (field === undefined || value === undefined || value === '') continue;
    corrected.set(name, field.type === 'list' ? readList(value) : unquote(value));
  }
  return corrected;
}

/** Splits at commas that are not within brackets or double quotes. */
export function splitValues(text: string): readonly string[] {
  const values: string[] = [];
  let start = 0;
  let depth = 0;
  let quoted = false;
  for (const { 0: sign, index } of text.matchAll(/["[({\])},]/g)) {
    if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if ('[({'.includes(sign)) depth++;
    else if ('])}'.includes(sign)) depth = Math.max(0, depth - 1);
    else if (depth === 0) {
      values.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...values, text.slice(start)].map((value) => value.trim());
}

function unquote(text: string): string {
  return text.replace(/^(["'])([\s\S]*)\1$/, '$2');
}
