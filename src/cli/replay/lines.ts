/** Splits what is piped in into lines, holding no more of it than the line that is under way. */

import { isUtf8 } from 'node:buffer';

export interface InputLine {
  /** From 1. */
  readonly number: number;
  /** Without its end; null when the bytes are not UTF-8. */
  readonly text: string | null;
}

/**
 * The lines as they come, those that came together at once: whoever writes a line and waits for the answer gets it.
 * Lines end at line feeds only: JSON's strings may hold the other characters that end lines elsewhere.
 */
export async function* inputLines(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<InputLine[], void> {
  let number = 0;
  let waiting: Buffer[] = [];
  const line = (): InputLine => {
    const [first] = waiting;
    const bytes = waiting.length === 1 && first !== undefined ? first : Buffer.concat(waiting);
    waiting = [];
    number++;
    return { number, text: isUtf8(bytes) ? bytes.toString('utf8') : null };
  };
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    const lines: InputLine[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      waiting.push(bytes.subarray(from, end));
      from = end + 1;
      lines.push(line());
    }
    if (from < bytes.length) waiting.push(bytes.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (waiting.length > 0) yield [line()];
}

const LINE_FEED = 0x0a;
