/** Workers that lack what an episode needs, and a change of workers. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadAgent } from '../../src/agents/from-file/index.ts';
import type { CallModel } from '../../src/models/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import type { EpisodeRecord } from '../../src/run-log/index.ts';
import { leftWorkReason, startSweep, stuckReason } from '../../src/temporal/client/index.ts';
import type { Activities } from '../../src/orchestration/index.ts';
import { episodeWorkflowId, type RunRef } from '../../src/evaluation/index.ts';
import { answerReply, commandReply, finishReply, planReply } from '../agents/fastworkflow/replies.ts';
import { eventually } from '../helpers/eventually.ts';
import { scheduledActivities } from './history.ts';
import { calling, playLines, quickModel, replyOf, STOP, type Line, type PlayedModel } from './models.ts';
import { startRig, type Rig, type RigOptions } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';
import { failing, unavailable } from './steering-rig.ts';
import { start, tasks } from './sweep-rig.ts';

/** An episode of an agent from a file, on a worker that was not given the file, and on one that was. */
describe('an agent from a file', () => {
  const template = fileURLToPath(new URL('../fixtures/new-agent/my-agent.ts', import.meta.url));

  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  it('waits, says what is missing, and goes on where the file is', { timeout: 180_000 }, async () => {
    const logDir = await mkdtemp(join(tmpdir(), 'tauflow-log-'));
    ends.push(() => rm(logDir, { recursive: true, force: true }));
    const { file, ...agent } = await loadAgent(template);
    let rig: Rig = await startRig({ callModel: quickModel, logDir });
    const { runId } = rig.run;
    const { omitPolicy, useReasoning } = rig.config().strategyOptions;
    const input = rig.episodeInput(
      {},
      { strategy: agent.strategy.name, strategyOptions: { omitPolicy, useReasoning, agentFile: file } },
    );
    const { workflowId } = await rig.startEpisode(input);
    try {
      await eventually(async () => {
        const { events = [] } = await rig.client.workflow.getHandle(workflowId).fetchHistory();
        const failures = (events ?? []).map((event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? '');
        expect(failures.join()).toMatch(
          /this worker has no agent plan-first with digest \w{12} \(.*worker --agent-str/,
        );
      });
    } finally {
      await rig.stop();
    }
    const broken = join(logDir, 'broken.js');
    await writeFile(
      broken,
      "export default { name: 'broken', label: 'B', solve: async (session) => session.nothing.x };",
    );
    const other = await loadAgent(broken);
    rig = await startRig({ callModel: quickModel, logDir, runId, agents: [{ file, ...agent }, other] });
    ends.push(() => rig.stop());
    expect(await rig.client.workflow.getHandle(workflowId).result()).toMatchObject({
      outcome: 'user_stop',
      error: null,
    });
    const record = await rig.log.readEpisode(input.episode);
    expect(record).toMatchObject({
      config: { strategy: 'plan-first', strategyOptions: { agentFile: { digest: file.digest } } },
      counts: { plan_lines: 1 },
    });
    expect(record?.usage.map(({ role }) => role)).toEqual(expect.arrayContaining(['agent/planner', 'agent', 'user']));

    const { workflowId: id } = await rig.startEpisode(
      rig.episodeInput(
        { taskId: 1 },
        { strategy: 'broken', strategyOptions: { omitPolicy, useReasoning, agentFile: other.file } },
      ),
    );
    const failure: unknown = await rig.client.workflow
      .getHandle(id)
      .result()
      .catch((error: unknown) => error);
    const message: unknown = expect.stringMatching(/the agent broken has thrown TypeError: /);
    expect(failure).toMatchObject({ cause: { message } });
    expect(await rig.log.readEpisode({ taskId: 1, trial: 0 })).toMatchObject({
      outcome: { kind: 'infrastructure_error', error: 'AgentBroken' },
    });
  });
});

/** Two workers, one of which has not got the sweep's pack. */
describe('a pack', () => {
  const rigs: Rig[] = [];
  afterEach(async () => {
    await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
  });

  /** Every episode alike, with one step of the environment. */
  const callModel: CallModel = (request, options) => {
    const hasStepped = request.messages.some(({ role }) => role === 'tool');
    if (request.tools === undefined || hasStepped) return quickModel(request, options);
    return Promise.resolve(replyOf(calling(['get_order_details', { order_id: '#W9119854' }])));
  };

  /** @param has whether the worker has the pack by now */
  async function worker(has: () => boolean, place: { runId?: string; logDir?: string } = {}): Promise<Rig> {
    const pack = await resolvePack('retail');
    const findPack = () => Promise.resolve(has() ? pack : undefined);
    const rig = await startRig({ callModel, deps: { findPack }, ...place });
    rigs.push(rig);
    return rig;
  }

  describe('a sweep whose pack is not on every worker', { timeout: 180_000 }, () => {
    it('ends well on those that have it', async () => {
      let misses = 0;
      const rig = await worker(() => true);
      await worker(
        () => {
          misses += 1;
          return false;
        },
        { runId: rig.run.runId, logDir: rig.run.logDir },
      );
      const handle = await start(rig, { plan: tasks(3), maxConcurrency: 3 });
      const { totals } = await handle.result();
      expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 3 } });
      expect(misses).toBeGreaterThan(0);
      for (let taskId = 0; taskId < 3; taskId++) {
        const record = await rig.log.readEpisode({ taskId, trial: 0 });
        expect(record?.usage).toMatchObject([{ extraAttempts: 0 }, { extraAttempts: 0 }]);
      }
    });

    it('waits where none has it, says why, and continues when it is imported', async () => {
      let isImported = false;
      const bare = await worker(() => isImported);
      const handle = await start(bare, { plan: tasks(1), maxConcurrency: 1 });
      const episode = episodeWorkflowId(bare.run.runId, { taskId: 0, trial: 0 });
      // More attempts than a step that fails by itself has.
      await eventually(async () => {
        const { raw } = await bare.client.workflow.getHandle(episode).describe();
        expect(raw.pendingActivities?.[0]?.attempt).toBeGreaterThan(5);
      }, 120_000);
      const reason = await stuckReason(bare.client, [episode]);
      expect(reason).toMatch(/^\S+\/task-0\/trial-0 is waiting for a worker that has pack .*data import/);
      isImported = true;
      const { totals } = await handle.result();
      expect(totals).toMatchObject({ ended: 1, outcomes: { user_stop: 1 } });
    });
  });
});

