import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ModelRequest } from '../../src/models/types.ts';
import { ModelCallError } from '../../src/models/failures.ts';
import { ProviderError } from '../../src/models/providers.ts';
import { resolvePack } from '../../src/packs/find.ts';
import type { EpisodeRecord } from '../../src/results/log/record.ts';
import { FailureType } from '../../src/wire/failures.ts';
import { scheduledActivities } from './history.ts';
import { playLines } from './models.ts';
import { startRig, type Rig } from './rig.ts';
import { startScriptedCaller, type ScriptedCaller } from './scripted.ts';

let scripted: ScriptedCaller;
beforeAll(async () => {
  scripted = await startScriptedCaller({ packs: [await resolvePack('retail')] });
});
afterAll(() => scripted.close());

const PLANNER = { provider: 'mistral', model: 'planner', temperature: 0.7 };
const KEY = { taskId: 0, trial: 0 };

async function withRig<T>(options: Parameters<typeof startRig>[0], use: (rig: Rig) => Promise<T>): Promise<T> {
  const rig = await startRig(options);
  try {
    return await use(rig);
  } finally {
    await rig.stop();
  }
}

function costOf(record: EpisodeRecord | null, role: string): number | null | undefined {
  return record?.usage.find((usage) => usage.role === role)?.costUsd;
}

describe('models by role', () => {
  it('make their calls on their provider’s queue, and the record has the costs of each role', async () => {
    const asked: ModelRequest[] = [];
    await withRig(
      {
        providers: ['scripted', 'mistral'],
        callModel: (request, options) => {
          asked.push(request);
          return scripted.callModel({ ...request, provider: 'scripted', model: 'oracle' }, options);
        },
        deps: { priceCall: ({ provider }) => (provider === 'mistral' ? 0.25 : 0.5) },
      },
      async (rig) => {
        const config = { strategy: 'fastworkflow', roleModels: { 'agent/planner': PLANNER } };
        const handle = await rig.startEpisode(rig.episodeInput({}, config));
        expect(await handle.result()).toMatchObject({ outcome: 'user_stop', reward: 1 });
        const record = await rig.log.readEpisode(KEY);
        const planned = asked.filter(({ provider }) => provider === 'mistral');
        expect(planned.length).toBeGreaterThan(0);
        expect(new Set(planned.map(({ model, temperature }) => `${model} ${temperature}`))).toEqual(
          new Set(['planner 0.7']),
        );
        expect(costOf(record, 'agent/planner')).toBe(0.25 * planned.length);
        const agentCalls = record?.usage.find(({ role }) => role === 'agent')?.calls ?? 0;
        expect(costOf(record, 'agent')).toBe(0.5 * agentCalls);
        expect(record?.usage.map(({ role }) => role)).toEqual(expect.arrayContaining(['agent/extract', 'user']));
      },
    );
  });

  it('without a key end the episode as the agent’s model without one does', async () => {
    const { callModel } = playLines({ agent: ['never'], user: ['Hi.'] });
    await withRig(
      {
        providers: ['scripted', 'mistral'],
        callModel: async (request, options) => {
          if (request.provider !== 'mistral') return await callModel(request, options);
          throw new ProviderError('missing_key', 'MISTRAL_API_KEY is not set');
        },
      },
      async (rig) => {
        const config = { strategy: 'fastworkflow', roleModels: { 'agent/planner': PLANNER } };
        const handle = await rig.startEpisode(rig.episodeInput({}, config));
        await expect(handle.result()).rejects.toThrow();
        expect(await rig.log.readEpisode(KEY)).toMatchObject({
          outcome: { kind: 'infrastructure_error', error: FailureType.MissingKey },
        });
        expect(scheduledActivities(await handle.fetchHistory()).map(({ type }) => type)).not.toContain('step');
      },
    );
  });
});

describe('a prompt that does not fit the model', () => {
  it('is asked again without its oldest part, and the episode goes on', async () => {
    let refused = 0;
    await withRig(
      {
        callModel: async (request, options) => {
          const isLong = request.messages.some(({ content }) => content?.includes('[[ ## observation_0 ## ]]'));
          if (isLong && request.messages.some(({ content }) => content?.includes('[[ ## observation_3 ## ]]'))) {
            refused += 1;
            throw new ModelCallError({ type: 'ContextOverflow', retryable: false, message: '400 too long' });
          }
          return await scripted.callModel(request, options);
        },
      },
      async (rig) => {
        const handle = await rig.startEpisode(rig.episodeInput({}, { strategy: 'fastworkflow' }));
        expect(await handle.result()).toMatchObject({ outcome: 'user_stop', reward: 1 });
        expect(refused).toBeGreaterThan(0);
        expect(await rig.log.readEpisode(KEY)).toMatchObject({ counts: { trajectory_truncations: refused } });
      },
    );
  });
});
