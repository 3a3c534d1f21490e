/** Schedules and their runs on a real server: how they are compared, how they end, and whom they tell. */

import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { describe, expect, inject, it, vi } from 'vitest';
import { lastScheduledRuns } from '../../src/cli/schedule/testing.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { openRunLogs } from '../../src/run-log/store/index.ts';
import {
  readAlert,
  deleteSchedule,
  listSchedules,
  listSeenScheduledRuns,
  pauseSchedule,
  putSchedule,
  readSchedule,
  triggerSchedule,
  unpauseSchedule,
  type SeenScheduledRun,
} from '../../src/temporal/client/index.ts';
import { scheduledRunId, type AlertTarget } from '../../src/evaluation/index.ts';
import type { scheduledRun } from '../../workflows/client.ts';
import { Gate } from './gate.ts';
import type { Rig } from './rig.ts';
import { resultOf, stage, triggeredRun, undo, type Stage } from './scheduled-run-stage.ts';

/** Two or three scheduled runs in a row, on a machine that others use too. */
vi.setConfig({ testTimeout: 180_000 });

const noProblem = (sentence: string) => expect.fail(sentence);

/** Repeating a scheduled run's activities leads to the same. */
async function replay({ client }: Rig, night: SeenScheduledRun | undefined): Promise<void> {
  if (night === undefined) throw new Error('the server does not know the night');
  const { workflowId, workflowRunId } = night;
  const history = await client.workflow.getHandle(workflowId, workflowRunId).fetchHistory();
  const workflowBundle = { codePath: inject('workflowBundle') };
  await Worker.runReplayHistory({ workflowBundle, replayName: workflowId }, history, workflowId);
}

describe('the scheduled runs of a schedule', () => {
  it('are compared with the one before: first, regression, no difference', async () => {
    const { rig, name, schedule, night } = await stage();
    const { client } = rig;
    await putSchedule(client, schedule('oracle'), false);
    const first = await night();
    expect(first).toMatchObject({ verdict: 'first', baseline: null, averageReward: 1, delta: null });

    expect(await putSchedule(client, schedule('oracle:0'), true)).toBe(true);
    const second = await night();
    expect(second).toMatchObject({
      verdict: 'regression',
      baseline: first.runId,
      tasks: 8,
      alert: { kind: 'none' },
      delta: -1,
    });
    const third = await night();
    expect(third).toMatchObject({ verdict: 'no_difference', baseline: second.runId, delta: 0 });

    const log = new RunLog({ runId: second.runId, logDir: rig.run.logDir });
    const written = JSON.parse(await readFile(log.paths.comparison, 'utf8')) as Record<string, unknown>;
    expect(written).toMatchObject({
      verdict: 'regression',
      settings: [{ name: 'agent_model.model', values: ['oracle', 'oracle:0'] }],
      baseline: { run_id: first.runId },
    });
    // The sweep is a run like any other.
    expect(await log.readRun()).toMatchObject({ status: 'completed', notes: ['The model was scripted.'] });
    const sweep = await client.workflow.getHandle(second.runId).describe();
    expect(sweep.status.name).toBe('COMPLETED');
    expect(sweep.memo).toMatchObject({ strategy: 'tool-calling', tasks: 8 });

    const rows = await lastScheduledRuns(client, name, openRunLogs(rig.run.logDir, null), 10, noProblem);
    expect(rows.map(({ runId, verdict, averageReward }) => [runId, verdict, averageReward])).toEqual([
      [third.runId, 'no_difference', second.averageReward],
      [second.runId, 'regression', second.averageReward],
      [first.runId, 'first', 1],
    ]);
    const [seen] = await listSeenScheduledRuns(client, name, 2);
    await replay(rig, seen);
    expect(seen).toMatchObject({ runId: third.runId, verdict: 'no_difference', delta: 0, status: 'completed' });
    // What the run log has lost, the server still knows.
    await rm(log.paths.folder, { recursive: true });
    const [, withoutLog] = await lastScheduledRuns(client, name, openRunLogs(rig.run.logDir, null), 2, noProblem);
    expect(withoutLog).toMatchObject({ verdict: 'regression', delta: second.delta, sentence: null });
  });

  it('are named by the second, and those of one second get numbers', async () => {
    const { rig, name, schedule } = await stage();
    const { input } = schedule('oracle');
    const one = { ...input, sweep: { ...input.sweep, plan: { ...input.sweep.plan, taskIds: [0] } } };
    const at = new Date('2026-11-21T02:00:00Z');
    const started = await Promise.all(
      ['x', 'y'].map((id) =>
        rig.client.workflow.start<typeof scheduledRun>('scheduled-run', {
          workflowId: `scheduled-run/${name}-${id}`,
          taskQueue: rig.queues.main,
          args: [one],
          searchAttributes: { TemporalScheduledStartTime: [at] },
        }),
      ),
    );
    const results = await Promise.all(started.map((handle) => handle.result()));
    expect(results.map(({ runId }) => runId).sort()).toEqual([scheduledRunId(name, at), scheduledRunId(name, at, 2)]);
  });

  it('are skipped, and counted, while one is under way', async () => {
    const gate = new Gate();
    const { rig, name, schedule } = await stage({ activities: gate.activities });
    await putSchedule(rig.client, schedule('oracle'), false);
    const started = await triggeredRun(rig, name);
    await gate.openedCount(1);
    expect(await triggerSchedule(rig.client, name)).toEqual({ kind: 'skipped' });
    expect(await readSchedule(rig.client, name)).toMatchObject({ started: 1, skipped: 1 });
    const [running] = await lastScheduledRuns(rig.client, name, openRunLogs(rig.run.logDir, null), 5, noProblem);
    expect(running).toMatchObject({ runId: started.runId, verdict: 'running', averageReward: null });
    gate.openWide();
    expect(await resultOf(rig, started)).toMatchObject({ verdict: 'first' });
  });
});

