/** Requests to sweeps and their effects, what the server shows of sweeps without any worker, and what dead workers leave. */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  readSteering,
  requestUpdate,
  fetchProgress,
  readSweepInput,
  startSweep,
  countExecutions,
  listEpisodes,
  listSweeps,
  openEpisodes,
  seeSweep,
  findPollers,
  reclaimFromDeadWorkers,
  waitingReason,
} from '../../src/temporal/client/index.ts';
import { hasDied, scheduleWorkflowId } from '../../src/temporal/client/testing.ts';
import { msToTs } from '../../src/temporal/sdk-internals/index.ts';
import { taskQueues } from '../../src/evaluation/index.ts';
import { extend, pause, resume, setLimits, type scheduledRun } from '../../workflows/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { Gate } from '../workflows/gate.ts';
import { quickModel } from '../workflows/models.ts';
import { startRig } from '../workflows/rig.ts';
import { names, rigWith, start, tasks } from '../workflows/sweep-rig.ts';

describe('a request', () => {
  it('is carried out, refused with the sweep’s reason, or too late', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const handle = await start(rig, { plan: tasks(2), maxConcurrency: 1 });
    await gate.openedCount(1);
    const ask = (maxConcurrency: number) =>
      requestUpdate(rig.client, handle.workflowId, setLimits, [{ maxConcurrency }]);
    expect(await ask(2)).toEqual({ kind: 'done', result: undefined });
    await gate.openedCount(2);
    expect(await ask(0)).toEqual({ kind: 'refused', reason: expect.stringMatching(/at least 1/) as '' });
    gate.openWide();
    await handle.result();
    expect(await ask(3)).toEqual({ kind: 'over' });
  });

  it('that no worker answers is kept by the server, and carried out by the one that comes', async () => {
    const rig = await rigWith(() => ({}));
    const later = `later-${rig.run.runId}`;
    const { workflowId } = await start(rig, { plan: tasks(2), queues: taskQueues(later) });
    expect(await requestUpdate(rig.client, workflowId, pause, [], 500)).toEqual({
      kind: 'unanswered',
      isWaiting: true,
    });
    const input = await readSweepInput(rig.client, workflowId);
    // What is only waiting has not steered anything yet.
    expect((await readSteering(rig.client, workflowId, input)).paused).toBe(false);
    const worker = await startRig({ callModel: quickModel, runId: later, logDir: rig.run.logDir });
    try {
      await eventually(async () => {
        expect(await fetchProgress(rig.client, workflowId)).toMatchObject({ paused: true });
      });
      expect(await requestUpdate(rig.client, workflowId, resume, [])).toMatchObject({ kind: 'done' });
      await rig.client.workflow.getHandle(workflowId).result();
    } finally {
      await worker.stop();
    }
  });
});