/** Workers for which the path of the run's log folder is a folder on another disk. */
describe('a disk', () => {
  const rigs: Rig[] = [];
  const disks: string[] = [];
  afterEach(async () => {
    await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
    await Promise.all(disks.splice(0).map((disk) => rm(disk, { recursive: true, force: true })));
  });

  async function rigWith(options: Partial<RigOptions> = {}): Promise<Rig> {
    const rig = await startRig({ callModel: quickModel, ...options });
    rigs.push(rig);
    return rig;
  }

  const LOGGED = ['openRun', 'findRecorded', 'sumRecorded', 'summarize', 'supersede', 'record', 'closeRun'] as const;

  /** The activities of a worker that sees another disk under the path of the log folder. */
  function onDisk(disk: string): (real: Activities) => Partial<Activities> {
    const moved = <Input extends { readonly run: RunRef }, Output>(work: (input: Input) => Promise<Output>) => {
      return (input: Input): Promise<Output> => work({ ...input, run: { ...input.run, logDir: disk } });
    };
    return (real) => Object.fromEntries(LOGGED.map((name) => [name, moved(real[name] as never)]));
  }

  async function newDisk(): Promise<string> {
    const disk = await mkdtemp(join(tmpdir(), 'tauflow-disk-'));
    disks.push(disk);
    return disk;
  }

  async function recordsOn(disk: string, runId: string): Promise<string[]> {
    return readdir(join(disk, runId, 'episodes')).catch(() => []);
  }

  describe('a run that two workers with different disks take part in', { timeout: 180_000 }, () => {
    it('has all records on the disk where it was opened', async () => {
      const rig = await rigWith();
      const { runId, logDir } = rig.run;
      const disk = await newDisk();
      await rigWith({ runId, logDir, activities: onDisk(disk) });
      const handle = await start(rig, { plan: tasks(8), maxConcurrency: 4 });
      const result = await handle.result();
      expect(result).toMatchObject({ status: 'completed', totals: { ended: 8 } });
      const there = await Promise.all([logDir, disk].map((each) => recordsOn(each, runId)));
      expect(there.map(({ length }) => length).sort()).toEqual([0, 8]);
      const home = there[0]?.length === 8 ? logDir : disk;
      expect((await readdir(home)).sort()).toEqual([runId, `${runId}.json`]);
    });

    it('waits for the right worker, says so, and goes on when it comes', async () => {
      const rig = await rigWith();
      const { runId, logDir } = rig.run;
      const token = await rig.log.ensureToken();
      await rig.stop();
      rigs.splice(0);
      const disk = await newDisk();
      const other = await rigWith({ runId, logDir, activities: onDisk(disk) });
      const handle = await start(other, { run: { runId, logDir, token }, plan: tasks(1), maxConcurrency: 1 });
      await eventually(async () => {
        const reason = await stuckReason(other.client, [runId]);
        expect(reason).toContain(`${runId} is waiting for a worker that sees `);
      }, 60_000);
      expect(await leftWorkReason(other.client, runId)).toContain('waiting for a worker that sees ');
      expect(await readdir(disk)).toEqual([]);
      const again = await rigWith({ runId, logDir });
      await again.log.prepare();
      // The folder was deleted with the first workers: what names it is put back.
      await writeFile(again.log.paths.token, token);
      expect(await handle.result()).toMatchObject({ totals: { ended: 1 }, token });
      expect(await readdir(disk)).toEqual([]);
      await rm(logDir, { recursive: true, force: true });
    });
  });
});

