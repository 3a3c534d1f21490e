import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startGateway, type RunningGateway } from '../../src/gateway/index.ts';
import { readSteering } from '../../src/temporal/client/steering.ts';
import { fetchProgress, readSweepInput } from '../../src/temporal/client/sweeps.ts';
import { setLimits } from '../../workflows/messages.ts';
import { eventually } from '../helpers/eventually.ts';
import { playAgent } from './agents.ts';
import { quickModel } from './models.ts';
import { startRig } from './rig.ts';
import { start, tasks } from './sweep-rig.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.close();
});

const HOUR = 3_600_000;
const tuning = { holdMs: { first: 50, last: 200 } } as const;

describe('a run whose agent has moved', () => {
  it.each([
    ['', {}],
    [' of its lanes', { laneSize: 1 }],
  ])('asks it at the new address in the open episodes%s and the next ones', async (_, lanes) => {
    const rig = await startRig({
      callModel: quickModel,
      asksAgents: true,
      deps: { gateway: () => Promise.resolve(gateway), random: () => 0 },
    });
    onTestFinished(() => rig.stop());
    const old = await playAgent(({ die }) => die());
    const moved = await playAgent(() => ({ message: 'done' }));
    const strategyOptions = { omitPolicy: false, useReasoning: true, agentUrl: old.url };
    const config = rig.config({ strategy: 'agent-service', strategyOptions, maxRetries: 0, outageTimeoutMs: HOUR });
    const plan = tasks(3);
    const handle = await start(rig, { config, plan, maxConcurrency: 2, tuning: { ...tuning, ...lanes } });
    await eventually(async () => {
      const { held = [] } = await fetchProgress(rig.client, handle.workflowId);
      expect(held.reduce((sum, { episodes }) => sum + episodes, 0)).toBe(2);
    });
    await rig.client.workflow
      .getHandle(handle.workflowId)
      .executeUpdate(setLimits, { args: [{ agentUrl: moved.url }] });
    const { totals } = await handle.result();
    expect(totals).toMatchObject({ ended: 3, outcomes: { user_stop: 3 } });
    expect(moved.requests.map(({ request, attempt }) => [request, Math.min(attempt, 2)]).sort()).toEqual([
      [1, 1],
      [1, 2],
      [1, 2],
    ]);
    const input = await readSweepInput(rig.client, handle.workflowId);
    expect(await readSteering(rig.client, handle.workflowId, input)).toMatchObject({ agentUrl: moved.url });
  });
});
