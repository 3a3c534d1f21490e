/**
 * Splits a stream of JSON into parts, so that a document of any length needs little memory. Only chosen members and
 * items are returned, each as text. Files may be hostile, so reading takes linear time, with limits on depth and on the
 * size of a part.
 */

import type * as z from 'zod';
import { describeMismatch } from '../../benchmarks/python/values.schema.ts';
import { ResultsError, ResultsProblem } from '../../run-log/index.ts';

/** Choice for a value. `open` chooses again for each of its members or items. */
export type Choice = 'open' | 'take' | 'skip';

export interface JsonPart {
  /** Path of the part: `results.prompts`, `samples[].scores`; empty for the root. */
  readonly path: string;
  /** Text of the part; null at the end of an opened object or list. */
  readonly text: string | null;
}

const MAX_DEPTH = 2_000;
const MAX_PART_BYTES = 64 * 1024 * 1024;

/** @throws ResultsError for text that is not JSON, or beyond the limits */
export async function* readJsonParts(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  choose: (path: string) => Choice,
): AsyncGenerator<JsonPart, void, undefined> {
  const splitter = new JsonSplitter(file, choose);
  for await (const chunk of chunks) yield* splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  yield* splitter.end();
}

/** Returns the names of the members of a document's root that its first bytes contain. */
export function listFirstNames(head: Buffer, file: string): string[] {
  const names: string[] = [];
  const choose = (path: string): Choice => {
    if (path !== '') names.push(path);
    return path === '' ? 'open' : 'skip';
  };
  try {
    Array.from(new JsonSplitter(file, choose).push(head));
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
  }
  return names;
}

interface Container {
  readonly path: string;
  readonly end: number;
  /** The name of the member whose value is next; null in a list. */
  name: string | null;
}

type ExpectedToken = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

class JsonSplitter {
  readonly #file: string;
  readonly #choose: (path: string) => Choice;
  readonly #opened: Container[] = [];
  #expected: ExpectedToken = 'value';
  #position = 0;
  #hasRoot = false;