/** A worker is lost between the plan of a command and its step: another one takes the step, once. */
describe('a change of workers', () => {
  const rigs: Rig[] = [];
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.stop();
  });

  const CANCEL = 'cancel_pending_order <order_id>#W9119854</order_id> <reason>ordered by mistake</reason>';
  const LOOK = 'get_order_details <order_id>#W9119854</order_id>';
  const KEY = { taskId: 1, trial: 0 };

  /** @param chosen called when the model has chosen to cancel, before anybody hears of it */
  function modelThat(chosen: () => Promise<void>): PlayedModel {
    const cancel: Line = async () => {
      await chosen();
      return commandReply(CANCEL);
    };
    const agent: Line[] = [planReply(), cancel, commandReply(LOOK), finishReply(), answerReply('It is cancelled.')];
    return playLines({ agent, user: ['Cancel it, please.', STOP] });
  }

  async function startWorker(model: PlayedModel, stepped: string[], options: { runId?: string; logDir?: string } = {}) {
    const activities = (real: Activities): Partial<Activities> => ({
      step: (input) => {
        stepped.push(input.action.name);
        return real.step(input);
      },
    });
    const rig = await startRig({ callModel: model.callModel, activities, ...options });
    rigs.push(rig);
    return rig;
  }

  function start(rig: Rig) {
    return rig.startEpisode(rig.episodeInput(KEY, { strategy: 'fastworkflow' }));
  }

  async function recordOf(rig: Rig): Promise<EpisodeRecord> {
    const record = await rig.log.readEpisode(KEY);
    if (record === null) throw new Error('no record');
    return record;
  }

  describe('an episode whose worker is lost between the plan of a command and its step', () => {
    it('takes the step once, and goes as if nothing had happened', async () => {
      const undisturbed: string[] = [];
      const calm = await startWorker(
        modelThat(() => Promise.resolve()),
        undisturbed,
      );
      await (await start(calm)).result();
      const expected = await recordOf(calm);
      expect(expected).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });

      // The answer is given when the worker has stopped to take work: it is heard, but nothing is made of it here.
      let leave: () => Promise<void> = () => Promise.resolve();
      let left: Promise<void> = Promise.resolve();
      const model = modelThat(() => leave());
      const byFirst: string[] = [];
      const first = await startWorker(model, byFirst, { logDir: calm.run.logDir });
      leave = () => {
        leave = () => Promise.resolve();
        left = first.stop();
        return Promise.resolve();
      };
      const handle = await start(first);
      await expect.poll(() => model.agentCalls.length, { timeout: 20_000 }).toBe(2);
      await left;
      rigs.splice(rigs.indexOf(first), 1);
      expect(byFirst).toEqual([]);

      const bySecond: string[] = [];
      const second = await startWorker(model, bySecond, { runId: first.run.runId, logDir: calm.run.logDir });
      await second.client.workflow.getHandle(handle.workflowId).result();
      expect(bySecond).toEqual(undisturbed);
      expect(model.agentCalls).toHaveLength(5);
      const record = await recordOf(second);
      expect(record.trajectory).toEqual(expected.trajectory);
      expect(record.actions).toEqual(expected.actions);
      expect(record).toMatchObject({ reward: 1, counts: expected.counts });
      const history = await second.client.workflow.getHandle(handle.workflowId).fetchHistory();
      const steps = scheduledActivities(history).filter(({ type }) => type === 'step');
      expect(steps.map(({ summary }) => summary)).toEqual([
        'step 1: cancel_pending_order #W9119854',
        'step 2: get_order_details #W9119854',
      ]);
    });
  });
});

describe('two sweeps', () => {
  let scripted: ScriptedCaller;

  beforeAll(async () => {
    scripted = await startScriptedCaller({ packs: [await resolvePack('retail')] });
  });

  afterAll(() => scripted.close());

  /** A shuffled sweep of a model that answers the same to the same; one of its tasks infrastructure ends. */
  async function resultsWith(maxConcurrency: number): Promise<string> {
    const grief = failing((taskId) => (taskId === 3 ? unavailable() : null));
    const rig = await startRig({ callModel: scripted.callModel, activities: (real) => grief(real, {}) });
    try {
      const plan = { taskIds: [0, 1, 2, 3], numTrials: 2, shuffle: true };
      const { handle } = await startSweep(rig.client, rig.sweepInput({ plan, maxConcurrency }));
      await handle.result();
      return await readFile(rig.log.paths.results, 'utf8');
    } finally {
      await rig.stop();
    }
  }

  it('the same sweep twice has the same results file, byte for byte, however many episodes are open at once', async () => {
    const first = await resultsWith(1);
    const entries = JSON.parse(first) as { readonly reward: number; readonly info: object }[];
    expect(entries).toHaveLength(8);
    expect(entries.filter(({ reward }) => reward === 1)).toHaveLength(6);
    expect(entries.filter(({ info }) => 'traceback' in info)).toHaveLength(2);
    expect(await resultsWith(4)).toBe(first);
  });
});
