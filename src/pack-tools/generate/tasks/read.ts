/** Reads records of the finished tables. What is not there, or is of another kind, reads as empty. */

import { PyFloat, isDict, isList, type PyDict } from '../../../benchmark/python/index.ts';

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

/** A number, whichever way it is spelt; NaN when there is none. */
export function number(record: PyDict | undefined, key: string): number {
  const value = record?.get(key);
  return value instanceof PyFloat ? value.value : typeof value === 'bigint' ? Number(value) : NaN;
}

/** The records with the least or the most of something; all of them when they are equal. */
export function extremes<T>(records: readonly T[], measure: (record: T) => number, which: 'least' | 'most'): T[] {
  const values = records.map(measure);
  const best = which === 'least' ? Math.min(...values) : Math.max(...values);
  return records.filter((record) => measure(record) === best);
}
