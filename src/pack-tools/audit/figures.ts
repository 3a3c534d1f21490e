/**
 * Figures in observations (amounts, counts, totals of lists), and explains a figure by others: as a count, total, sum,
 * difference or product. The search is bounded, because among many figures some match by chance.
 */

import { PyFloat, formatFloat, isDict, isList, type PyDict, type PyValue } from '../../benchmarks/python/index.ts';
import { numberLeaves, pathText, type Path } from './data.ts';

/** A figure with its description: `466.75`, `the total of items by price (1131.0)`. */
interface AuditFigure {
  /** Value in hundredths, for exact comparison. */
  readonly cents: number;
  readonly text: string;
}

export function toCents(value: number): number {
  return Math.round(value * 100);
}

/** Formats an amount as part of a sum. */
function centsText(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : formatFloat(cents / 100);
}

/** Returns the distinct amounts in the order of the sources; refunds are positive. */
function collectAmounts(sources: readonly PyValue[]): AuditFigure[] {
  const found = new Map<number, AuditFigure>();
  for (const { value } of sources.flatMap((source) => numberLeaves(source))) {
    const cents = Math.abs(toCents(value));
    if (!found.has(cents)) found.set(cents, { cents, text: centsText(cents) });
  }
  return Array.from(found.values());
}

/** Returns the totals of each field of lists of records: of all records, and of records that share a text. */
function sumLists(sources: readonly PyValue[]): AuditFigure[] {
  const found = new Map<number, AuditFigure>();
  for (const { path, items } of sources.flatMap((source) => Array.from(lists(source)))) {
    for (const [label, group] of [['', items] as const, ...groups(items)]) {
      if (group.length < 2) continue;
      for (const [field, sum] of sumFields(group)) {
        const name = `the total of ${[pathText(path), ...(label === '' ? [] : [label])].join(' with ')} by ${field}`;
        if (!found.has(sum)) found.set(sum, { cents: sum, text: `${name} (${centsText(sum)})` });
      }
    }
  }
  return Array.from(found.values());
}

/**
 * Returns totals over the same field of several results, such as the `price` of each. A list is represented by its
 * first and its last entry; the last one is usually the entry that a write added.
 */
function sumColumns(sources: readonly PyValue[]): AuditFigure[] {
  const found = new Map<string, { cents: number; calls: number }>();
  for (const { path, value } of sources.flatMap((source) => Array.from(ends(source, '')))) {
    const column = found.get(path) ?? { cents: 0, calls: 0 };
    found.set(path, { cents: column.cents + toCents(value), calls: column.calls + 1 });
  }
  return Array.from(found).flatMap(([path, { cents, calls }]) => {
    const text = `the total of ${path} over ${String(calls)} calls (${centsText(Math.abs(cents))})`;
    return calls < 2 ? [] : [{ cents: Math.abs(cents), text }];
  });
}

/** Returns the numbers of entries of lists and tables, and of entries that share a text or a `true`. */
function counts(sources: readonly PyValue[]): AuditFigure[] {
  return sources.flatMap((source) =>
    Array.from(walkContainers(source)).flatMap(({ path, items }) => {
      const name = path.length === 0 ? 'the list' : pathText(path);
      const all = { cents: items.length * 100, text: `the number of entries of ${name}` };
      const records = items.filter(isDict);
      const some = groups(records).map(([label, group]) => ({
        cents: group.length * 100,
        text: `the number of entries of ${name} with ${label}`,
      }));
      return [all, ...some];
    }),
  );
}

function* ends(value: PyValue, path: string): Generator<{ path: string; value: number }> {
  if (isDict(value)) {
    for (const [key, item] of value) yield* ends(item, path === '' ? key : `${path}.${key}`);
  } else if (isList(value)) {
    yield* ends(value[0] ?? null, `${path}[first]`);
    yield* ends(value.at(-1) ?? null, `${path}[last]`);
  } else for (const leaf of numberLeaves(value)) yield { path, value: leaf.value };
}

interface Container {
  readonly path: Path;
  readonly items: readonly PyValue[];
}

function* walkContainers(value: PyValue, path: Path = []): Generator<Container> {
  if (isList(value)) {
    yield { path, items: value };
    for (const [at, item] of value.entries()) yield* walkContainers(item, [...path, at]);
  } else if (isDict(value)) {
    // Other objects are records, and nobody counts their fields.
    const items = Array.from(value.values());
    if (items.every(isDict)) yield { path, items };
    for (const [key, item] of value) yield* walkContainers(item, [...path, key]);
  }
}

/** Yields lists and tables of records. */
function* lists(value: PyValue): Generator<{ path: Path; items: readonly PyDict[] }> {
  for (const { path, items } of walkContainers(value)) {
    const records = items.filter(isDict);
    if (records.length >= 2 && records.length === items.length) yield { path, items: records };
  }
}

