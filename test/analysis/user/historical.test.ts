/** The published gpt-4o trajectories, whose users were read by hand: see docs/users.md. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findUserFaults } from '../../../src/analysis/testing.ts';
import { episodeOfEntry } from '../../../src/results/regrade/index.ts';
import { readResultsFile } from '../../../src/results/files/index.ts';
import { readDomain, readTasks } from '../../benchmarks/helpers.ts';
import { describeWithReference } from '../../helpers/reference.ts';

describeWithReference('the users of the published airline trajectories', (dir) => {
  it('are marked where reading them by hand agrees, and nowhere else', async () => {
    const data = readDomain(dir, 'airline');
    const tasks = readTasks(dir, 'airline', 'test');
    const entries = await readResultsFile(join(dir, 'historical/gpt-4o-airline.json'));
    const found = entries.flatMap((entry, at) => {
      const task = tasks[entry.task_id];
      if (task === undefined) throw new Error(`no task ${String(entry.task_id)}`);
      const findings = findUserFaults(data, episodeOfEntry(entry, task, 'tools'));
      return findings.map(({ kind, severity, step }) => ({ at, kind, severity, step }));
    });
    const lines = (severity: string) =>
      Array.from(
        new Set(found.filter((one) => one.severity === severity).map(({ at, kind }) => `${String(at)} ${kind}`)),
      );
    expect(entries).toHaveLength(200);
    expect(lines('suspect')).toEqual([
      '12 stopped_early',
      '23 denied_id',
      '71 leaked_thought',
      '73 denied_id',
      '74 denied_id',
      '85 denied_id',
      '95 stopped_early',
      '116 denied_id',
      '123 denied_id',
      '196 invented_fact',
    ]);
    expect(lines('remark')).toHaveLength(21);
  });
});
