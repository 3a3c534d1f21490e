/**
 * Reads a command's parameters from words, with a model: what remains when the tags do not give them all.
 *
 * FastWorkflow samples up to three answers and keeps the best; here one answer counts, and a second is asked for only
 * when the first cannot be read.
 */

import type { ReplyFieldDefinition, ReplyFieldValues } from '../../../port.ts';
import { catalogues } from '../../catalogue/index.ts';
import type { CommandDefinition, FieldDefinition } from '../../catalogue/types.ts';
import { extractionMessages } from '../../prompt/extraction.ts';
import { NOT_FOUND } from '../../prompt/marker.ts';
import type { Workshop } from '../../state.ts';
import type { RawParameters } from '../types.ts';
import { wholePattern } from './coerce.ts';
import { readList } from './list.ts';

/**
 * @param statement what was said beside the parameters found so far; nothing but the command's name costs no call
 * @param found parameters that tags gave; they stand whatever the model says
 * @returns all parameters that are known now; null when two answers could not be read
 */
export async function extractParameters(
  { session }: Pick<Workshop, 'session'>,
  command: CommandDefinition,
  statement: string,
  found: RawParameters,
): Promise<RawParameters | null> {
  const words = withoutName(statement, command.name);
  if (words === '' || command.fields.length === 0) return found;
  for (const attempt of ['first', 'again'] as const) {
    const { fields } = await session.complete({
      role: 'agent/extraction',
      thread: 'extraction',
      messages: extractionMessages(command.name, words, attempt),
      format: 'json',
      replyFields: command.name,
      summary: `extract parameters: ${command.name}${attempt === 'first' ? '' : ', again'}`,
    });
    if (fields !== undefined && fields !== null) return withExtracted(command, fields, found);
    session.count('unreadable_replies');
  }
  return null;
}

/** The fields of an extraction's reply; the key is the command's name. The model's reasoning is nobody's concern. */
export function commandReplyFields(key: string, env: string): readonly ReplyFieldDefinition[] | undefined {
  const catalogue = Object.hasOwn(catalogues, env) ? catalogues[env] : undefined;
  const command = catalogue?.find(key);
  return command?.fields.map(({ name, type }) => ({ name, type: type === 'list' ? 'list' : 'text' }));
}

/** The command's name is no value, wherever it stands. */
function withoutName(statement: string, name: string): string {
  return statement.replace(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'gi'), '').trim();
}

function withExtracted(command: CommandDefinition, fields: ReplyFieldValues, found: RawParameters): RawParameters {
  const known = new Map<string, string | readonly string[]>();
  for (const field of command.fields) {
    const value = found.get(field.name) ?? extractedValue(field, fields[field.name] ?? null);
    if (value !== null) known.set(field.name, value);
  }
  return known;
}

function extractedValue(
  field: FieldDefinition,
  value: string | readonly string[] | null,
): string | readonly string[] | null {
  const texts = (typeof value === 'string' ? [value] : (value ?? [])).map((text) => text.trim()).filter(isGiven);
  const [first] = texts;
  if (first === undefined) return null;
  if (field.type !== 'list') return first;
  return texts.length === 1 ? splitList(field, first) : texts;
}

/** A list may come as one text, `1, 2`. One item that has the field's form is one item. */
function splitList({ pattern }: FieldDefinition, text: string): readonly string[] {
  const isItem = pattern === undefined ? !/[[(,]/.test(text) : wholePattern(pattern).test(text);
  return isItem ? [text] : readList(text);
}

function isGiven(text: string): boolean {
  return text !== '' && text.toUpperCase() !== NOT_FOUND && !/^(?:null|none|\[\s*\])$/i.test(text);
}
