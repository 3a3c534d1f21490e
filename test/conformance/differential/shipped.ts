/** Recordings of what the Python reference answers on the shipped packs: part of the project, unlike those on its own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { isDict, isList, PyFloat, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { otherwise, type CallsOf } from './calls.ts';
import { readTablesIn } from './compare.ts';
import type { ReferenceRun, SentAction } from './reference-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** One line of a recording. */
export interface RecordedSequence {
  /** 0: the pack's tables. {@link RICH}. Others: with other numbers and statuses, as {@link otherwise} draws them. */
  readonly variant: number;
  readonly actions: readonly SentAction[];
  readonly run: ReferenceRun;
}

export const packFolder = (domain: string): string => join(root, 'data', domain);

export const recordingFile = (domain: string): string =>
  join(root, 'test/fixtures/shipped-recordings', `${domain}.jsonl.gz`);

export function readRecording(domain: string): RecordedSequence[] {
  const lines = gunzipSync(readFileSync(recordingFile(domain)))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedSequence);
}

/** The variant in which gift cards pay for everything, with rests to be rounded, and planes arrive after midnight. */
export const RICH = 9;
const AFTER_MIDNIGHT = '00:10:00+1';
const FORTUNE = new PyFloat(50_000.37);

export function shippedTables(domain: string, calls: CallsOf, variant: number): PyDict {
  const tables = readTablesIn(packFolder(domain), calls);
  if (variant === 0) return tables;
  return variant === RICH
    ? new Map(Array.from(tables, ([name, table]) => [name, rich(table)]))
    : otherwise(tables, variant);
}

function rich(value: PyValue): PyValue {
  if (isList(value)) return value.map(rich);
  if (!isDict(value)) return value;
  const isCard = value.get('source') === 'gift_card';
  const changed = (key: string, inner: PyValue) => {
    if (key === 'scheduled_arrival_time_est') return AFTER_MIDNIGHT;
    return isCard && (key === 'balance' || key === 'amount') ? FORTUNE : rich(inner);
  };
  return new Map(Array.from(value, ([key, inner]) => [key, changed(key, inner)]));
}
