/** Parts of A2A messages and artifacts: texts and data. */

import type { Part } from '@a2a-js/sdk';
import { isObject } from '../../io/index.ts';

export function textPart(value: string, mediaType = 'text/plain'): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType };
}

export function dataPart(value: object): Part {
  return { content: { $case: 'data', value }, metadata: undefined, filename: '', mediaType: 'application/json' };
}

/** The texts among parts; null: there is none. */
export function textOf(parts: readonly Part[]): string | null {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** The first object among data parts. */
export function dataOf(parts: readonly Part[]): Readonly<Record<string, unknown>> | null {
  for (const { content } of parts) {
    if (content?.$case !== 'data') continue;
    const value: unknown = content.value;
    if (isObject(value)) return value;
  }
  return null;
}
