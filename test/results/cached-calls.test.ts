import { describe, expect, it } from 'vitest';

import { summarizeCosts } from '../../src/results/metrics/index.ts';
import { costFigures, buildReport } from '../../src/results/report/testing.ts';
import { subjectOfFile } from '../../src/results/report/index.ts';
import { rowOfRecord } from '../../src/run-log/index.ts';
import { record, usage } from './fixtures.ts';

const MIXED = record(3, 0, { usage: [{ ...usage('agent', 0.02), cachedCalls: 1 }, usage('user', 0.01)] });

describe('calls that the response cache answered', () => {
  it('are shown beside the costs, where there are any', () => {
    const meaning = (rows: readonly (typeof MIXED)[]) =>
      [...costFigures(buildReport(subjectOfFile('run-1.json'), rows.map(rowOfRecord)))][0]?.meaning;
    expect(meaning([MIXED, record(4, 0)])).toBe('8 model calls, 1 from the response cache');
    expect(meaning([record(4, 0)])).toBe('4 model calls');
    expect(summarizeCosts([rowOfRecord(MIXED)])).toMatchObject({ calls: 4, cachedCalls: 1, knownUsd: 0.03 });
  });
});
