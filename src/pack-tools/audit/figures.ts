/** The figures in what tools say: amounts, counts, and the totals of lists. */

import { PyFloat, formatFloat, isDict, isList, type PyDict, type PyValue } from '../../benchmark/python/index.ts';
import { numberLeaves, pathText, type Path } from './leaves.ts';

/** A figure and what it is: `466.75`, `the total of items by price (1131.0)`. */
export interface Figure {
  /** In hundredths, so that equal means equal. */
  readonly cents: number;
  readonly text: string;
}

export function toCents(value: number): number {
  return Math.round(value * 100);
}

/** An amount as it would be written in a sum. */
export function centsText(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : formatFloat(cents / 100);
}

/** Every amount once, in the order of the sources; a refund is told without its sign. */
export function amounts(sources: readonly PyValue[]): Figure[] {
  const found = new Map<number, Figure>();
  for (const { value } of sources.flatMap((source) => Array.from(numberLeaves(source)))) {
    const cents = Math.abs(toCents(value));
    if (!found.has(cents)) found.set(cents, { cents, text: centsText(cents) });
  }
  return Array.from(found.values());
}

/** Totals of lists of records: by field, and by field for those records that have a text in common. */
export function totals(sources: readonly PyValue[]): Figure[] {
  const found = new Map<number, Figure>();
  for (const { path, items } of sources.flatMap((source) => Array.from(lists(source)))) {
    for (const [label, group] of [['', items] as const, ...groups(items)]) {
      if (group.length < 2) continue;
      for (const [field, sum] of sums(group)) {
        const name = `the total of ${[pathText(path), ...(label === '' ? [] : [label])].join(' with ')} by ${field}`;
        if (!found.has(sum)) found.set(sum, { cents: sum, text: `${name} (${centsText(sum)})` });
      }
    }
  }
  return Array.from(found.values());
}

/**
 * Totals over what several calls say in the same place, as `price` of each: of lists, what the first or the last entry
 * says, since the last is what a write has added.
 */
export function columns(sources: readonly PyValue[]): Figure[] {
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

/** How many entries lists and tables have, and how many of them with a text or a true in common. */
export function counts(sources: readonly PyValue[]): Figure[] {
  return sources.flatMap((source) =>
    Array.from(containers(source)).flatMap(({ path, items }) => {
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

function* containers(value: PyValue, path: Path = []): Generator<Container> {
  if (isList(value)) {
    yield { path, items: value };
    for (const [at, item] of value.entries()) yield* containers(item, [...path, at]);
  } else if (isDict(value)) {
    // Other objects are records, whose fields nobody counts.
    const items = Array.from(value.values());
    if (items.every(isDict)) yield { path, items };
    for (const [key, item] of value) yield* containers(item, [...path, key]);
  }
}

/** Containers of records. */
function* lists(value: PyValue): Generator<{ path: Path; items: readonly PyDict[] }> {
  for (const { path, items } of containers(value)) {
    const records = items.filter(isDict);
    if (records.length >= 2 && records.length === items.length) yield { path, items: records };
  }
}

/** Records that have `field value` in common, for texts and true. */
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

function sums(records: readonly PyDict[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const record of records) {
    for (const [field, value] of record) {
      const number = typeof value === 'bigint' ? Number(value) : value instanceof PyFloat ? value.value : undefined;
      if (number !== undefined && Number.isFinite(number)) found.set(field, (found.get(field) ?? 0) + toCents(number));
    }
  }
  return found;
}