describe('without a worker', () => {
  it('the history shows how a sweep is steered, as the sweep itself would', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const { workflowId } = await start(rig, { plan: tasks(2), maxConcurrency: 1, maxCostUsd: 9 });
    await gate.openedCount(1);
    const { client } = rig;
    const read = async () => readSteering(client, workflowId, await readSweepInput(client, workflowId));
    const told = async () => {
      const { paused, pausedFor, maxConcurrency, maxCostUsd, numTrials } = await fetchProgress(client, workflowId);
      return { paused, pausedFor, maxConcurrency, maxCostUsd, numTrials };
    };
    expect(await read()).toEqual({ paused: false, pausedFor: null, maxConcurrency: 1, maxCostUsd: 9, numTrials: 1 });
    await requestUpdate(client, workflowId, pause, []);
    await requestUpdate(client, workflowId, setLimits, [{ maxCostUsd: null }]);
    await requestUpdate(client, workflowId, extend, [3]);
    expect(await read()).toEqual({ paused: true, pausedFor: null, maxConcurrency: 1, maxCostUsd: null, numTrials: 3 });
    expect(await told()).toEqual(await read());
    await requestUpdate(client, workflowId, setLimits, [{ maxConcurrency: 4, maxCostUsd: 2 }]);
    await requestUpdate(client, workflowId, setLimits, [{ maxConcurrency: 2 }]);
    await requestUpdate(client, workflowId, resume, []);
    expect(await told()).toEqual(await read());
    expect(await read()).toEqual({ paused: false, pausedFor: null, maxConcurrency: 2, maxCostUsd: 2, numTrials: 3 });
    gate.openWide();
    await client.workflow.getHandle(workflowId).result();
  });

  it('the visibility store lists episodes, and of runs without their lanes', async () => {
    const gate = new Gate();
    const rig = await rigWith(gate.activities);
    const { client } = rig;
    const handle = await start(rig, { plan: tasks(4), maxConcurrency: 2, tuning: { laneSize: 2 } });
    const { workflowId: runId } = handle;
    await gate.openedCount(2);
    gate.release(gate.held[0] ?? '');
    await gate.openedCount(3);
    await eventually(async () => {
      expect(await countExecutions(client, runId)).toEqual({ running: 2, completed: 1 });
      expect(await openEpisodes(client, runId)).toBe(2);
    });
    const open = await listEpisodes(client, runId, { openOnly: true });
    expect(open?.map(({ name }) => name).sort()).toEqual([...gate.held].sort());
    gate.openWide();
    await handle.result();
    await eventually(async () => {
      const all = await listEpisodes(client, runId);
      expect(all?.map(({ name }) => name).sort()).toEqual(names(0, 1, 2, 3));
      expect(all?.every((episode) => episode.outcome === 'user_stop' && episode.reward === 0)).toBe(true);
      const seen = [];
      for await (const sweep of listSweeps(client, { strategy: 'tool-calling', model: 'oracle' })) {
        if (sweep.runId.startsWith(runId)) seen.push(sweep);
      }
      expect(seen).toEqual([
        {
          runId,
          status: 'completed',
          startedAt: expect.any(String) as string,
          env: 'retail',
          strategy: 'tool-calling',
          model: 'oracle',
          averageReward: 0,
          costUsd: expect.closeTo(0.012) as number,
          schedule: null,
        },
      ]);
    });
    expect(await seeSweep(client, runId)).toMatchObject({ status: 'completed', averageReward: 0 });
    expect(await seeSweep(client, `${runId}/task-0/trial-0`)).toBeNull();
    expect(await seeSweep(client, 'nowhere')).toBeNull();
  });

  it('a name with a quote finds nothing, and is no error', async () => {
    const rig = await rigWith(() => ({}));
    const seen = [];
    for await (const sweep of listSweeps(rig.client, { model: "it's \\ me" })) seen.push(sweep);
    expect(seen).toEqual([]);
    expect(await countExecutions(rig.client, "it's")).toEqual({});
  });
});

describe('pollers', () => {
  it('are named by task queue, and what is missing in a sentence', async () => {
    const rig = await rigWith(() => ({}));
    await eventually(async () => {
      const [main, scripted, openai] = await findPollers(rig.client, rig.queues, ['scripted', 'openai']);
      expect(main).toMatchObject({ taskQueue: rig.queues.main, provider: null, workers: [expect.any(String)] });
      expect(scripted).toMatchObject({ provider: 'scripted', workers: [expect.any(String)] });
      expect(openai).toEqual({
        taskQueue: `${rig.queues.llm}-openai`,
        provider: 'openai',
        endpoint: null,
        workers: [],
      });
    });
    const queues = await findPollers(rig.client, rig.queues, ['scripted', 'openai']);
    const command = `npx tauflow worker --task-queue ${rig.queues.main}`;
    expect(waitingReason(queues)).toBe(
      `no worker makes calls of openai; start \`${command}\` where there is a key for it`,
    );
    expect(waitingReason(queues.slice(0, 2))).toBeNull();
    expect(waitingReason([{ taskQueue: 'tauflow', provider: null, endpoint: null, workers: [] }])).toBe(
      'no worker listens on tauflow; one is started with `npx tauflow worker`',
    );
  });

  it('of this machine that have died are known to have', async () => {
    expect(await hasDied(`${process.pid}@${hostname()}`)).toBe(false);
    // No pid is this large.
    expect(await hasDied(`999999999@${hostname()}`)).toBe(true);
    expect(await hasDied('999999999@elsewhere')).toBe(false);
    expect(await hasDied('a worker')).toBe(false);
  });
});

