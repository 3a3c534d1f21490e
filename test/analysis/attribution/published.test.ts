/** Faults of the published gpt-4o trajectories; the figures are those of docs/failures.md. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fault } from '../../../src/analysis/index.ts';
import { readPack } from '../../../src/benchmarks/testing.ts';
import { reanalyzeEntry, reanalyzedRow } from '../../../src/results/regrade/index.ts';
import { detectForm } from '../../../src/benchmarks/results.ts';
import { readResultsFile } from '../../../src/results/files/index.ts';
import { describeWithReference } from '../../helpers/reference.ts';

describeWithReference('the published airline episodes that failed', (dir) => {
  it('each have a fault, and all of them a reason', async () => {
    const pack = await readPack(join(dir, 'airline'));
    const entries = await readResultsFile(join(dir, 'historical/gpt-4o-airline.json'));
    const form = detectForm(entries);
    const first: Fault[] = [];
    for (const entry of entries) {
      const { faults = [], differences = [] } = reanalyzeEntry(entry, pack, 'test', form) ?? {};
      expect(faults.length > 0).toBe(entry.reward === 0);
      if (entry.reward === 1) expect(differences).toEqual([]);
      for (const { sentence } of faults) expect(sentence).toMatch(/^\S.*\.$/);
      first.push(...faults.slice(0, 1));
    }
    expect(counted(first, ({ kind }) => kind)).toEqual({
      missing_write: 42,
      extra_write: 35,
      wrong_argument: 30,
      transferred_early: 4,
      out_of_steps: 3,
      missing_output: 2,
    });
    expect(counted(first, ({ faultType }) => faultType)).toEqual({
      used_wrong_tool_argument: 30,
      took_unintended_action: 35,
      goal_partially_completed: 51,
    });
  });

  it('of those that ran out of steps say the one in which everything was right, as `regrade` does', async () => {
    const pack = await readPack(join(dir, 'airline'));
    const entries = await readResultsFile(join(dir, 'historical/gpt-4o-airline.json'));
    const form = detectForm(entries);
    const cut = entries
      .map((entry) => reanalyzedRow(entry, pack, 'test', form))
      .filter(({ outcome }) => outcome === 'max_steps');
    expect(cut.length).toBe(5);
    const right = cut.filter(({ wouldHavePassed }) => wouldHavePassed);
    expect(right.map(({ taskId, trial }) => [taskId, trial])).toEqual([[46, 3]]);
  });
});

function counted(faults: readonly Fault[], of: (fault: Fault) => string | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fault of faults) counts[String(of(fault))] = (counts[String(of(fault))] ?? 0) + 1;
  return counts;
}
