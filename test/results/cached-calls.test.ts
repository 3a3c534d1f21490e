import { describe, expect, it } from 'vitest';

import { summarizeCosts } from '../../src/results/metrics/breakdowns.ts';
import { recordCodec } from '../../src/results/log/record.schema.ts';
import { costFigures } from '../../src/results/report/document.ts';
import { buildReport, subjectOfFile } from '../../src/results/report/report.ts';
import { rowOfRecord } from '../../src/results/log/rows.ts';
import { record, usage } from './fixtures.ts';

const MIXED = record(3, 0, { usage: [{ ...usage('agent', 0.02), cachedCalls: 1 }, usage('user', 0.01)] });

describe('calls that the response cache answered', () => {
  it('are told per role in a record, and are none in records of before there was a cache', () => {
    const text = recordCodec.write(MIXED);
    expect(recordCodec.read(text).usage.map((role) => role.cachedCalls)).toEqual([1, 0]);
    const older = text.replaceAll(/ *"cached_calls": \d+,\n/g, '');
    expect(older).not.toBe(text);
    expect(recordCodec.read(older).usage.map((role) => role.cachedCalls)).toEqual([0, 0]);
  });

  it('are told beside the costs, where there are any', () => {
    const meaning = (rows: readonly (typeof MIXED)[]) =>
      costFigures(buildReport(subjectOfFile('run-1.json'), rows.map(rowOfRecord)))[0]?.meaning;
    expect(meaning([MIXED, record(4, 0)])).toBe('8 model calls, 1 from the response cache');
    expect(meaning([record(4, 0)])).toBe('4 model calls');
    expect(summarizeCosts([rowOfRecord(MIXED)])).toMatchObject({ calls: 4, cachedCalls: 1, knownUsd: 0.03 });
  });
});
