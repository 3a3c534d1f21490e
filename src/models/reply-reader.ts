/**
 * Reads fields that servers write differently from the API, such as counts as text or arguments as objects. Every
 * readable reply is used and its oddities are noted, because it is paid; only an unreadable message fails a call.
 */

import { JsonError, dumpJson, isDict, isList, parseJson, type PyValue } from '../benchmarks/python/index.ts';
import { isObject, meansNoArguments, type Fields } from '../io/index.ts';
import type { Usage } from '../agents/index.ts';
import { attempt } from '../errors/index.ts';

/** Repairs that records and reports name. */
const REPAIRS = {
  counts: 'token counts that are not whole numbers',
  usage: 'token counts that cannot be read',
  arguments: 'tool arguments as an object',
  empty: 'empty tool arguments, read as {}',
  call: 'a tool call outside the list of calls',
  parts: 'parts that cannot be read',
} as const;

type FieldPath = readonly (string | number)[];
export class ReplyReader {
  readonly #text: string;
  readonly #repairs = new Set<string>();
  #body: PyValue | undefined;

  /** @param text JSON of the whole answer, for the spelling of its numbers */
  constructor(text: string) {
    this.#text = text;
  }

  note(repair: keyof typeof REPAIRS): void {
    this.#repairs.add(REPAIRS[repair]);
  }

  hasNoted(repair: keyof typeof REPAIRS): boolean {
    return this.#repairs.has(REPAIRS[repair]);
  }

  /** Returns the repairs so far, each once. */
  repairs(): { readonly repairs?: readonly string[] } {
    return this.#repairs.size === 0 ? {} : { repairs: [...this.#repairs] };
  }

  /**
   * Returns a call's arguments as JSON text. Empty ones mean a call without arguments, unless the reply was cut there.
   * @param path of the value in the answer
   * @returns null for a value that is neither text nor an object
   */
  arguments(value: unknown, path: FieldPath, isCut: boolean): string | null {
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      if (isCut) return '';
      this.note('empty');
      return '{}';
    }
    const isNothing = typeof value === 'string' ? meansNoArguments(value) : Array.isArray(value) && value.length === 0;
    if (isNothing) {
      this.note('empty');
      return '{}';
    }
    if (typeof value === 'string') return value;
    if (typeof value !== 'object') return null;
    this.note('arguments');
    // An object that is nested too deeply to be read is no valid argument of a tool.
    return attempt(
      () => dumpJson(this.#spelled(path) ?? new Map()),
      () => null,
      JsonError,
      RangeError,
    );
  }

  /** Returns a value whose numbers keep their spelling. */
  #spelled(path: FieldPath): PyValue | undefined {
    this.#body ??= parseJson(this.#text);
    return path.reduce<PyValue | undefined>((value, key) => {
      if (typeof key === 'number') return isList(value) ? value[key] : undefined;
      return isDict(value) ? value.get(key) : undefined;
    }, this.#body);
  }

  /**
   * Reads the usage of a reply.
   * @param main fields that its price needs; at least one must be there
   * @param read makes the usage; its argument returns the count at a path, 0 if there is none
   */
  usage(
    given: unknown,
    main: readonly string[],
    read: (count: CountAt) => Usage,
  ): { readonly usage: Usage; readonly usageReported: boolean } {
    const counts = main.map((name) => readCount(toFields(given)[name]));
    const usage = read((...path) => {
      const count = readCount(path.reduce<unknown>((value, name) => toFields(value)[name], given));
      if (count.isOdd) this.note(count.value === null ? 'usage' : 'counts');
      return count.value ?? 0;
    });
    const isReadable = counts.every(({ isOdd, value }) => !isOdd || value !== null);
    return { usage, usageReported: isReadable && counts.some(({ value }) => value !== null) };
  }
}

type CountAt = (...path: readonly string[]) => number;

/**
 * Returns the tokens written to the provider's cache, which GPT-5.6 and later bill at 1.25 times the input price.
 * LiteLLM uses another name.
 * @param details name of the field with the parts of the prompt's tokens
 */
export function cacheWrites(count: CountAt, details: string): Pick<Usage, 'cacheWriteTokens'> {
  const cacheWriteTokens = Math.max(count(details, 'cache_write_tokens'), count(details, 'cache_creation_tokens'));
  return cacheWriteTokens === 0 ? {} : { cacheWriteTokens };
}

interface Count {
  /** The count; null if missing or unreadable. */
  readonly value: number | null;
  readonly isOdd: boolean;
}

const MAX_DIGITS = 20;

function readCount(given: unknown): Count {
  if (given === undefined || given === null) return { value: null, isOdd: false };
  const isText = typeof given === 'string' && given.length <= MAX_DIGITS && /^\d+(?:\.\d+)?$/.test(given);
  const number = isText ? Number(given) : given;
  if (typeof number !== 'number' || !(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) {
    return { value: null, isOdd: true };
  }
  return { value: Math.round(number), isOdd: number !== given || !Number.isInteger(number) };
}

/** Returns the fields of an object; no fields for another value. */
export function toFields(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Returns the items of a list; a single object becomes a list of one. */
export function listItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? [value] : [];
}
