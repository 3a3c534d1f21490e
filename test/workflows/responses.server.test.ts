/** A sweep over the Responses wire, against a service that refuses what OpenAI's does. */

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createModelCaller } from '../../src/models/client.ts';
import { resolveProvider } from '../../src/models/providers.ts';
import { TranscriptStore } from '../../src/models/transcripts.ts';
import { resolvePack } from '../../src/packs/find.ts';
import type { Pack } from '../../src/packs/types.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/server.ts';
import { startSweep } from '../../src/temporal/client/sweeps.ts';
import type { EvaluationConfig } from '../../src/wire/config.ts';
import { KEY } from '../models/helpers.ts';
import { playedBy, startStrictResponses } from '../models/wires/strict-responses.ts';
import { startRig } from './rig.ts';

let pack: Pack;
let scripted: ScriptedModel;
beforeAll(async () => {
  pack = await resolvePack('retail');
  scripted = await startScriptedModel({ packs: [pack] });
});
afterAll(() => scripted.close());

const TASKS = [0, 1, 2, 3, 4, 5];
const OVER_RESPONSES: EvaluationConfig['agentModel'] = {
  provider: 'openai',
  model: 'gpt-5.6',
  temperature: null,
  wire: 'responses',
  reasoning_effort: 'low',
};

async function sweep(config: Partial<EvaluationConfig>, transcripts = new TranscriptStore()) {
  const strict = await startStrictResponses(KEY, playedBy(scripted.url));
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: strict.url };
  const rig = await startRig({
    pack,
    providers: ['scripted', 'openai'],
    callModel: createModelCaller((provider) => resolveProvider(provider, env, { scriptedUrl: scripted.url })),
    deps: { transcripts },
  });
  try {
    const input = { config: rig.config(config), plan: { taskIds: TASKS, numTrials: 1, shuffle: false } };
    const { handle } = await startSweep(rig.client, rig.sweepInput(input));
    await handle.result();
    const records = await Promise.all(TASKS.map((taskId) => rig.log.readEpisode({ taskId, trial: 0 })));
    return { records, bodies: [...strict.bodies].sort(), refusals: [...strict.refusals] };
  } finally {
    await rig.stop();
    await strict.close();
  }
}

/** A worker that remembers no conversation: each call but the first asks for all of it. */
class Forgetful extends TranscriptStore {
  missing = 0;
  override resolve(...asked: Parameters<TranscriptStore['resolve']>) {
    const messages = asked[1].keep === 0 ? super.resolve(...asked) : undefined;
    if (messages === undefined) this.missing += 1;
    return messages;
  }
}

it('has the actions and rewards of chat completions, and hands the same bytes back after transcripts were lost', async () => {
  const chat = await sweep({});
  const responses = await sweep({ agentModel: OVER_RESPONSES });
  expect(responses.refusals).toEqual([]);
  expect(responses.records).toEqual(
    chat.records.map((record): unknown =>
      expect.objectContaining({
        outcome: record?.outcome,
        reward: record?.reward,
        actions: record?.actions,
        rewardInfo: record?.rewardInfo,
      }),
    ),
  );
  expect(responses.records.map((record) => record?.reward)).toEqual(TASKS.map(() => 1));
  // Calls beside the first were made, and their items are part of what was recorded, but of no request.
  const continued = JSON.stringify(responses.records);
  const dropped = [...continued.matchAll(/call_id\\":\\"(call_[0-9a-f]+x)\\"/g)].map(([, id]) => id);
  expect(dropped.length).toBeGreaterThan(TASKS.length);
  expect(responses.bodies.filter((body) => dropped.some((id) => body.includes(`"${String(id)}"`)))).toEqual([]);
  expect(responses.bodies.some((body) => body.includes('encrypted_content":"'))).toBe(true);
  expect(continued).not.toContain(KEY);
  for (const record of responses.records) {
    const agent = record?.usage.find(({ role }) => role === 'agent');
    expect(agent).toMatchObject({ extraAttempts: 0, reasoningTokens: 64 * (agent?.calls ?? 0) });
    expect(agent?.cachedTokens).toBeGreaterThan(0);
  }

  const forgetful = new Forgetful();
  const cold = await sweep({ agentModel: OVER_RESPONSES }, forgetful);
  expect(forgetful.missing).toBeGreaterThan(TASKS.length);
  expect(cold.refusals).toEqual([]);
  expect(cold.bodies).toEqual(responses.bodies);
}, 240_000);
