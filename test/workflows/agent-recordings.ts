/**
 * Episodes of the replay corpus whose agent or environment is a service, whose steps an outside harness takes, or whose
 * user has tools.
 */

import { startGateway } from '../../src/agent-service/index.ts';
import type { RunningGateway } from '../../src/agent-service/testing.ts';
import { getBenchmark } from '../../src/benchmarks/index.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import { NO_MODEL, type EvaluationConfig } from '../../src/evaluation/index.ts';
import type { CallModel } from '../../src/models/index.ts';
import { observe, openAction } from '../../workflows/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { startAgent, type AgentCall, type Said } from './agents.ts';
import { calling, playLines, STOP } from './models.ts';
import { played, settled, type Recording, type Recordings } from './recording.ts';
import type { RigOptions } from './rig-on-server.ts';

const LIST = ['list_all_product_types', {}] as const;
const UNKNOWN = { status: 404, body: { error: 'unknown_episode' } };

export function agents(scripted: CallModel, withUserTools: Pack): Recordings {
  let episodes: string[] = [];
  return {
    // Its first attempt is lost after a tool call and a model call; the second one takes another tool.
    'episode-service': serviceRecording(['Hi.', 'Thanks.', STOP], async ({ request, tool, die }) => {
      if (request.request > 1) return { message: 'Bye.' };
      await tool(...LIST);
      const messages = [{ role: 'user', content: 'What is it?' }];
      const body = JSON.stringify({ model: 'mine', messages });
      await (await fetch(`${request.model_url}/chat/completions`, { method: 'POST', body })).text();
      await tool('calculate', { expression: request.attempt === 1 ? '1 + 1' : '2 + 2' });
      if (request.attempt === 1) die();
      return { tool_calls: [{ name: 'calculate', arguments: { expression: '3 + 3' } }] };
    }),
    // It forgets its episode twice: it is walked through it the first time, and does otherwise the second.
    'episode-service-restarted': serviceRecording(
      ['Hi.', 'And?', 'Go on.', 'Hi again.', 'And again?', STOP],
      ({ request }) => {
        if (!episodes.includes(request.episode)) episodes = [...episodes, request.episode];
        const isFirst = episodes.length === 1;
        if (isFirst && request.request > 1 && request.attempt === 1) return UNKNOWN;
        return { message: isFirst && request.request === 1 && request.attempt === 3 ? 'No.' : 'Yes.' };
      },
      { agentDiverged: 'restart' },
    ),
    'episode-outside': outsideRecording(),
    'episode-environment': environmentRecording(),
    'episode-tau3': {
      options: { callModel: scripted, pack: withUserTools },
      run: async (rig) => {
        const config = { env: rig.pack.domain, split: 'base', maxSteps: 200 };
        const handle = await rig.startEpisode(rig.episodeInput({}, config));
        await settled(handle);
        return [{ name: rig.run.runId, handle }];
      },
    },
  };
}

function serviceRecording(
  lines: string[],
  answer: (call: AgentCall) => Promise<Said> | Said,
  strategyOptions: Partial<EvaluationConfig['strategyOptions']> = {},
): Recording {
  let gateway: Promise<RunningGateway> | undefined;
  const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
  const deps: RigOptions['deps'] = {
    gateway: () => (gateway ??= startGateway()),
    random: () => 0,
    forwardCall: () =>
      Promise.resolve({
        ...{ servedModel: 'm', finishReason: 'stop', usage, usageReported: true, latencyMs: 1 },
        ...{ status: 200, body: JSON.stringify({ said: 'It is this.' }) },
      }),
  };
  return {
    options: { callModel: playLines({ agent: [], user: lines }).callModel, asksAgents: true, deps },
    run: async (rig) => {
      const agent = await startAgent(answer);
      const options = { omitPolicy: false, useReasoning: true, agentUrl: agent.url, ...strategyOptions };
      const config = { strategy: 'agent-service', strategyOptions: options, maxRetries: 2 };
      const handle = await rig.startEpisode(rig.episodeInput({}, config));
      await settled(handle);
      agent.close();
      await (await gateway)?.close();
      return [{ name: rig.run.runId, handle }];
    },
  };
}

function outsideRecording(): Recording {
  const lookUp = calling(['get_order_details', { order_id: '#W5053173' }]);
  return {
    options: { callModel: playLines({ agent: [lookUp, 'Found it.'], user: [] }).callModel },
    run: async (rig) => {
      const handle = await rig.startEpisode(rig.episodeInput({}, { userStrategy: 'outside', userModel: NO_MODEL }));
      for (const [number, observation] of ['Hi.', 'It is there.', `Bye. ${STOP}`].entries()) {
        await eventually(async () => {
          if ((await handle.query(openAction))?.number !== number) throw new Error(`action ${number} is not open`);
        });
        await handle.executeUpdate(observe, { args: [{ number, observation, done: false }] });
      }
      await settled(handle);
      return [{ name: rig.run.runId, handle }];
    },
  };
}

/** Until workflow version 4 the user opens the conversation, although the service has the first words. */
function environmentRecording(): Recording {
  const { toInfo } = getBenchmark('orders:shop').grading;
  return {
    options: {
      ...played(['Yes?', calling(LIST), 'Bye.'], ['Hi.', STOP, STOP]),
      activities: () => ({
        start: () => Promise.resolve({ firstMessage: 'Hello.' }),
        step: () => Promise.resolve({ observation: '{}', source: LIST[0], done: false, changed: false }),
        grade: () => Promise.resolve({ kind: 'graded', info: toInfo({ reward: 1, parts: [] }) }),
      }),
    },
    run: async (rig) => {
      const source = { kind: 'url', url: 'http://127.0.0.1:1' } as const;
      const service = { name: 'orders', version: '1', domain: 'shop', options: {}, replays: true };
      const environment = { ...service, source, rules: 'tau-bench' } as const;
      const pack = { ...rig.pack.ref, name: 'orders:shop', environment };
      const handle = await rig.startEpisode(rig.episodeInput({}, { env: 'orders:shop', pack }));
      await settled(handle);
      return [{ name: rig.run.runId, handle }];
    },
  };
}
