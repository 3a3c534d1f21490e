/** Episodes whose workflow code loops, fails or uses up the memory, beside those that are played to their end. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Activities } from '../../src/wire/activities.ts';
import { loadAgent } from '../../src/agents/from-file/load.ts';
import { startSweep } from '../../src/temporal/client/sweeps.ts';
import { readTaskTrouble } from '../../src/temporal/client/stuck-episodes.ts';
import type { CompleteOutput } from '../../src/wire/activities.ts';
import { episodeWorkflowId } from '../../src/wire/names.ts';
import type { SweepInput } from '../../src/wire/sweep.ts';
import { eventually } from '../helpers/eventually.ts';
import { quickModel } from './models.ts';
import { startRig } from './rig.ts';
import { beating, type Rig } from './rig-on-server.ts';
import { tasks } from './sweep-rig.ts';

const SLOW = { timeout: 240_000 };
const POISONED = 0;
const REPLY = 'a reply that the code cannot take';

let logDir: string;
let rig: Rig;

beforeEach(async () => {
  logDir = await mkdtemp(join(tmpdir(), 'tauflow-log-'));
});
afterEach(async () => {
  await rig.stop();
  await rm(logDir, { recursive: true, force: true });
});

/** Task 0's agent gets {@link REPLY}, or what `reply` makes of its model's. */
function poison(reply: (output: CompleteOutput) => CompleteOutput): (real: Activities) => Partial<Activities> {
  return ({ complete }) => ({
    complete: beating(async (input) => {
      const output = await complete(input);
      return input.episode.taskId === POISONED && input.role === 'agent' ? reply(output) : output;
    }),
  });
}

const withReply = poison((output) => ({ ...output, message: { ...output.message, content: REPLY } }));

/** A sweep of three tasks whose agent is a file that does `what` upon {@link REPLY}. */
async function sweepOf(what: string): Promise<Partial<SweepInput> & { readonly path: string }> {
  const path = join(logDir, 'poisoned.js');
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
  rig = await startRig({ callModel: quickModel, logDir, agents: [{ file, ...agent }], activities: withReply });
  const { omitPolicy, useReasoning } = rig.config().strategyOptions;
  const config = rig.config({
    strategy: agent.strategy.name,
    strategyOptions: { omitPolicy, useReasoning, agentFile: file },
  });
  return { path, config, plan: tasks(3), maxConcurrency: 3, tuning: { stuckLookMs: 1_000 } };
}

const outcomeOf = async (taskId: number) => (await rig.log.readEpisode({ taskId, trial: 0 }))?.outcome;

describe('an episode whose workflow code does not come to an end', () => {
  it('is ended, and its run with it', SLOW, async () => {
    const { path, ...input } = await sweepOf('for (;;);');
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
    expect([await outcomeOf(1), await outcomeOf(2)]).toEqual([{ kind: 'user_stop' }, { kind: 'user_stop' }]);
    expect(await rig.publishedEpisodes()).toBe(3);
  });

  it('is ended at once when its run is cancelled', SLOW, async () => {
    const { path: _, ...input } = await sweepOf('for (;;);');
    const { handle } = await startSweep(rig.client, rig.sweepInput({ ...input, tuning: {} }));
    const episode = episodeWorkflowId(rig.run.runId, { taskId: POISONED, trial: 0 });
    await eventually(async () => {
      expect(await readTaskTrouble(rig.client, episode)).toMatchObject({ kind: 'failed' });
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    expect(await outcomeOf(POISONED)).toMatchObject({ error: 'EpisodeLost' });
    expect(await rig.publishedEpisodes()).toBe(3);
  });
});

describe('an episode whose workflow code uses up the memory', () => {
  it('takes the thread with it, which is started again', SLOW, async () => {
    setFlagsFromString('--max-old-space-size=200');
    try {
      const { path: _, ...input } = await sweepOf(
        'const all = []; for (;;) all.push(new Array(1e4).fill(all.length));',
      );
      const { handle } = await startSweep(rig.client, rig.sweepInput(input));
      expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 2, infrastructure_error: 1 });
      expect(await outcomeOf(POISONED)).toMatchObject({
        // On a busy machine an attempt may reach its time first.
        message: expect.stringMatching(/it used up the memory of the workflow thread|it ran for 5 s/) as string,
      });
    } finally {
      setFlagsFromString('--max-old-space-size=0');
    }
  });
});

describe('an episode whose workflow task fails', () => {
  it('is ended with the error, although the code is not from a file', SLOW, async () => {
    // A result that no code expects: reading it throws an ordinary TypeError in the workflow.
    rig = await startRig({ callModel: quickModel, logDir, activities: poison(() => ({}) as CompleteOutput) });
    const input = { plan: tasks(3), maxConcurrency: 3, tuning: { stuckLookMs: 1_000 } };
    const { handle } = await startSweep(rig.client, rig.sweepInput(input));
    expect((await handle.result()).totals.outcomes).toEqual({ user_stop: 2, infrastructure_error: 1 });
    expect(await outcomeOf(POISONED)).toMatchObject({
      message: expect.stringMatching(
        /the workflow code of agent tool-calling failed \d times, because of: .*undefined/,
      ) as string,
    });
  });
});
