/** Recordings of what the Python reference answers on the shipped packs: part of the project, unlike those on its own. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import type { PyDict } from '../../../src/bench/python/value.ts';
import { otherwise, type CallsOf } from './calls.ts';
import { readTablesIn } from './compare.ts';
import type { ReferenceRun, SentAction } from './reference-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** One line of a recording. */
export interface RecordedSequence {
  /** 0: the pack's tables. Others: the same with other numbers and statuses, as {@link otherwise} draws them. */
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

export function shippedTables(domain: string, calls: CallsOf, variant: number): PyDict {
  const tables = readTablesIn(packFolder(domain), calls);
  return variant === 0 ? tables : otherwise(tables, variant);
}
