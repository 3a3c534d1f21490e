/** A completion as the text of its file, and back. What is not whole, or of another version, is no entry. */

import type { ModelReply } from '../reply.ts';
import { digestOf } from './canonical.ts';
import { ENTRY_FORMAT, entrySchema } from './entry.schema.ts';

export function writeEntry(key: string, reply: ModelReply): string {
  return `${JSON.stringify({ format: ENTRY_FORMAT, key, digest: digestOf(reply), reply })}\n`;
}

/** @returns null for a text that is damaged, of another version, or another key's */
export function readEntry(key: string, text: string): ModelReply | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success || parsed.data.key !== key) return null;
  const { digest, reply } = parsed.data;
  return digestOf(reply) === digest ? reply : null;
}
