/** Reads parts of A2A messages and artifacts: texts and data. */

import type { Part } from '@a2a-js/sdk';
import { marksThought } from '../../../agents/index.ts';
import { isObject, jsonObject, parsedJson } from '../../../io/index.ts';

export function textPart(value: string, mediaType = 'text/plain'): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType };
}

export function dataPart(value: object): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: 'application/json' };
}

/** Joins the texts among parts; null if there are none. */
export function joinTextParts(parts: readonly Part[]): string | null {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** Returns the first object among data parts; null if there is none. */
export function findData(parts: readonly Part[]): Readonly<Record<string, unknown>> | null {
  return objectsIn(parts)[0] ?? null;
}

function objectsIn(parts: readonly Part[]): Readonly<Record<string, unknown>>[] {
  return parts.flatMap(({ content }) => {
    if (content?.$case !== 'data') return [];
    const value: unknown = typeof content.value === 'string' ? parsedJson(content.value) : content.value;
    return isObject(value) ? [value] : [];
  });
}

/** Fields of an answer of the turn protocol. */
const ANSWER_FIELDS = ['message', 'tool_calls', 'end', 'error'];

/**
 * Finds the answer of the turn protocol among parts, as JSON text. Frameworks add other data, and models write it as a
 * text. Null: none.
 */
export function answerIn(parts: readonly Part[]): string | null {
  const isAnswer = (data: Readonly<Record<string, unknown>>) => ANSWER_FIELDS.some((field) => field in data);
  const data = objectsIn(parts);
  const found = data.find(isAnswer) ?? data[0];
  if (found !== undefined) return JSON.stringify(found);
  const text = joinTextParts(parts);
  const written = text === null ? null : jsonObject(text);
  return written !== null && isAnswer(written) ? text : null;
}

/** True for a part that is not a thought. */
export function saidPart({ metadata }: Part): boolean {
  return !marksThought(metadata);
}

/** True for parts with words: a text that is not blank, or data. */
export function partsHaveWords(parts: readonly Part[]): boolean {
  return parts.some(({ content }) =>
    content?.$case === 'text' ? content.value.trim() !== '' : content?.$case === 'data',
  );
}

/** Returns the content of a part as a text, for comparison. */
export function spellPart({ content }: Part): string {
  if (content?.$case === 'text') return content.value;
  const value: unknown = content?.$case === 'raw' ? content.value.toString('base64') : content?.value;
  return `\0${content?.$case ?? ''} ${JSON.stringify(value)}\0`;
}
