/** Reads TOML files of τ³-bench's telecom. */

import { parse, type TomlValue } from 'smol-toml';
import { PyFloat, type PyDict, type PyValue } from '../../python/index.ts';

/** Parses TOML; integers and floats stay apart. @throws TomlError; Error for a date, which no file has */
export function readToml(text: string): PyDict {
  return toTable(parse(text, { integersAsBigInt: true }));
}

function toTable(table: Readonly<Record<string, TomlValue>>): PyDict {
  return new Map(Object.entries(table).map(([key, value]) => [key, toValue(value)]));
}

function toValue(value: TomlValue): PyValue {
  if (typeof value === 'number') return new PyFloat(value);
  if (value instanceof Date) throw new Error(`${value.toISOString()} is a TOML date; write it as a string`);
  if (Array.isArray(value)) return value.map(toValue);
  return typeof value === 'object' ? toTable(value) : value;
}
