/** Agents that are services, in one rig for the tests of a file. */

import { afterAll, beforeAll } from 'vitest';
import type { PyDict } from '../../src/benchmarks/python/index.ts';
import { startGateway } from '../../src/agent-service/index.ts';
import type { RunningGateway } from '../../src/agent-service/testing.ts';
import type { ForwardRequest } from '../../src/models/testing.ts';
import type { Pack } from '../../src/benchmarks/testing.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { playLines, STOP, type Line } from './models.ts';
import { startRig, type Rig } from './rig.ts';

export const KEY = { taskId: 0, trial: 0 };
/** Part of every answer of the agents' model. */
export const REPLY = 'a reply that is looked for';
/** A request with it is refused by the agents' model. */
export const REFUSED = 'what is refused';
/** A read that any task's data answer. */
export const LIST = ['list_all_product_types', {}] as const;

export const names = (calls: readonly { readonly name: string }[] | undefined) => calls?.map(({ name }) => name);

/** The action of the first task's ground truth that changes the data. */
export function write(pack: Pack): { readonly name: string; readonly args: object } {
  const action = pack.splits['test']?.[0]?.actions.findLast(({ name }) =>
    /^(exchange|cancel|modify|return)_/.test(name),
  );
  if (action === undefined) throw new Error('the task has no write');
  return { name: action.name, args: plain(action.kwargs) };
}

function plain(kwargs: PyDict): object {
  return JSON.parse(JSON.stringify(Object.fromEntries(kwargs))) as object;
}

/** Starts the rig before the file's tests, and ends it after them. */
export function useServiceRig() {
  let gateway: RunningGateway;
  let rig: Rig;
  let user: Line[] = [];
  let said = 0;
  const warnings: string[] = [];
  const forwarded: ForwardRequest[] = [];

  beforeAll(async () => {
    gateway = await startGateway();
    rig = await startRig({
      callModel: (request, options) =>
        playLines({ agent: [], user: [user[said++] ?? STOP] }).callModel(request, options),
      asksAgents: true,
      deps: {
        gateway: () => Promise.resolve(gateway),
        random: () => 0,
        agentKey: 'key-of-the-agent',
        warn: (message) => void warnings.push(message),
        forwardCall: (request) => {
          forwarded.push(request);
          const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 };
          const plainReply = { servedModel: 'm', finishReason: 'stop', usage, usageReported: true, latencyMs: 1 };
          if (request.items.some((item) => item.includes(REFUSED))) {
            return Promise.resolve({ ...plainReply, status: 404, body: '{"error": {"message": "no such path"}}' });
          }
          const body = JSON.stringify({ said: REPLY, number: forwarded.length });
          return Promise.resolve({ ...plainReply, status: 200, body });
        },
      },
    });
  });
  afterAll(async () => {
    await rig.stop();
    await gateway.close();
  });

  return {
    get rig() {
      return rig;
    },
    /** Warnings of the client so far. */
    warnings,
    /** Calls of the user's model since its lines were given. */
    get said() {
      return said;
    },
    /** Model calls that came through the gateway. */
    forwarded,
    /** Lets users say these lines from now on. */
    say(lines: Line[]) {
      [user, said] = [lines, 0];
    },
    /** Plays an episode with an agent, against users that say these lines. */
    async play(url: string, lines: Line[], changes: Partial<EvaluationConfig> = {}) {
      [user, said] = [lines, 0];
      const config = {
        strategy: 'agent-service',
        strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: url },
        maxRetries: 2,
        ...changes,
      };
      const handle = await rig.startEpisode(rig.episodeInput({}, config));
      const summary = await handle.result();
      return { summary, handle, record: await rig.log.readEpisode(KEY) };
    },
  };
}