it('a scheduled run is seen with its schedule', async () => {
  const rig = await rigWith(() => ({}));
  const { runId: schedule, logDir } = rig.run;
  const sweep = rig.sweepInput({ plan: tasks(1) });
  const night = await rig.client.workflow.execute<typeof scheduledRun>('scheduled-run', {
    workflowId: `${scheduleWorkflowId(schedule)}-2026-01-01T02:00:00Z`,
    taskQueue: rig.queues.main,
    args: [{ schedule, logDir, sweep, alerts: {} }],
  });
  expect(await seeSweep(rig.client, night.runId)).toMatchObject({ status: 'completed', schedule });
});

it('a sweep that is started again under its id is seen as the newest of them', async () => {
  const rig = await rigWith(() => ({}));
  for (const numTrials of [1, 2]) {
    await (await startSweep(rig.client, rig.sweepInput({ plan: { ...tasks(1), numTrials } }))).handle.result();
  }
  const runs: string[] = [];
  await eventually(async () => {
    runs.length = 0;
    for await (const { runId } of listSweeps(rig.client)) if (runId === rig.run.runId) runs.push(runId);
    expect(runs).toHaveLength(1);
    expect(await countExecutions(rig.client, rig.run.runId)).toEqual({ completed: 2 });
  });
});

describe('after the death of a worker,', () => {
  const { COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK: SCHEDULE } = proto.temporal.api.enums.v1.CommandType;
  const { address, namespace } = inject('temporal');
  let connection: Connection;
  let client: Client;

  beforeAll(async () => {
    connection = await Connection.connect({ address });
    client = new Client({ connection, namespace });
  });

  afterAll(() => connection.close());

  /** A poll must say how long it may take. */
  function polling<T>(poll: () => Promise<T>): Promise<T> {
    return connection.withDeadline(Date.now() + 30_000, poll);
  }

  /** The identity of a worker whose process has ended. */
  function deadIdentity(): string {
    const { pid } = spawnSync(process.execPath, ['--version']);
    return `${pid}@${hostname()}`;
  }

  /** A workflow with one activity under way in a worker of that identity, played by hand. */
  async function startActivity(identity: string) {
    const { workflowService } = connection;
    const workflowId = `reclaim-${randomUUID()}`;
    const taskQueue = { name: workflowId };
    await client.workflow.start('anything', { workflowId, taskQueue: workflowId });
    const { taskToken } = await polling(() =>
      workflowService.pollWorkflowTaskQueue({ namespace, taskQueue, identity }),
    );
    await workflowService.respondWorkflowTaskCompleted({
      taskToken,
      identity,
      commands: [
        {
          commandType: SCHEDULE,
          scheduleActivityTaskCommandAttributes: {
            activityId: '1',
            activityType: { name: 'call' },
            taskQueue,
            startToCloseTimeout: msToTs('10 minutes'),
            retryPolicy: { initialInterval: msToTs(1) },
          },
        },
      ],
    });
    const poll = () => polling(() => workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity }));
    expect((await poll()).attempt).toBe(1);
    return { workflowId, poll };
  }

  async function pendingAttempt(workflowId: string): Promise<number | null | undefined> {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return raw.pendingActivities?.[0]?.attempt;
  }

  describe('what a dead worker of this machine had under way', () => {
    it('is given up at once, and counted as an attempt', async () => {
      const { workflowId, poll } = await startActivity(deadIdentity());
      expect(await reclaimFromDeadWorkers(client, workflowId)).toBe(1);
      expect((await poll()).attempt).toBe(2);
      await client.workflow.getHandle(workflowId).terminate();
    });

    it.each([
      ['lives', `${process.pid}@${hostname()}`],
      ['is on another machine', '4194303@elsewhere'],
      ['has a name of its own', 'worker-7'],
    ])('stays with a worker that %s', async (_, identity) => {
      const { workflowId } = await startActivity(identity);
      expect(await reclaimFromDeadWorkers(client, workflowId)).toBe(0);
      expect(await pendingAttempt(workflowId)).toBe(1);
      await client.workflow.getHandle(workflowId).terminate();
    });

    it('is nothing in a workflow that has ended', async () => {
      expect(await reclaimFromDeadWorkers(client, `never-started-${randomUUID()}`)).toBe(0);
    });
  });
});
