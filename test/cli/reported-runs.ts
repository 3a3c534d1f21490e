/** Run logs and results files of two tasks, for `report`. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readPack, shippedPackFolder } from '../../src/benchmarks/testing.ts';
import { analyzeEpisode } from '../../src/analysis/index.ts';
import { analysisSchema } from '../../src/run-log/testing.ts';
import { episodeOfRecord } from '../../src/results/regrade/index.ts';
import { RunLog, openRun } from '../../src/run-log/index.ts';
import { record, CONFIG } from '../results/fixtures.ts';

const pack = await readPack((await shippedPackFolder('retail')) ?? '');

/** Two tasks of the shipped pack, two trials each; `solved` of the four are. */
export async function makeRun(cwd: string, runId: string, solved: number, address = '127.0.0.1:7233'): Promise<RunLog> {
  const log = new RunLog({ runId, logDir: join(cwd, 'results') });
  const input = {
    run: { runId, logDir: log.logDir },
    config: { ...CONFIG, pack: pack.ref },
    plan: { taskIds: [0, 7], numTrials: 2, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    workflowId: runId,
  };
  const temporal = { address, namespace: 'default', workflowId: runId };
  const { manifest } = await openRun(log, input, { label: 'TC', versions: {}, temporal, notes: [] });
  await log.writeRun({ ...manifest, status: 'completed', endedAt: manifest.startedAt });
  for (const [i, [taskId, trial]] of (
    [
      [0, 0],
      [0, 1],
      [7, 0],
      [7, 1],
    ] as const
  ).entries()) {
    const played = record(taskId, trial, { reward: i < solved ? 1 : 0, run: input.run });
    await log.writeEpisode({
      ...played,
      analysis: analysisSchema.parse(analyzeEpisode(pack, episodeOfRecord(played))),
    });
  }
  return log;
}

/** A results file of an agent that greets and does nothing. */
export function idleFile(cwd: string): void {
  const traj = [
    { role: 'system', content: 'policy' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi!' },
    { role: 'user', content: '###STOP###' },
  ];
  const info = { reward_info: { reward: 0 }, source: 'user', user_cost: null, task: null };
  const entries = [0, 7].map((task_id) => ({ task_id, reward: task_id === 7 ? 1 : 0, info, traj, trial: 0 }));
  writeFileSync(join(cwd, 'idle.json'), JSON.stringify(entries));
}