describe('a scheduled run that does not come to its end', () => {
  it('leaves a verdict with counts when its sweep is cancelled', async () => {
    const gate = new Gate();
    const { rig, name, schedule } = await stage({ activities: gate.activities });
    await putSchedule(rig.client, schedule('oracle'), false);
    const started = await triggeredRun(rig, name);
    await gate.openedCount(6);
    await rig.client.workflow.getHandle(started.runId).cancel();
    const result = await resultOf(rig, started);
    expect(result).toMatchObject({
      verdict: 'unfinished',
      unfinished: { cancelled: 6, missing: 2, infrastructureErrors: 0 },
      sentence: 'unfinished: 6 cancelled, 2 not run',
    });
  });

  it('leaves its comparison when it is cancelled itself, and ends as cancelled', async () => {
    const gate = new Gate();
    const { rig, name, schedule } = await stage({ activities: gate.activities });
    await putSchedule(rig.client, schedule('oracle'), false);
    const started = await triggeredRun(rig, name);
    await gate.openedCount(6);
    await rig.client.workflow.getHandle(started.workflowId).cancel();
    await expect(resultOf(rig, started)).rejects.toThrow(WorkflowFailedError);
    const log = new RunLog({ runId: started.runId, logDir: rig.run.logDir });
    expect(await log.readComparison()).toMatchObject({ verdict: 'unfinished' });
    const [seen] = await listSeenScheduledRuns(rig.client, name, 1);
    expect(seen).toMatchObject({ status: 'cancelled', verdict: 'unfinished' });
  });

  it('says what stopped a sweep that failed, and is no baseline of the next one', async () => {
    let isBroken = false;
    const { rig, schedule, night } = await stage({
      activities: (real) => ({
        findRecorded: (input) => {
          if (isBroken) throw ApplicationFailure.nonRetryable('the disk is gone');
          return real.findRecorded(input);
        },
      }),
    });
    await putSchedule(rig.client, schedule('oracle'), false);
    const first = await night();
    isBroken = true;
    const broken = await night();
    expect(broken).toMatchObject({ verdict: 'unfinished', unfinished: { missing: 8 } });
    expect(broken.sentence).toContain('the disk is gone');
    isBroken = false;
    expect(await night()).toMatchObject({ verdict: 'no_difference', baseline: first.runId });
  });

  it('is compared once more when the first comparison was lost with its worker', async () => {
    const bytes: string[] = [];
    const { rig, schedule, night } = await stage({
      activities: (real) => ({
        compareRuns: async (input) => {
          const verdict = await real.compareRuns(input);
          bytes.push(await readFile(new RunLog(input.run).paths.comparison, 'utf8'));
          if (Context.current().info.attempt === 1) throw new Error('the worker died before it could answer');
          return verdict;
        },
      }),
    });
    await putSchedule(rig.client, schedule('oracle'), false);
    expect(await night()).toMatchObject({ verdict: 'first' });
    expect(bytes).toHaveLength(2);
    expect(bytes[0]).toBe(bytes[1]);
  });
});

