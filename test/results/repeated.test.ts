import { describe, expect, it } from 'vitest';

import { SweepOrder } from '../../src/benchmarks/index.ts';
import { episodeSeed } from '../../src/evaluation/index.ts';
import { firstScreen, metricsToJson, reportOfRun } from '../../src/results/report/index.ts';
import { readRecorded, type EpisodeRecord, type RunLog } from '../../src/run-log/index.ts';
import { renderTerminal } from '../../src/cli/terminal/testing.ts';
import { record, renderReport, scratchLog } from './fixtures.ts';

const USER = { kind: 'invented_id', step: 1, quote: '#W9', sentence: 'The user invented #W9.' } as const;
const analysis = (severity: 'suspect' | 'remark'): EpisodeRecord['analysis'] => ({
  faults: [],
  differences: [],
  user: [{ ...USER, severity }],
});

/** An attempt at an episode, and whether its user is suspect. */
function attempt(taskId: number, repeat: number, isSuspect: boolean, reward: number): EpisodeRecord {
  return {
    ...record(taskId, 0, { workflowRunId: `${String(taskId)}/${String(repeat)}`, reward }),
    repeat: repeat === 0 ? undefined : repeat,
    analysis: analysis(isSuspect ? 'suspect' : 'remark'),
  };
}

/** Task 0 is trusted at once, task 1 after two repeats, and task 2 not after one. */
async function logged(): Promise<RunLog> {
  const log = scratchLog();
  for (const made of [
    attempt(0, 0, false, 1),
    ...[attempt(1, 0, true, 0), attempt(1, 1, true, 0), attempt(1, 2, false, 1)],
    ...[attempt(2, 0, true, 1), attempt(2, 1, true, 0)],
  ]) {
    await log.writeEpisode(made);
  }
  return log;
}

const unexpected = (sentence: string): never => {
  throw new Error(sentence);
};

describe('an episode that was played again', () => {
  const plan = { taskIds: [0, 1, 2], numTrials: 1, shuffle: false };
  const read = async (repeatSuspect?: number) =>
    readRecorded(
      await logged(),
      { plan, seed: 1, repeatSuspect, start: 0, end: new SweepOrder(plan, 1).length },
      unexpected,
    );

  it('has another seed in each attempt', () => {
    const key = { taskId: 3, trial: 1 };
    expect(episodeSeed(10, key, 0)).toBe(episodeSeed(10, key));
    expect(new Set([0, 1, 2, 3].map((repeat) => episodeSeed(10, key, repeat))).size).toBe(4);
  });

  it('is played once more by a resumed run while its user is suspect and repeats are left', async () => {
    expect(await read()).toMatchObject({ positions: [0, 1, 2], failed: 0, totals: { ended: 3, rewardSum: 2 } });
    expect(await read(1)).toMatchObject({ positions: [0, 1, 2], repeats: { 'task-2.trial-0': 2 } });
    const { positions, repeats, failed, totals } = await read(2);
    expect({ positions, failed }).toEqual({ positions: [0, 1], failed: 1 });
    expect(repeats).toMatchObject({ 'task-2.trial-0': 2 });
    expect(totals).toMatchObject({ ended: 2, rewardSum: 2 });
    // What six attempts have cost counts, whichever is the result.
    expect(totals.knownCostUsd).toBeCloseTo((await read()).totals.knownCostUsd, 9);
  });

  it('counts with its last attempt, and the report has the score of the first ones', async () => {
    const report = await reportOfRun(await logged());
    const { repeated, errorsAsFailures } = report.metrics;
    expect(errorsAsFailures.successes).toBe(2);
    expect(repeated).toMatchObject({
      ...{ episodes: 2, attempts: 3, stillSuspect: 1 },
      firstAttempts: { episodes: 3, successes: 2, averageReward: 2 / 3 },
    });
    const style = { columns: 220, color: false };
    expect(renderTerminal(firstScreen(report), style)).toMatch(
      /repeated +2 +played again because of a suspect user, 3 more attempts; 1 is still suspect; score of the first attempts 0\.667/,
    );
    const whole = renderReport(report, style);
    expect(whole).toMatch(/repeated episodes +2 +played again because of a suspect user, 3 more attempts; 1 is still/);
    expect(whole).toMatch(/average reward, first attempts +0\.667/);
    expect(metricsToJson(report)).toMatchObject({ repeated: { attempts: 3, first_attempts: { successes: 2 } } });
  });

  it('is in no report of a run that repeated none', async () => {
    const log = scratchLog();
    await log.writeEpisode(attempt(0, 0, true, 1));
    expect(JSON.stringify(metricsToJson(await reportOfRun(log)))).not.toContain('"repeated"');
  });
});
