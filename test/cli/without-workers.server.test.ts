/** Queries and commands on a run where no worker runs, or no server, or the log is somewhere else. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { recordedRun } from './recorded-run.ts';
import { scratchFolder, serverOfTests, tauflow, type Ended } from './in-process.ts';
import { steered } from './steered.ts';
import { tasks } from '../workflows/sweep-rig.ts';
import { eventually } from '../helpers/eventually.ts';

/** Starts a sweep that nobody works on. */
async function waiting(runId: string, cwd: string): Promise<Ended> {
  const words = ['run', '--run-id', runId, '--task-ids', '1', '2', '--model', 'oracle', '--task-queue', runId];
  const ended = await tauflow([...words, '--max-cost', '3', '--detach'], { cwd, env: serverOfTests() });
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

describe('a run that no worker works on', () => {
  it('reports what it waits for, keeps what is asked of it, and is cancelled later', { timeout: 120_000 }, async () => {
    const cwd = scratchFolder();
    const runId = `idle-${randomUUID().slice(0, 8)}`;
    await waiting(runId, cwd);
    const type = (...words: string[]) => tauflow(words, { cwd, env: serverOfTests() });

    const status = await type('status', runId);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    const start = `npx tauflow worker --task-queue ${runId}`;
    expect(status.stdout).toMatch(/^status +running \(no worker answers\)$/m);
    expect(status.stdout).toMatch(/^recorded +0 of 2 episodes$/m);
    expect(status.stdout).toMatch(/^cost +\$0\.00 so far, of a budget of \$3\.00$/m);
    expect(status.stdout).toMatch(/^workers +none on idle-\w+$/m);
    expect(status.stdout).toMatch(/^workers +none on idle-\w+-llm-scripted-retail-[0-9a-f]{6} \(calls of scripted\)$/m);
    expect(status.stdout).toContain(`no worker listens on ${runId}; one is started with \`${start}\``);

    const paused = await type('pause', runId);
    expect(paused).toMatchObject({ code: 3, stdout: '' });
    expect(paused.stderr).toBe(
      `error: no worker answers for the run ${runId}; the request waits on the server and is carried out when one ` +
        `comes, unless the server is restarted before. One is started with \`${start}\`.`,
    );

    const cancelled = await type('cancel', runId);
    expect(cancelled.code, cancelled.stderr).toBe(0);
    expect(cancelled.stdout).toBe(
      `${runId} is still running (0 episodes open) because no worker answers. The cancel request was accepted; nothing more has to be done here`,
    );
    expect((await type('status', runId)).stdout).toMatch(/^status +running \(to be cancelled, no worker answers\)$/m);
  });

  it('is listed with those of everybody, by strategy, model and status', { timeout: 120_000 }, async () => {
    const cwd = scratchFolder();
    const runId = `listed-${randomUUID().slice(0, 8)}`;
    await waiting(runId, cwd);
    const elsewhere = scratchFolder();
    const list = async (folder: string, ...words: string[]) => {
      const { stdout, code, stderr } = await tauflow(['list', '--json', '--limit', '500', ...words], {
        cwd: folder,
        env: serverOfTests(),
      });
      expect(code, stderr).toBe(0);
      return (JSON.parse(stdout) as Record<string, unknown>[]).find(({ run_id }) => run_id === runId);
    };
    const known = { status: 'running', strategy: 'tool-calling', model: 'oracle', env: 'retail', average_reward: null };
    // The visibility store is written a moment later.
    await eventually(async () => {
      expect(await list(elsewhere)).toMatchObject({ ...known, logged: false, episodes: null, planned: null });
    });
    expect(await list(cwd)).toMatchObject({ ...known, logged: true, episodes: 0, planned: 2 });
    expect(
      await list(elsewhere, '--strategy', 'tool-calling', '--model', 'oracle', '--status', 'running'),
    ).toBeDefined();
    expect(await list(elsewhere, '--strategy', "it's")).toBeUndefined();
    expect(await list(cwd, '--model', 'gpt-4o')).toBeUndefined();
    expect(await list(cwd, '--status', 'completed')).toBeUndefined();
    const table = await tauflow(['list', '--limit', '500'], { cwd: elsewhere, env: serverOfTests() });
    expect(table.stdout).toMatch(new RegExp(`│ ${runId} \\* +│ running +│`));
    expect(table.stdout).toContain('* known to the server only; its log is not in results');
    const env = serverOfTests();
    expect((await tauflow(['status', runId], { cwd: elsewhere, env })).stdout).toMatch(/^episodes +2 pending$/m);
    // The only worker that it needs to end.
    await tauflow(['cancel', runId], { cwd, env });
  });
});

describe('a run whose log is in another folder', () => {
  it('is reported by the server, and steered; its figures are listed when it has ended', async () => {
    const { runId, gate, start, cwd } = await steered();
    const handle = await start({ plan: tasks(3), maxConcurrency: 1 });
    await gate.openedCount(1);
    gate.release('task-0.trial-0');
    await gate.openedCount(2);
    const elsewhere = scratchFolder();
    const type = (...words: string[]) => tauflow(words, { cwd: elsewhere, env: serverOfTests() });
    expect((await type('set', runId, '--max-concurrency', '1')).code).toBe(0);
    await eventually(async () => {
      expect(JSON.parse((await type('status', runId, '--json')).stdout)).toMatchObject({
        status: 'running',
        recorded: null,
        planned: 3,
        pending: 1,
        open: ['task-1.trial-0'],
        executions: { completed: 1, running: 1 },
        metrics: null,
      });
    });
    gate.openWide();
    await handle.result();
    const other = await type('resume', runId, '--log-dir', 'results');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toBe(
      `error: the log of the run ${runId} (completed) is not in ${elsewhere}/results; ` +
        `it is in ${cwd}/results: give that as --log-dir to resume it.`,
    );
    const resumed = await type('resume', runId);
    expect(resumed.stderr).toContain(`the run ${runId} is complete; this is its report`);
    expect(resumed.code).toBe(0);
    const started = await type('run', '--run-id', runId, '--task-ids', '1');
    expect(started).toMatchObject({ code: 2, stdout: '' });
    expect(started.stderr).toMatch(
      new RegExp(`^error: the Temporal server at \\S+ knows the run ${runId} with its log in ${cwd}/results, not in `),
    );
    expect(started.stderr).toContain(`resume it with \`npx tauflow resume ${runId} --log-dir ${cwd}/results\``);
    const unknown = await type('resume', 'no-such-run');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toMatch(
      /^error: there is no run no-such-run in .*, and the Temporal server at \S+ has none/,
    );
    expect(existsSync(join(elsewhere, 'results'))).toBe(false);
    await eventually(async () => {
      const runs = JSON.parse((await type('list', '--json', '--limit', '500')).stdout) as Record<string, unknown>[];
      expect(runs.find(({ run_id }) => run_id === runId)).toMatchObject({ status: 'completed', average_reward: 0 });
    });
  });
});

describe('a run whose server is not there', () => {
  it('waits, and says how to resume it', async () => {
    const cwd = scratchFolder();
    await recordedRun(cwd, { taskIds: '1 2' });
    // Nothing is configured, and the folder has no server.
    const env = { TEMPORAL_ADDRESS: '' };
    for (const command of [['pause'], ['cancel'], ['set', '--max-concurrency', '2']]) {
      const ended = await tauflow([command[0] ?? '', 'mine', ...command.slice(1)], { cwd, env });
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toMatch(
        /^error: the run mine is stopped because no Temporal server runs for .*with its server/,
      );
    }
    const configured = await tauflow(['pause', 'mine'], { cwd });
    expect(configured).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: no Temporal server at 127/m) as '',
    });
    const status = await tauflow(['status', 'mine'], { cwd, env });
    expect(status.stdout).toMatch(
      /^run +mine\nstatus +interrupted\nrecorded +0 of 2 episodes\nepisodes +2 pending\nstopped +(.*)$/,
    );
    const stopped = 'the server does not know it any more, or does not answer; continue with: npx tauflow resume mine';
    expect(status.stdout).toContain(stopped);
    const list = await tauflow(['list'], { cwd, env });
    expect(list.stdout).toMatch(/mine\W+interrupted/);
    expect(list.stdout).toContain(`mine: ${stopped}`);
  });

  it('is only reported when it has ended', async () => {
    const cwd = scratchFolder();
    await recordedRun(cwd, { taskIds: '1 2' }, 'completed');
    for (const env of [{ TEMPORAL_ADDRESS: '' }, {}] as Record<string, string>[]) {
      const ended = await tauflow(['pause', 'mine'], { cwd, env });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toBe(
        'error: the run mine is not under way (completed); `npx tauflow resume mine` resumes it.',
      );
    }
  });
});