describe('an alert', () => {
  const regression = async ({ rig, schedule, night }: Stage, target: AlertTarget) => {
    await putSchedule(rig.client, schedule('oracle', {}, { alerts: { regression: target } }), false);
    expect((await night()).alert).toEqual({ kind: 'none' });
    await putSchedule(rig.client, schedule('oracle:0', {}, { alerts: { regression: target } }), true);
    return night();
  };

  it('is posted to the webhook that the worker knows, once it answers', async () => {
    const posted: { key: string | undefined; body: Record<string, unknown> }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        posted.push({
          key: String(request.headers['idempotency-key']),
          body: JSON.parse(text) as Record<string, unknown>,
        });
        response.writeHead(posted.length === 1 ? 503 : 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    undo.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    const env = { HOOK: `http://127.0.0.1:${port}/secret-path` };
    const set = await stage({ deps: { alerts: { env, commands: false } } });
    const result = await regression(set, { kind: 'webhook_from_env', variable: 'HOOK' });
    expect(result).toMatchObject({ verdict: 'regression', alert: { kind: 'sent' } });
    expect(posted).toHaveLength(2);
    expect(posted[0]).toEqual(posted[1]);
    expect(posted[1]?.key).toBe(`${result.runId}/regression`);
    expect(posted[1]?.body).toMatchObject({
      schedule: set.name,
      verdict: 'regression',
      run_id: result.runId,
      comparison: { verdict: 'regression' },
    });
    expect(posted[1]?.body['text']).toContain('is worse than');
    const { client } = set.rig;
    // The server's list of workflows is behind its workflows for a moment.
    const seen = await vi.waitFor(async () => {
      const [latest] = await listSeenScheduledRuns(client, set.name, 1);
      if (latest?.status !== 'completed') throw new Error('the list does not have the end of the night');
      return latest;
    }, 30_000);
    expect(await readAlert(client, seen)).toEqual({ kind: 'sent' });
    await replay(set.rig, seen);
    const history = await set.rig.client.workflow.getHandle(seen.workflowId, seen.workflowRunId).fetchHistory();
    expect(JSON.stringify(history)).not.toContain('secret-path');
    expect(Buffer.from(JSON.stringify(history)).toString('base64')).not.toContain('secret-path');
  });

  it('runs a command with the comparison in its environment, where the worker allows it', async () => {
    const set = await stage({ deps: { alerts: { env: { PATH: process.env['PATH'] }, commands: true } } });
    const file = join(set.rig.run.logDir, 'told');
    const command = `echo "$TAUFLOW_RUN $TAUFLOW_VERDICT" > ${file}; cat "$TAUFLOW_COMPARISON" >> ${file}`;
    const result = await regression(set, { kind: 'command', command });
    expect(result.alert).toEqual({ kind: 'sent' });
    const told = await readFile(file, 'utf8');
    expect(told).toMatch(new RegExp(`^${result.runId} regression\\n`));
    expect(told).toContain('"verdict": "regression"');
  });

  it('that nobody may send takes nothing away from the verdict, which says so', async () => {
    const attempts: number[] = [];
    const set = await stage({
      activities: (real) => ({
        alert: async (input) => {
          const { attempt } = Context.current().info;
          attempts.push(attempt);
          try {
            return await real.alert(input);
          } catch (error) {
            // The wait for another worker is cut short, the refusal stays.
            if (attempt === 2 && error instanceof ApplicationFailure) {
              throw ApplicationFailure.nonRetryable(error.message, error.type ?? undefined);
            }
            throw error;
          }
        },
      }),
    });
    const result = await regression(set, { kind: 'command', command: 'touch /never' });
    expect(result).toMatchObject({ verdict: 'regression', alert: { kind: 'failed' } });
    expect(result.alert).toMatchObject({ message: expect.stringContaining('--allow-commands') as string });
    expect(attempts).toEqual([1, 2]);
    expect(existsSync('/never')).toBe(false);
    const logs = openRunLogs(set.rig.run.logDir, null);
    // The server's list of workflows is behind its workflows for a moment.
    await vi.waitFor(async () => {
      const [row] = await lastScheduledRuns(set.rig.client, set.name, logs, 1, noProblem);
      expect(row).toMatchObject({ verdict: 'regression', alert: { kind: 'failed' } });
    }, 30_000);
  });
});

/** Schedules on a real server: what they hold, and how they are changed, paused and refused. */
describe('a schedule', () => {
  describe('a schedule', () => {
    it('has its times, clock and windows from what was asked for', async () => {
      const { rig, name, schedule } = await stage();
      const asked = schedule('oracle', {
        cron: '30 2 * * 1',
        timezone: 'Europe/Berlin',
        overlap: 'buffer-one',
        catchUpMs: 3_600_000,
        jitterMs: 600_000,
      });
      expect(await putSchedule(rig.client, asked, false)).toBe(false);
      const state = await readSchedule(rig.client, name);
      expect(state).toMatchObject({
        name,
        cron: '30 2 * * 1',
        timezone: 'Europe/Berlin',
        overlap: 'buffer-one',
        catchUpMs: 3_600_000,
        jitterMs: 600_000,
        paused: false,
        started: 0,
      });
      expect(state.input).toMatchObject(asked.input);
      expect(new Date(state.next[0] ?? '').getUTCDay()).toBe(1);
      expect((await listSchedules(rig.client)).map((other) => other.name)).toContain(name);
    });

    it('that exists is changed only when that is asked for, and stays paused', async () => {
      const { rig, name, schedule } = await stage();
      const { client } = rig;
      await putSchedule(client, schedule('oracle'), false);
      await expect(putSchedule(client, schedule('oracle:0.5'), false)).rejects.toMatchObject({
        kind: 'schedule-exists',
        message: expect.stringContaining('--replace') as string,
      });
      await pauseSchedule(client, name, 'the shop is closed');
      expect(await readSchedule(client, name)).toMatchObject({ paused: true, note: 'the shop is closed' });
      await putSchedule(client, schedule('oracle:0.5', { cron: '0 4 * * *' }), true);
      const replaced = await readSchedule(client, name);
      expect(replaced).toMatchObject({ paused: true, cron: '0 4 * * *' });
      expect(replaced.input.sweep.config.agentModel?.model).toBe('oracle:0.5');
      await unpauseSchedule(client, name, 'open again');
      expect(await readSchedule(client, name)).toMatchObject({ paused: false, note: 'open again' });
      await deleteSchedule(client, name);
      await expect(readSchedule(client, name)).rejects.toMatchObject({ kind: 'schedule-missing' });
    });

    it.each([
      ['a cron string', { cron: 'at two' }],
      ['a time zone', { timezone: 'Mars/Base' }],
    ])('is refused in one sentence for %s that the server does not take', async (_, wrong) => {
      const { rig, schedule } = await stage();
      await expect(putSchedule(rig.client, schedule('oracle', wrong), false)).rejects.toMatchObject({
        kind: 'schedule-refused',
        message: expect.stringMatching(/^the server refuses the times of .*; correct --cron or --timezone$/) as string,
      });
    });

    it('is not seen among those of others', async () => {
      const { rig, name } = await stage();
      const other = await rig.client.schedule.create({
        scheduleId: `other-${name}`,
        spec: { cronExpressions: ['0 2 29 2 *'] },
        action: { type: 'startWorkflow', workflowType: 'scheduled-run', taskQueue: rig.queues.main, args: [] },
      });
      undo.push(() => other.delete());
      expect((await listSchedules(rig.client)).filter((seen) => seen.name.includes(name))).toEqual([]);
    });
  });
});