/** Groups records by a field's value, for texts and true. */
function groups(records: readonly PyDict[]): (readonly [label: string, group: readonly PyDict[]])[] {
  const found = new Map<string, PyDict[]>();
  for (const record of records) {
    for (const [field, value] of record) {
      if (typeof value !== 'string' && value !== true) continue;
      const label = `${field} ${String(value)}`;
      const group = found.get(label);
      if (group === undefined) found.set(label, [record]);
      else group.push(record);
    }
  }
  return Array.from(found);
}

function sumFields(records: readonly PyDict[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const record of records) {
    for (const [field, value] of record) {
      const number = typeof value === 'bigint' ? Number(value) : value instanceof PyFloat ? value.value : NaN;
      if (Number.isFinite(number)) found.set(field, (found.get(field) ?? 0) + toCents(number));
    }
  }
  return found;
}

/** Most figures to combine in pairs; more would produce almost any sum. */
const MAX_OF_TWO = 400;
/** Most figures to combine in threes. */
const MAX_OF_THREE = 40;
/** Largest factor, because a user hardly buys more than a dozen of one item. */
const MAX_FACTOR = 12;

/** Parses a figure in hundredths; undefined unless it is a number of at most two decimals. */
export function parseFigure(output: string): number | undefined {
  return /^-?\d{1,12}(\.\d{1,2})?$/.test(output) ? toCents(Number(output)) : undefined;
}

/** @returns a description if the figure occurs in another spelling, or is a count or the total of a list */
export function findAmount(wanted: number, sources: readonly PyValue[]): string | undefined {
  const same = collectAmounts(sources).find(({ cents }) => cents === wanted);
  if (same !== undefined) return `${same.text}, spelt otherwise`;
  const isCount = wanted > 0 && wanted % 100 === 0;
  const others = [...(isCount ? counts(sources) : []), ...sumLists(sources)];
  return others.find(({ cents }) => cents === wanted)?.text;
}

/** @returns a description if the figure is the total over one field of a tool's results */
export function findSum(wanted: number, saidByTool: Iterable<readonly PyValue[]>): string | undefined {
  for (const said of saidByTool) {
    const column = sumColumns(said).find(({ cents }) => cents === wanted);
    if (column !== undefined) return column.text;
  }
  return undefined;
}

/** @returns a description if the figure is the sum or difference of two or three other figures */
export function findCombination(wanted: number, sources: readonly PyValue[]): string | undefined {
  const single = collectAmounts(sources).filter(({ cents }) => cents !== 0);
  const known = new Set(single.map(({ cents }) => cents));
  const figures = [...single, ...sumLists(sources).filter(({ cents }) => !known.has(cents))].slice(0, MAX_OF_TWO);
  const two = combineTwo(wanted, single.slice(0, MAX_OF_TWO)) ?? combineTwo(wanted, figures);
  if (two !== undefined) return two;
  const few = single.slice(0, MAX_OF_THREE);
  const three = combineThree(wanted, few);
  return three === undefined ? undefined : `${three}, of ${String(few.length)} figures: perhaps by chance`;
}

/** @returns a description if the figure is a multiple of another figure */
export function findMultiple(wanted: number, sources: readonly PyValue[]): string | undefined {
  // A multiple of 1 explains nothing.
  for (const { cents, text } of collectAmounts(sources).filter((figure) => figure.cents > 100)) {
    const factor = wanted / cents;
    if (Number.isInteger(factor) && factor >= 2 && factor <= MAX_FACTOR) return `${String(factor)} * ${text}`;
  }
  return undefined;
}

function combineTwo(wanted: number, figures: readonly AuditFigure[], taken?: AuditFigure): string | undefined {
  const byCents = new Map(figures.map((figure) => [figure.cents, figure]));
  const usable = (figure: AuditFigure | undefined, first: AuditFigure) =>
    figure !== undefined && figure !== first && figure !== taken;
  for (const first of figures) {
    if (first === taken) continue;
    const addend = byCents.get(wanted - first.cents);
    if (addend !== undefined && usable(addend, first)) return `${first.text} + ${addend.text}`;
    const subtrahend = byCents.get(first.cents - wanted);
    if (subtrahend !== undefined && usable(subtrahend, first)) return `${first.text} - ${subtrahend.text}`;
  }
  return undefined;
}

/**
 * Finds a sum of three figures, with all signs except three minuses: subtracts each figure, and looks for two that add
 * up to the rest.
 */
function combineThree(wanted: number, figures: readonly AuditFigure[]): string | undefined {
  for (const first of figures) {
    const more = combineTwo(wanted - first.cents, figures, first);
    if (more !== undefined) return `${first.text} + ${more}`;
    const less = combineTwo(first.cents - wanted, figures, first);
    if (less !== undefined) return `${first.text} - (${less})`;
  }
  return undefined;
}
