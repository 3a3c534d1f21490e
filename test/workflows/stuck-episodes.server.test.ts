/**
 * Episodes whose workflow code loops, fails or uses up the memory, beside those that are played to their end. The tests run
 * at once: most of their time passes until the server tries a workflow task again.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { Activities } from '../../src/orchestration/index.ts';
import { loadAgent } from '../../src/agents/from-file/index.ts';
import { startSweep, connect, ensureSearchAttributes } from '../../src/temporal/client/index.ts';
import { readTaskTrouble } from '../../src/temporal/client/testing.ts';

import { episodeWorkflowId, type SweepInput, type CompleteOutput } from '../../src/evaluation/index.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { impatientCli } from '../helpers/impatient-server.ts';
import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';
import { quickModel } from './models.ts';
import { beating, startRigOn, type Rig, type RigOptions, type RigServer } from './rig-on-server.ts';
import { tasks } from './sweep-rig.ts';

const SLOW = { timeout: 240_000 };
const POISONED = 0;
const REPLY = 'a reply that the code cannot take';

let folder: string;
let server: RigServer;
let closeServer: () => Promise<void>;
const rigs: Rig[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tauflow-stuck-'));
  const env = { ...testEnvironment(), TEMPORAL_CLI_PATH: await impatientCli(folder) };
  const { connection, address, namespace, close } = await connect({ workDir: folder, home: testHome(), env });
  closeServer = close;
  await ensureSearchAttributes(connection, namespace);
  server = { address, namespace, workflowBundle: inject('workflowBundle') };
});
afterAll(async () => {
  await Promise.all(rigs.map((rig) => rig.stop()));
  await closeServer();
  await stopServer(folder);
  await rm(folder, { recursive: true, force: true });
});

async function startRig(options: Omit<RigOptions, 'callModel' | 'logDir'>): Promise<Rig> {
  const logDir = await mkdtemp(join(folder, 'log-'));
  const rig = await startRigOn(server, { ...options, callModel: quickModel, logDir });
  rigs.push(rig);
  return rig;
}

/** Task 0's agent gets {@link REPLY}, or what `reply` makes of its model's. */
function poison(reply: (output: CompleteOutput) => CompleteOutput): (real: Activities) => Partial<Activities> {
  return ({ complete }) => ({
    complete: beating(async (input) => {
      const output = await complete(input);
      return input.episode.taskId === POISONED && input.role === 'agent' ? reply(output) : output;
    }),
  });
}

const PLAN = { plan: tasks(3), maxConcurrency: 3, tuning: { stuckLookMs: 1_000 } };

const withReply = poison((output) => ({ ...output, message: { ...output.message, content: REPLY } }));

/** A sweep of three tasks whose agent is a file that does `what` upon {@link REPLY}. */
async function sweepOf(what: string): Promise<{ rig: Rig; input: Partial<SweepInput>; path: string }> {
  const path = join(await mkdtemp(join(folder, 'agent-')), 'poisoned.js');
  await writeFile(
    path,
    `export default { name: 'poisoned', label: 'Poisoned', solve: async (session) => {
      const messages = [{ role: 'user', content: session.firstMessage }];
      const { message } = await session.complete({ role: 'agent', thread: 'agent', messages });
      if (message.content === ${JSON.stringify(REPLY)}) { ${what} }
      const { done } = await session.step({ name: 'respond', kwargs: new Map([['content', 'Bye.']]) });
      return done ? 'done' : 'max_steps';
    } };`,
  );
  const { file, ...agent } = await loadAgent(path);
  const rig = await startRig({ agents: [{ file, ...agent }], activities: withReply });
  const { omitPolicy, useReasoning } = rig.config().strategyOptions;
  const config = rig.config({
    strategy: agent.strategy.name,
    strategyOptions: { omitPolicy, useReasoning, agentFile: file },
  });
  return { rig, input: { config, ...PLAN }, path };
}

const outcomeOf = async (rig: Rig, taskId: number) => (await rig.log.readEpisode({ taskId, trial: 0 }))?.outcome;

describe.concurrent('an episode whose workflow code does not come to an end', () => {
  it('is ended, and its run with it', SLOW, async () => {
    const { rig, input, path } = await sweepOf('for (;;);');
    const { handle } = await startSweep(rig.client, rig.sweepInput(input));
    const { status, totals } = await handle.result();
    expect(status).toBe('completed');
    expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 2, infrastructure_error: 1 } });
    const because = 'it ran for 5 s without a pause, as an endless loop does';
    const record = await rig.log.readEpisode({ taskId: POISONED, trial: 0 });
    expect(record?.outcome).toEqual({
      kind: 'infrastructure_error',
      error: 'EpisodeLost',
      message: expect.stringMatching(
        /^task-0\.trial-0 was ended: the workflow code of agent poisoned failed \d+ times, because /,
      ) as string,
    });
    expect(record?.outcome).toMatchObject({ message: expect.stringContaining(`${because} (${path})`) as string });
    // The opening of the simulated user, and the reply.
    expect(record?.usage.map(({ role, calls }) => [role, calls])).toEqual([
      ['user', 1],
      ['agent', 1],
    ]);
    expect(totals.calls).toBe(2 + 2 * 3);
    expect([await outcomeOf(rig, 1), await outcomeOf(rig, 2)]).toEqual([{ kind: 'user_stop' }, { kind: 'user_stop' }]);
    expect(await rig.publishedEpisodes()).toBe(3);
  });

  it('is ended at once when its run is cancelled', SLOW, async () => {
    const { rig, input } = await sweepOf('for (;;);');
    const { handle } = await startSweep(rig.client, rig.sweepInput({ ...input, tuning: {} }));
    const episode = episodeWorkflowId(rig.run.runId, { taskId: POISONED, trial: 0 });
    await eventually(async () => {
      expect(await readTaskTrouble(rig.client, episode)).toMatchObject({ kind: 'failed' });
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(await outcomeOf(rig, POISONED)).toMatchObject({ error: 'EpisodeLost' });
    expect(await rig.publishedEpisodes()).toBe(3);
  });
});

describe.concurrent('an episode whose workflow code uses up the memory', () => {
  it('takes the thread with it, which is started again', SLOW, async () => {
    setFlagsFromString('--max-old-space-size=200');
    try {
      const { rig, input } = await sweepOf('const all = []; for (;;) all.push(new Array(1e4).fill(all.length));');
      const { handle } = await startSweep(rig.client, rig.sweepInput(input));
      expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 2, infrastructure_error: 1 });
      expect(await outcomeOf(rig, POISONED)).toMatchObject({
        // On a busy machine an attempt may reach its time first.
        message: expect.stringMatching(/it used up the memory of the workflow thread|it ran for 5 s/) as string,
      });
    } finally {
      setFlagsFromString('--max-old-space-size=0');
    }
  });
});

describe.concurrent('an episode whose workflow task fails', () => {
  it('is ended with the error, although the code is not from a file', SLOW, async () => {
    // A result that no code expects: reading it throws an ordinary TypeError in the workflow.
    const rig = await startRig({ activities: poison(() => ({}) as CompleteOutput) });
    const { handle } = await startSweep(rig.client, rig.sweepInput(PLAN));
    expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 2, infrastructure_error: 1 });
    expect(await outcomeOf(rig, POISONED)).toMatchObject({
      message: expect.stringMatching(
        /the workflow code of agent tool-calling failed \d times, because of: .*undefined/,
      ) as string,
    });
  });
});
