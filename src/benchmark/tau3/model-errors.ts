/** Values as pydantic shows them in its errors: their repr, of a long one the first 25 and the last 24 bytes. */

import { repr, type PyValue } from '../python/index.ts';

const MAX_BYTES = 50;
const FIRST = 25;
const LAST = 24;

export function formatInput(value: PyValue): string {
  const shown = repr(value);
  if (shown.length <= MAX_BYTES / 3) return shown;
  const bytes = new TextEncoder().encode(shown);
  if (bytes.length <= MAX_BYTES) return shown;
  const decode = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  // A character at the cut is left out as a whole.
  let end = FIRST;
  while (isContinuation(bytes[end])) end--;
  let start = bytes.length - LAST;
  while (isContinuation(bytes[start])) start++;
  return `${decode(0, end)}...${decode(start, bytes.length)}`;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
