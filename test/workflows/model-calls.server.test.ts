/** Model calls of whole sweeps: by role, over the other wires, and where a prompt does not fit. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createModelCaller, ModelCallError, TranscriptStore, type ModelRequest } from '../../src/models/index.ts';
import { ProviderError, resolveProvider } from '../../src/models/providers.ts';
import { resolvePack, type Pack } from '../../src/benchmarks/testing.ts';
import type { EpisodeRecord } from '../../src/run-log/index.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { startSweep } from '../../src/temporal/client/index.ts';
import { FailureType, type EvaluationConfig } from '../../src/evaluation/index.ts';
import { environment, scratchFolder } from '../cli/in-process.ts';
import { runApart } from '../cli/processes.ts';
import { KEY as API_KEY } from '../models/helpers.ts';
import { playChat } from '../models/wires/chat-player.ts';
import { MESSAGES_KEY, startStrictMessages } from '../models/wires/strict-messages.ts';
import { playedBy, startStrictResponses } from '../models/wires/strict-responses.ts';
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

/** A sweep over the Responses wire, against a service that refuses what OpenAI's does. */
describe('a sweep over the Responses wire', () => {
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
    const strict = await startStrictResponses(API_KEY, playedBy(scripted.url));
    const env = { OPENAI_API_KEY: API_KEY, OPENAI_BASE_URL: strict.url };
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
    expect(continued).not.toContain(API_KEY);
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
});

/** A sweep over Anthropic's Messages, against a server as strict as the service, does what one over chat completions does. */
describe('a sweep over Anthropic’s Messages', () => {
  const TASKS = ['2', '4', '6'];
  const SWEEP =
    'run --agent-strategy tool-calling --env retail --model claude-sonnet-4-5 --model-provider anthropic ' +
    `--user-model claude-sonnet-4-5 --user-model-provider anthropic --user-strategy llm --task-ids ${TASKS.join(' ')}`;

  interface Episode {
    readonly task: string;
    readonly reward: number;
    readonly actions: unknown;
  }

  interface RecordFile {
    readonly reward: number;
    readonly actions: unknown;
    readonly usage: readonly {
      readonly prompt_tokens: number;
      readonly completion_tokens: number;
      readonly cached_tokens: number;
      readonly cache_write_tokens?: number;
      readonly cost_usd: number;
    }[];
  }

  it(
    'has the same actions and rewards, all thoughts handed back, and its cache paid for',
    { timeout: 300_000 },
    async () => {
      const model = await startScriptedModel({ packs: [await resolvePack('retail')] });
      const server = await startStrictMessages(playChat(model.url));
      const cwd = scratchFolder();
      const env = environment({
        TEMPORAL_ADDRESS: inject('temporal').address,
        ANTHROPIC_API_KEY: MESSAGES_KEY,
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_OPENAI_BASE_URL: model.url,
      });
      const sweep = async (name: string, ...words: string[]) => {
        const ids = ['--task-queue', `messages-${name}`, '--run-id', `messages-${name}`];
        const { code, stderr, stdout } = await runApart([...SWEEP.split(' '), ...ids, ...words], { cwd, env });
        expect(code, stderr + stdout).toBe(0);
        return recordsOf(join(cwd, 'results', `messages-${name}`));
      };
      const settings = JSON.stringify({ wire: 'messages', reasoning_effort: 'high' });
      const wire = '{"wire": "chat"}';
      const chat = await sweep('chat', '--model-settings', wire, '--user-model-settings', wire);
      const messages = await sweep(
        'own',
        '--agent-model-settings',
        settings,
        '--user-model-settings',
        '{"wire": "messages"}',
      );
      await model.close();
      await server.close();

      expect(server.refusals).toEqual([]);
      expect(server.requests.length).toBeGreaterThan(20);
      expect(messages.map(summaryOf)).toEqual(chat.map(summaryOf));
      expect(messages.every(({ record }) => record.reward === 1)).toBe(true);
      const thoughts = server.bodies.filter((body) => body.includes('"type": "thinking"'));
      expect(thoughts.length).toBeGreaterThan(5);

      const usage = messages.flatMap(({ record }) => record.usage);
      const prompt = sumOf(usage.map((role) => role.prompt_tokens));
      const cached = sumOf(usage.map((role) => role.cached_tokens));
      const written = sumOf(usage.map(({ cache_write_tokens: tokens = 0 }) => tokens));
      const completion = sumOf(usage.map((role) => role.completion_tokens));
      expect(written).toBeGreaterThan(5000);
      expect(cached).toBeGreaterThan(prompt / 2);
      // The model's prices: 3 USD a million in, 0.30 from the cache, 3.75 into it, 15 out.
      const millionths = (prompt - cached - written) * 3 + cached * 0.3 + written * 3.75 + completion * 15;
      expect(sumOf(usage.map((role) => role.cost_usd))).toBeCloseTo(millionths / 1e6, 9);
    },
  );

  function sumOf(numbers: readonly number[]): number {
    return numbers.reduce((sum, number) => sum + number, 0);
  }

  interface Found {
    readonly task: string;
    readonly record: RecordFile;
  }

  function summaryOf({ task, record }: Found): Episode {
    return { task, reward: record.reward, actions: record.actions };
  }

  function recordsOf(folder: string): Found[] {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      /^task-.*\.json$/.test(name),
    );
    return files
      .map(({ name, parentPath }) => ({
        task: name,
        record: JSON.parse(readFileSync(join(parentPath, name), 'utf8')) as RecordFile,
      }))
      .toSorted((a, b) => a.task.localeCompare(b.task));
  }
});
