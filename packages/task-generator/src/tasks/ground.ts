/**
 * The things that an instruction names, with the reason why each can be one thing only.
 *
 * A family of tasks never puts a bare id into a tool call: it names the thing in words, and the words carry how the
 * data are searched for everything that fits them. The proof (`../proof/`) makes that search on the finished tables.
 */

import { PyFloat, isDict, isList, type PyDict, type PyValue } from '../../../../src/benchmarks/python/index.ts';
import type { Store } from '../../../../src/benchmarks/index.ts';

export interface Ground {
  /** The meaning of the words, as a tool's argument. */
  readonly argument: PyValue;
  /** Words that occur literally in the instruction. */
  readonly texts: readonly string[];
  /** Parts of the texts that identify the thing. */
  readonly says: readonly string[];
  /** Everything in the data that fits the words. They are plain when that is the argument and nothing else. */
  readonly candidates: (store: Store) => readonly PyValue[];
}

/** A ground with words for it, and with the thing itself for the family that uses it. */
export interface NamedGround<T> extends Ground {
  readonly text: string;
  readonly value: T;
}

/** One of the things that a ground names together; the proof sees to it that none of them is left out. */
export interface Member {
  readonly set: Ground;
  readonly argument: PyValue;
}

/** The user's own id, which the introduction gives or lets the agent find. */
interface Self {
  readonly self: true;
  readonly argument: PyValue;
}

/** The source of an argument of a write. */
export type Evidence = Ground | Member | Self;

interface Description<T> {
  readonly text: string;
  readonly value: T;
  readonly argument: PyValue;
  /** @default none: the text identifies it */
  readonly says?: readonly string[];
  readonly candidates: (store: Store) => readonly PyValue[];
}

export function named<T>({ text, value, argument, says = [], candidates }: Description<T>): NamedGround<T> {
  return { text, value, argument, texts: [text], says, candidates };
}

/** A value that the instruction spells out. */
export function literal<T extends PyValue>(value: T, text: string, says: readonly string[] = []): NamedGround<T> {
  return named({ text, value, argument: value, says, candidates: () => [value] });
}

/** The same thing in other words that carry as much. */
export function reworded<T>(ground: NamedGround<T>, reword: (text: string) => string): NamedGround<T> {
  const text = reword(ground.text);
  return { ...ground, text, texts: [text] };
}

/** Several things in a list, in that order; as many readings as their readings can be combined to. */
export function combineGrounds(grounds: readonly Ground[]): Ground {
  return {
    argument: grounds.map((ground) => ground.argument),
    texts: grounds.flatMap((ground) => ground.texts),
    says: grounds.flatMap((ground) => ground.says),
    candidates: (store) =>
      grounds.reduce<readonly (readonly PyValue[])[]>(
        (lists, ground) => {
          const values = ground.candidates(store);
          return lists.flatMap((list) => values.map((value) => [...list, value]));
        },
        [[]],
      ),
  };
}

/** Several lists in one, in that order. */
export function concat(grounds: readonly Ground[]): Ground {
  const lists = combineGrounds(grounds);
  return {
    ...lists,
    argument: flatten(lists.argument),
    candidates: (store) => lists.candidates(store).map(flatten),
  };
}

function flatten(value: PyValue): PyValue {
  return isList(value) ? value.flatMap((item) => (isList(item) ? item : [item])) : value;
}

/** A value that a rule derives from other grounds, with their words. */
export function ruled(
  grounds: readonly Ground[],
  argument: PyValue,
  candidates: (store: Store) => readonly PyValue[],
): Ground {
  const { texts, says } = combineGrounds(grounds);
  return { texts, says, argument, candidates };
}

/** One field of a ground. */
export function field(ground: Ground, key: string): Ground {
  const get = (value: PyValue): PyValue => (isDict(value) ? (value.get(key) ?? null) : null);
  return {
    ...ground,
    argument: get(ground.argument),
    candidates: (store) => ground.candidates(store).map(get),
  };
}

export interface Statement {
  readonly text: string;
  readonly grounds: readonly Ground[];
}

type Part = string | Statement | NamedGround<unknown>;

/** ``statement`You want to cancel ${order}.` ``: text whose named things keep their grounds. */
export function statement(strings: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  const texts = strings.map((string, at) => {
    const part = parts[at];
    return part === undefined ? string : `${string}${typeof part === 'string' ? part : part.text}`;
  });
  return { text: texts.join(''), grounds: parts.flatMap(listGrounds) };
}

/** `a, b and c`. */
export function joinStatements(parts: readonly Part[]): Statement {
  const [first, ...rest] = parts;
  if (first === undefined) return { text: '', grounds: [] };
  return rest.reduce<Statement>(
    (told, part, at) => (at === rest.length - 1 ? statement`${told} and ${part}` : statement`${told}, ${part}`),
    statement`${first}`,
  );
}

function listGrounds(part: Part): readonly Ground[] {
  if (typeof part === 'string') return [];
  return 'grounds' in part ? part.grounds : [part];
}

export function text(record: PyDict | undefined, key: string): string {
  const value = record?.get(key);
  return typeof value === 'string' ? value : '';
}

export function dict(record: PyDict | undefined, key: string): PyDict {
  const value = record?.get(key);
  return isDict(value) ? value : new Map();
}

export function dicts(record: PyDict | undefined, key: string): PyDict[] {
  const value = record?.get(key);
  return isList(value) ? value.filter(isDict) : [];
}

/** A number in either spelling; NaN without one. */
export function number(record: PyDict | undefined, key: string): number {
  const value = record?.get(key);
  return value instanceof PyFloat ? value.value : typeof value === 'bigint' ? Number(value) : NaN;
}

/** Records with the smallest and largest measure; all if they are equal. */
export function extremes<T>(records: readonly T[], measure: (record: T) => number, which: 'least' | 'most'): T[] {
  const values = records.map(measure);
  const best = which === 'least' ? Math.min(...values) : Math.max(...values);
  return records.filter((record) => measure(record) === best);
}
