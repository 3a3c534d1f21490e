/** Histories of sweeps and episodes on the server: their size, and the details that the server shows. */

import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { resolvePack, readPack, type Pack } from '../../src/benchmarks/testing.ts';
import { startSweep } from '../../src/temporal/client/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { referenceDir } from '../helpers/reference.ts';
import { textOf } from '../helpers/texts.ts';
import { eventCount, payloadBytes, scheduledActivities } from './history.ts';
import { playLines, quickModel, STOP, unavailable } from './models.ts';
import { startRig, type Rig } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';
import { start, tasks } from './sweep-rig.ts';

const open: (Rig | ScriptedCaller)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await ('stop' in one ? one.stop() : one.close());
});

/** The task of the pack's test split with most actions. */
function longestTask(pack: Pack): number {
  const lengths = pack.splits['test']?.map(({ actions }) => actions.length) ?? [];
  return lengths.indexOf(Math.max(...lengths));
}

interface Played {
  readonly historyBytes: number;
  /** Words and observations: each message once, prompts left out. */
  readonly conversationBytes: number;
  readonly activities: number;
  readonly events: number;
  readonly reward: number;
}

async function playLongest(pack: Pack, strategy: string): Promise<Played> {
  const scripted = await startScriptedCaller({ packs: [pack] });
  const rig = await startRig({ callModel: scripted.callModel, pack });
  open.push(scripted, rig);
  const episode = { taskId: longestTask(pack), trial: 0 };
  const handle = await rig.startEpisode(rig.episodeInput(episode, { strategy }));
  const { reward } = await handle.result();
  const history = await handle.fetchHistory();
  const said = (await rig.log.readEpisode(episode))?.trajectory.filter(({ role }) => role !== 'system');
  return {
    historyBytes: payloadBytes(history),
    conversationBytes: Buffer.byteLength(JSON.stringify(said)),
    activities: scheduledActivities(history).length,
    events: eventCount(history),
    reward,
  };
}

describe("an episode's history", () => {
  const packs = [['the shipped pack', () => resolvePack('retail')] as const];
  if (referenceDir !== null) {
    const folder = join(referenceDir, 'retail');
    packs.push(['the reference pack' as 'the shipped pack', () => readPack(folder)]);
  }
  it.each(packs)('is about the size of its conversation, on the longest task of %s', async (_, read) => {
    const played = await playLongest(await read(), 'tool-calling');
    expect(played.reward).toBe(1);
    expect(played.historyBytes).toBeLessThan(2 * played.conversationBytes + 900 * played.activities);
    // Six events an activity; the deadline's timer, the start and the end.
    expect(played.events).toBeLessThanOrEqual(6 * played.activities + 10);
  });
});

describe("a sweep's history", () => {
  it('has less than 2 kB an episode, the same for every episode', async () => {
    const rig = await startRig({ callModel: quickModel });
    open.push(rig);
    const sweepOf = async (runId: string, count: number) => {
      const plan = { taskIds: Array.from({ length: count }, (_, id) => id), numTrials: 1, shuffle: false };
      const input = rig.sweepInput({
        run: { ...rig.run, runId: `${rig.run.runId}-${runId}` },
        plan,
        maxConcurrency: 4,
      });
      const { handle } = await startSweep(rig.client, input);
      await handle.result();
      const history = await handle.fetchHistory();
      return { bytes: payloadBytes(history), events: eventCount(history) };
    };
    const few = await sweepOf('few', 4);
    const many = await sweepOf('many', 24);
    expect((many.bytes - few.bytes) / 20).toBeLessThan(2_000);
    // A child's three, and two workflow tasks of three where each of its two events comes alone.
    expect((many.events - few.events) / 20).toBeLessThanOrEqual(9);
  });
});

describe('the details of a sweep', () => {
  it('a sweep shows how far it is while it runs, and none of it is in its history', async () => {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (pass = resolve));
    const model = playLines({ agent: [unavailable, () => passed.then(() => 'Done.')], user: ['Hi.', 'Hi.', STOP] });
    const rig = await startRig({ callModel: model.callModel });
    try {
      const handle = await start(rig, { plan: tasks(2), maxConcurrency: 1 });
      const details = async () =>
        (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
      await eventually(async () => {
        expect(await details()).toContain('| episodes ended | 1 of 2 |');
        expect(await details()).toContain('**open**: `task-1.trial-0`');
        expect(await details()).toContain('- `task-0.trial-0`, infrastructure_error: 503 overloaded');
      });
      const { staticDetails } = await handle.describe();
      expect(await staticDetails()).toContain(`[http://127.0.0.1:8235/#/run/${rig.run.runId}]`);
      await handle.executeUpdate('pause');
      expect(await details()).toMatch(/^\*\*paused/);
      await handle.executeUpdate('resume');
      pass();
      await handle.result();
      expect(await details()).toMatch(/^\*\*ended\*\*/);
      const history = textOf(await handle.fetchHistory());
      expect(history).toContain('publish the results: completed');
      expect(history).not.toContain('newest first');
    } finally {
      pass();
      await rig.stop();
    }
  });
});
