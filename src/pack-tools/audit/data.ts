/**
 * The data that tools can show an agent: records reached from the user's own record, and records without an owner.
 * Links are found in the data: a string that is a record's key leads to that record, and a record that names a user
 * belongs to the user. It also finds texts and numbers inside values, and words in texts.
 */

import {
  PyFloat,
  formatFloat,
  isDict,
  isList,
  lower,
  type PyDict,
  type PyValue,
} from '../../benchmarks/python/index.ts';

export interface PackRecord {
  readonly table: string;
  readonly id: string;
  readonly record: PyDict;
  /** Key of the user who owns the record; null if it has no owner. */
  readonly owner: string | null;
}

/** Longest chain of records, such as user, order, product. */
const MAX_DEPTH = 3;

/** Origin of a value in a user's conversation. */
type Provenance = 'nowhere' | 'reachable' | 'common' | 'somebody-else';

export class PackRecords {
  readonly #records = new Map<string, PackRecord[]>();
  readonly #texts = new WeakMap<PyDict, ReadonlySet<string>>();
  #holders: ReadonlyMap<string, ReadonlySet<string | null>> | undefined;

  constructor(tables: PyDict, people: string) {
    const persons = toDict(tables.get(people));
    for (const [table, records] of tables) {
      for (const [id, record] of toDict(records)) {
        if (!isDict(record)) continue;
        const owner = table === people ? id : findOwner(record, persons);
        const known = this.#records.get(id);
        const entry = { table, id, record, owner };
        if (known === undefined) this.#records.set(id, [entry]);
        else known.push(entry);
      }
    }
  }

  named(id: string): readonly PackRecord[] {
    return this.#records.get(id) ?? [];
  }

  /** Returns the records reached from the user's own record, and records whose keys are `mentioned`, nearest first. */
  reach(userId: string, mentioned: Iterable<string>): readonly PackRecord[] {
    const reached = new Set<PackRecord>();
    let front = [userId, ...mentioned];
    for (let depth = 0; depth <= MAX_DEPTH && front.length > 0; depth++) {
      const next: string[] = [];
      for (const entry of front.flatMap((id) => this.named(id))) {
        if (reached.has(entry) || (entry.owner !== null && entry.owner !== userId)) continue;
        reached.add(entry);
        for (const { text } of textLeaves(entry.record)) next.push(text);
      }
      front = next;
    }
    return Array.from(reached);
  }

