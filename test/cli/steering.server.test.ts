/** Steering a run that is under way: what each command does, what it prints, what it refuses, and `run --run-id`. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { quickModel, unavailable } from '../workflows/models.ts';
import { names, tasks } from '../workflows/sweep-rig.ts';
import { namesIn } from './in-process.ts';
import { steered } from './steered.ts';

describe('pause and resume', () => {
  it('open nothing further, and go on', async () => {
    const { runId, gate, type, json, start } = await steered();
    const handle = await start({ plan: tasks(3), maxConcurrency: 1 });
    await gate.openedCount(1);
    expect(await type('pause', runId)).toEqual({
      code: 0,
      stdout: `${runId} is paused: open episodes continue to their end, no others are opened; 0 of 3 episodes have ended, 1 is open`,
      stderr: '',
    });
    gate.openWide();
    await eventually(async () => {
      expect(await json('status', runId)).toMatchObject({
        status: 'running',
        paused: true,
        answered: true,
        planned: 3,
        recorded: 1,
        pending: 2,
        open: [],
        progress: { status: 'paused', ended: 1 },
      });
    });
    expect((await type('status', runId)).stdout).toMatch(/^status +paused$/m);
    expect(await json('resume', runId)).toMatchObject({
      run_id: runId,
      request: 'resume',
      retried: 0,
      progress: { paused: false, max_concurrency: 1 },
    });
    await handle.result();
    expect(gate.opened).toEqual(names(0, 1, 2));
  });

  it('resume also runs again what infrastructure has ended', async () => {
    let isBroken = true;
    const { runId, gate, type, start } = await steered({
      callModel: async (request, options) => {
        if (isBroken) await unavailable();
        return await quickModel(request, options);
      },
    });
    const handle = await start({ plan: tasks(2), maxConcurrency: 1 });
    await gate.openedCount(1);
    gate.release('task-0.trial-0');
    await gate.openedCount(2);
    isBroken = false;
    expect((await type('status', runId)).stdout).toMatch(/^failed +task-0\.trial-0: 503 overloaded/m);
    expect((await type('resume', runId)).stdout).toMatch(
      new RegExp(`^${runId} continues, and runs 1 episode again; 1 of 2 episodes have ended, 1 is open$`),
    );
    gate.openWide();
    const { totals } = await handle.result();
    expect(gate.opened).toEqual(names(0, 1, 0));
    expect(totals.outcomes).toEqual({ user_stop: 2 });
  });
});

describe('set', () => {
  it('changes both limits, or lifts the budget', async () => {
    const { runId, gate, type, json, start } = await steered();
    const handle = await start({ plan: tasks(4), maxConcurrency: 1, maxCostUsd: 5 });
    await gate.openedCount(1);
    const set = await json('set', runId, '--max-concurrency', '3', '--max-cost', '$7.50');
    expect(set).toMatchObject({ request: 'set', progress: { max_concurrency: 3, max_cost_usd: 7.5 } });
    await gate.openedCount(3);
    expect((await type('set', runId, '--max-cost', 'none')).stdout).toBe(
      `${runId}: no budget; 0 of 4 episodes have ended, 3 are open`,
    );
    expect(await json('status', runId)).toMatchObject({ max_cost_usd: null, max_concurrency: 3 });
    gate.openWide();
    await handle.result();
  });
});

describe('cancel', () => {
  it('cancels single episodes, and the run goes on', async () => {
    const { runId, gate, type, start, rig } = await steered();
    const handle = await start({ plan: tasks(3), maxConcurrency: 2 });
    await gate.openedCount(2);
    const wrong = await type('cancel', runId, 'task-0.trial-0', 'task-2.trial-0');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(
      `error: the episode task-2.trial-0 of ${runId} has not been opened; only open episodes are cancelled.`,
    );
    const { code, stdout } = await type('cancel', runId, 'task-0.trial-0');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `task-0.trial-0 of ${runId} cancelled; \`npx tauflow retry ${runId}\` runs what was cancelled again`,
    });
    gate.openWide();
    const { totals } = await handle.result();
    expect(totals.outcomes).toEqual({ cancelled: 1, user_stop: 2 });
    expect((await rig.log.readEpisode({ taskId: 0, trial: 0 }))?.outcome.kind).toBe('cancelled');
  });

  it('cancels the run: what has ended is kept, the results are written', async () => {
    const { runId, gate, type, start, rig, cwd } = await steered();
    await start({ plan: tasks(4), maxConcurrency: 2 });
    await gate.openedCount(2);
    gate.release('task-0.trial-0');
    await gate.openedCount(3);
    const { code, stdout, stderr } = await type('cancel', runId);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(
      `${runId} is cancelled: 1 episode that had ended is kept, the results are in ${join(cwd, 'results', `${runId}.json`)}\n` +
        `resume with: npx tauflow resume ${runId}`,
    );
    expect(await rig.publishedEpisodes()).toBe(1);
    expect((await rig.log.readRun())?.status).toBe('cancelled');
    const again = await type('cancel', runId);
    expect(again).toMatchObject({
      code: 2,
      stderr: `error: the run ${runId} is not under way (cancelled); there is nothing to cancel.`,
    });
  });
});

describe('retry', () => {
  it('runs chosen episodes of a run under way again, whatever they came to', async () => {
    const { runId, gate, type, json, start, cwd } = await steered();
    const handle = await start({ plan: tasks(2), maxConcurrency: 1 });
    await gate.openedCount(1);
    gate.release('task-0.trial-0');
    await gate.openedCount(2);
    expect((await type('retry', runId, 'task-7.trial-0')).stderr).toBe(
      'error: the run has no task 7; its tasks are in run.json.',
    );
    expect((await type('retry', runId, '--task-ids', '0', '--trials', '3')).stderr).toBe(
      'error: the run has no trial 3; its trials are 0 to 0.',
    );
    expect(await json('retry', runId, 'task-0.trial-0')).toMatchObject({ request: 'retry', retried: 1 });
    gate.openWide();
    await handle.result();
    expect(gate.opened).toEqual(names(0, 1, 0));
    expect(namesIn(join(cwd, 'results', runId, 'superseded'))).toEqual(['task-0.trial-0.1.json']);
  });
});

describe('a run that has ended', () => {
  it('is resumed with what was cancelled, and by retry with what is chosen', { timeout: 120_000 }, async () => {
    const { runId, gate, type, start, rig } = await steered();
    await start({ plan: tasks(3), maxConcurrency: 1 });
    await gate.openedCount(1);
    await type('cancel', runId);
    gate.openWide();
    const host = ['--no-worker', '--task-queue', runId];
    const resumed = await type('resume', runId, ...host);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toMatch(/of 3 episodes succeeded/);
    expect(gate.opened).toEqual(names(0, 0, 1, 2));
    expect((await rig.log.readRun())?.status).toBe('completed');

    const retried = await type('retry', runId, '--task-ids', '1,2', ...host);
    expect(retried.code, retried.stderr).toBe(0);
    expect(retried.stderr).toContain(`2 episodes of ${runId} set aside, to run again`);
    expect(gate.opened.slice(4)).toEqual(names(1, 2));

    const done = await type('resume', runId, ...host);
    expect(done.stderr).toContain(`the run ${runId} is complete; this is its report`);
    const spent = await type('run', '--run-id', runId, '--num-trials', '2', '--max-cost', '0.0001', ...host);
    expect(spent).toMatchObject({ code: 2, stdout: '' });
    expect(spent.stderr).toMatch(
      /^error: the run \S+ has cost \$\S+ of its budget of \$0\.0001, so no episode could be /m,
    );
    expect(spent.stderr).toContain('raise the budget with `--max-cost`.');
    expect(gate.opened.slice(6)).toEqual([]);
    const set = await type('set', runId, '--max-cost', '4');
    expect(set).toMatchObject({ code: 2, stdout: '' });
    expect(set.stderr).toBe(
      `error: the run ${runId} is not under way (completed); ` +
        `\`npx tauflow resume ${runId} --max-cost 4\` resumes it with that.`,
    );
    expect((await type('pause', runId)).stderr).toBe(
      `error: the run ${runId} is not under way (completed); \`npx tauflow resume ${runId}\` resumes it.`,
    );
  });
});

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
