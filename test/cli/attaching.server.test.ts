/** Changes by `run --run-id` of a run that exists: other limits, more trials, in progress or paused. */

import { describe, expect, it } from 'vitest';

import { tasks } from '../workflows/sweep-rig.ts';
import { steered } from './steered.ts';

describe('run with the id of a run under way', () => {
  it('gives it other limits and more trials', { timeout: 120_000 }, async () => {
    const { runId, rig, gate, type, start } = await steered();
    const handle = await start({ plan: tasks(2), maxConcurrency: 1, maxCostUsd: 5 });
    await gate.openedCount(1);
    const run = ['run', '--run-id', runId, '--no-worker', '--task-queue', runId];
    const more = await type(...run, '--max-concurrency', '2', '--max-cost', 'none', '--num-trials', '3', '--detach');
    expect(more.code, more.stderr).toBe(0);
    expect(more.stderr).toMatch(/^changed +at most 2 at once, no budget$/m);
    expect(more.stderr).toMatch(/^trials +3 per task, instead of 1$/m);
    await gate.openedCount(2);
    expect((await rig.log.readRun())?.plan.numTrials).toBe(3);

    const fewer = await type(...run, '--num-trials', '2');
    expect(fewer.code).toBe(2);
    expect(fewer.stderr).toContain(
      `error: the run ${runId} exists with 3 trials per task, which cannot become 2; choose another --run-id`,
    );
    gate.openWide();
    // Whoever comes without a word on trials takes the run as it is.
    const end = await type(...run);
    expect(end.code, end.stderr).toBe(0);
    expect(end.stdout).toMatch(/2 tasks × 3 trials: 6 episodes/);
    await handle.result();
    expect([...gate.opened].sort()).toEqual(
      [0, 1].flatMap((task) => [0, 1, 2].map((trial) => `task-${task}.trial-${trial}`)),
    );
  });
});

describe('run with the id of a run that has ended', () => {
  it('adds the missing trials, and keeps what is recorded', { timeout: 120_000 }, async () => {
    const { runId, rig, gate, type, start } = await steered();
    gate.openWide();
    await (await start({ plan: tasks(2) })).result();
    const before = await rig.log.readEpisode({ taskId: 1, trial: 0 });
    const run = ['run', '--run-id', runId, '--no-worker', '--task-queue', runId];
    const more = await type(...run, '--num-trials', '2');
    expect(more.code, more.stderr).toBe(0);
    expect(more.stdout).toMatch(/2 tasks × 2 trials: 4 episodes/);
    expect(gate.opened.slice(2).sort()).toEqual(['task-0.trial-1', 'task-1.trial-1']);
    expect(await rig.log.readEpisode({ taskId: 1, trial: 0 })).toEqual(before);
    expect(await rig.log.readRun()).toMatchObject({ status: 'completed', plan: { numTrials: 2 } });
    const other = await type(...run, '--num-trials', '3', '--max-steps', '7');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('with another configuration (max_steps: 30, now 7); choose another --run-id, or');
  });
});