  /** Finds the source of a value that the instruction does not give. */
  findProvenance(value: string, reach: readonly PackRecord[]): Provenance {
    const wanted = lower(value);
    if (reach.some((entry) => entry.id === value || this.#listTexts(entry.record).has(wanted))) return 'reachable';
    const holders = this.#index().get(wanted);
    if (holders === undefined) return 'nowhere';
    // A state or a country is in many people's records, so it is nobody's secret. A record without an owner belongs to
    // everybody.
    if (holders.has(null)) return 'reachable';
    return holders.size > 1 ? 'common' : 'somebody-else';
  }

  #listTexts(record: PyDict): ReadonlySet<string> {
    let texts = this.#texts.get(record);
    if (texts === undefined) this.#texts.set(record, (texts = new Set(readableTexts(record).map(lower))));
    return texts;
  }

  /**
   * Maps each text to the owners of records that contain it. It is created on first use, because most packs never need
   * it.
   */
  #index(): ReadonlyMap<string, ReadonlySet<string | null>> {
    if (this.#holders !== undefined) return this.#holders;
    const holders = new Map<string, Set<string | null>>();
    for (const { id, record, owner } of Array.from(this.#records.values()).flat()) {
      for (const text of [lower(id), ...this.#listTexts(record)]) {
        const known = holders.get(text);
        if (known === undefined) holders.set(text, new Set([owner]));
        else known.add(owner);
      }
    }
    return (this.#holders = holders);
  }
}

function findOwner(record: PyDict, persons: PyDict): string | null {
  for (const value of record.values()) if (typeof value === 'string' && persons.has(value)) return value;
  return null;
}

function toDict(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}

export type Path = readonly (string | number)[];

export interface TextLeaf {
  readonly path: Path;
  readonly text: string;
}

interface NumberLeaf {
  readonly path: Path;
  readonly value: number;
}

/** Lists every string in the value except keys of objects. */
export function textLeaves(value: PyValue): TextLeaf[] {
  const leaves: TextLeaf[] = [];
  visitLeaves(value, (leaf, path) => {
    if (typeof leaf === 'string') leaves.push({ path: path.slice(), text: leaf });
  });
  return leaves;
}

export function numberLeaves(value: PyValue): NumberLeaf[] {
  const leaves: NumberLeaf[] = [];
  visitLeaves(value, (leaf, path) => {
    const number = typeof leaf === 'bigint' ? Number(leaf) : leaf instanceof PyFloat ? leaf.value : NaN;
    if (Number.isFinite(number)) leaves.push({ path: path.slice(), value: number });
  });
  return leaves;
}

/** Lists every key and scalar as it is printed. */
export function readableTexts(value: PyValue): string[] {
  const texts: string[] = [];
  const add = (text: string): void => void texts.push(text);
  visitLeaves(value, (leaf) => addReadable(leaf, add), add);
  return texts;
}

/** Lists every text and number as it is printed, without keys. */
export function readableValues(value: PyValue): string[] {
  const texts: string[] = [];
  visitLeaves(value, (leaf) => addReadable(leaf, (text) => void texts.push(text)));
  return texts;
}

function addReadable(leaf: PyValue, add: (text: string) => void): void {
  if (typeof leaf === 'string') add(leaf);
  else if (typeof leaf === 'bigint') add(leaf.toString());
  else if (leaf instanceof PyFloat) add(formatFloat(leaf.value));
}

/**
 * Visits the scalars of a value in order. A callback is used because generators are too slow for a whole pack.
 * @param visit must not keep the path, which is reused
 * @param enter called with each key before its value. @default not called
 */
function visitLeaves(
  value: PyValue,
  visit: (leaf: PyValue, path: Path) => void,
  enter?: (key: string) => void,
  path: (string | number)[] = [],
): void {
  if (isList(value)) {
    for (let at = 0; at < value.length; at++) {
      path.push(at);
      visitLeaves(value[at] ?? null, visit, enter, path);
      path.pop();
    }
  } else if (isDict(value)) {
    for (const [key, item] of value) {
      enter?.(key);
      path.push(key);
      visitLeaves(item, visit, enter, path);
      path.pop();
    }
  } else visit(value, path);
}

/** Formats a path: `items[2].price`. */
export function pathText(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${String(step)}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** Shortens a text for a line of evidence. */
export function clipText(text: string, length = 160): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Normalizes a text as the grader does: lower case, without commas. */
export function asGraded(text: string): string {
  return lower(text).replaceAll(',', '');
}

/** Matches if the first character of a word continues a word, or a number as `2` does in `1.2`. */
const JOINED_BEFORE = /[\p{L}\p{N}][\p{L}\p{N}]$|\d[.]\d$/u;
const JOINED_AFTER = /^[\p{L}\p{N}][\p{L}\p{N}]|^\d[.]\d/u;

/** @returns true if the text contains the word between borders; case-sensitive */
export function hasWord(text: string, word: string): boolean {
  return occurrences(text, word).some(({ joined }) => !joined);
}

/** Returns longer words of the text that contain the word. */
export function longerWords(text: string, word: string): string[] {
  return occurrences(text, word).flatMap(({ joined, at }) => (joined ? [wordAround(text, at, word.length)] : []));
}

function occurrences(text: string, word: string): { at: number; joined: boolean }[] {
  const found: { at: number; joined: boolean }[] = [];
  if (word === '') return found;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const before = text.slice(Math.max(0, at - 2), at) + word.charAt(0);
    const after = word.slice(-1) + text.slice(end, end + 2);
    found.push({ at, joined: JOINED_BEFORE.test(before) || JOINED_AFTER.test(after) });
  }
  return found;
}

function wordAround(text: string, at: number, length: number): string {
  let start = at;
  let end = at + length;
  while (start > 0 && /[\p{L}\p{N}._]/u.test(text.charAt(start - 1))) start--;
  while (end < text.length && /[\p{L}\p{N}._]/u.test(text.charAt(end))) end++;
  return text.slice(start, end);
}