  /** Kind of the value or name that is being read. */
  #kind: 'none' | 'name' | 'text' | 'scalar' | 'container' = 'none';
  #path = '';
  #isTaken = false;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(file: string, choose: (path: string) => Choice) {
    this.#file = file;
    this.#choose = choose;
  }

  *push(chunk: Buffer): Generator<JsonPart, void, undefined> {
    let at = this.#position === 0 && chunk.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
    while (at < chunk.length) {
      if (this.#kind !== 'none') {
        const end = this.#findEnd(chunk, at);
        this.#keep(chunk.subarray(at, end ?? chunk.length));
        if (end === null) break;
        at = end;
        yield* this.#finish();
      } else {
        const byte = chunk[at] ?? 0;
        if (!isSpace(byte)) yield* this.#meet(byte, this.#position + at);
        // The first byte of a value is read again as a part of it.
        if (this.#kind === 'none') at += 1;
      }
    }
    this.#position += chunk.length;
  }

  *end(): Generator<JsonPart, void, undefined> {
    if (this.#kind === 'scalar' && this.#opened.length === 0) yield* this.#finish();
    if (this.#kind !== 'none' || this.#opened.length > 0 || !this.#hasRoot) {
      throw damagedFileError(this.#file, 'it is cut short or is not JSON');
    }
  }

  *#meet(byte: number, position: number): Generator<JsonPart, void, undefined> {
    const container = this.#opened.at(-1);
    const expected = this.#expected;
    if (container !== undefined && byte === container.end && expected.endsWith('end')) {
      this.#opened.pop();
      this.#expected = this.#opened.length === 0 ? 'value' : 'comma or end';
      yield { path: container.path, text: null };
    } else if (expected === 'comma or end' && byte === COMMA) {
      this.#expected = container?.name === null ? 'value' : 'name';
    } else if (expected === 'colon' && byte === COLON) {
      this.#expected = 'value';
    } else if (expected.startsWith('name') && byte === QUOTE) {
      this.#begin('name', true);
    } else if (expected.startsWith('value')) {
      this.#meetValue(byte, container, position);
    } else {
      throw damagedFileError(this.#file, `it is not JSON at byte ${String(position)}`);
    }
  }

  #meetValue(byte: number, container: Container | undefined, position: number): void {
    this.#hasRoot = true;
    this.#path = container === undefined ? '' : pathIn(container);
    const choice = this.#choose(this.#path);
    const isContainer = byte === OPEN_OBJECT || byte === OPEN_LIST;
    if (isContainer && choice === 'open') {
      const isObject = byte === OPEN_OBJECT;
      this.#opened.push({ path: this.#path, end: isObject ? END_OBJECT : END_LIST, name: isObject ? '' : null });
      this.#expected = isObject ? 'name or end' : 'value or end';
    } else if (byte === COMMA || byte === COLON || byte === END_OBJECT || byte === END_LIST) {
      throw damagedFileError(this.#file, `it is not JSON at byte ${String(position)}`);
    } else {
      this.#begin(isContainer ? 'container' : byte === QUOTE ? 'text' : 'scalar', choice !== 'skip');
    }
  }

  #begin(kind: 'name' | 'text' | 'scalar' | 'container', isTaken: boolean): void {
    this.#kind = kind;
    this.#isTaken = isTaken;
    this.#depth = 0;
    this.#isInText = false;
    this.#isEscaped = false;
  }

  /**
   * Finds the end of the current value. @returns the position after its last byte; null if it continues in the next
   * chunk
   */
  #findEnd(chunk: Buffer, from: number): number | null {
    const isScalar = this.#kind === 'scalar';
    let [depth, isInText, isEscaped] = [this.#depth, this.#isInText, this.#isEscaped];
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInText = false;
          if (depth === 0) return at + 1;
        }
      } else if (isScalar) {
        if (byte === COMMA || byte === END_OBJECT || byte === END_LIST || isSpace(byte)) return at;
      } else if (byte === QUOTE) {
        isInText = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1;
        if (depth > MAX_DEPTH)
          throw damagedFileError(this.#file, `it is nested more than ${String(MAX_DEPTH)} levels deep`);
      } else if (byte === END_OBJECT || byte === END_LIST) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    [this.#depth, this.#isInText, this.#isEscaped] = [depth, isInText, isEscaped];
    return null;
  }

  #keep(piece: Buffer): void {
    if (!this.#isTaken || piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size > MAX_PART_BYTES)
      throw damagedFileError(this.#file, `${this.#path || 'a value'} is larger than 64 MiB`);
    // A copy: the chunk's memory may be used again.
    this.#pieces.push(Buffer.from(piece));
  }

  *#finish(): Generator<JsonPart, void, undefined> {
    const kind = this.#kind;
    const text = this.#isTaken ? Buffer.concat(this.#pieces).toString('utf8') : null;
    this.#kind = 'none';
    this.#pieces = [];
    this.#size = 0;
    const container = this.#opened.at(-1);
    if (kind === 'name') {
      if (container !== undefined) container.name = parsePart(text ?? '', this.#file) as string;
      this.#expected = 'colon';
      return;
    }
    this.#expected = container === undefined ? 'value' : 'comma or end';
    if (text !== null) yield { path: this.#path, text };
  }
}

function pathIn({ path, name }: Container): string {
  if (name === null) return `${path}[]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Parses a part. NaN and infinities, which Python writes and JSON does not allow, become null. */
export function parsePart(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const plain = text.replace(/"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g, (found) =>
      found.startsWith('"') ? found : 'null',
    );
    try {
      return JSON.parse(plain);
    } catch {
      throw damagedFileError(file, 'it is cut short or is not JSON');
    }
  }
}

/**
 * @param what name of the format for the error: `a log of Inspect`. @throws ResultsError for a value of another shape
 */
export function parseValue<T>(schema: z.ZodType<T>, value: unknown, file: string, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damagedFileError(file, `it is not ${what} (${describeMismatch(parsed.error)})`);
}

export function damagedFileError(file: string, why: string): ResultsError {
  return new ResultsError(ResultsProblem.Malformed, `the results file ${file} cannot be read: ${why}.`);
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, END_OBJECT, OPEN_LIST, END_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
