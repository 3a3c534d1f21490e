/** Agents of known weaknesses, as functions: each is broken by the condition that shows its weakness, and by no other. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findStrategy } from '../../src/agents/index.ts';
import type { AgentFunction, AgentTurn } from '../../src/agents/public.ts';
import { findCondition, runPlace, type ConditionRef } from '../../src/conditions/index.ts';
import { compareConditions } from '../../src/results/metrics/index.ts';
import { rowOfRecord, type EpisodeRow } from '../../src/run-log/index.ts';
import { nameFacts, packUnderCondition, toolSchemas } from '../../src/models/prompts/index.ts';
import { conditionOf } from '../../src/evaluation/index.ts';
import { ScriptedResponder, startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { judgeTask } from '../../src/scripted-model/testing.ts';
import { playAgent, say } from '../episode/agents.ts';
import { findPack, stageEpisode, stagedConfig } from '../episode/stage.ts';
import knowsByHeart from '../fixtures/weak-agents/knows-by-heart.ts';
import neverRetries from '../fixtures/weak-agents/never-retries.ts';
import repeatsBlindly from '../fixtures/weak-agents/repeats-blindly.ts';
import sound from '../fixtures/weak-agents/sound.ts';
import { completeByScript } from './scripted.ts';

/** Tasks of airline whose bookings, cancellations and certificates take effect again when they are repeated. */
const TASKS = [0, 1, 5, 8, 9, 11, 16, 17, 24, 25, 32, 33];
const TRIALS = 2;
const RATES: Readonly<Record<string, number>> = { 'tool-errors': 0.5, 'lost-answers': 0.5 };
const CONDITIONS = ['tool-errors', 'lost-answers', 'renamed-tools', 'noisy-results'];

const pack = await findPack('airline');
const responder = new ScriptedResponder([pack], judgeTask);
const refs = CONDITIONS.map((name): ConditionRef => {
  const seed = 10;
  return {
    name,
    rate: RATES[name],
    names: findCondition({ name })?.names?.(nameFacts(pack), runPlace({ name, seed })),
  };
});

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ packs: [pack] });
});
afterAll(() => model.close());

async function play(agent: AgentFunction, taskId: number, trial: number, condition?: string): Promise<EpisodeRow> {
  const strategyOptions = { omitPolicy: false, useReasoning: true, agentUrl: 'http://agent' };
  const config = await stagedConfig({
    ...{ env: 'airline', strategy: 'agent-service', strategyOptions, agentModel: null },
    conditions: refs,
  });
  const strategy = findStrategy('agent-service');
  if (strategy === undefined) throw new Error('no strategy for services');
  const episode = condition === undefined ? { taskId, trial } : { taskId, trial, condition };
  const offered = packUnderCondition(pack, conditionOf(config, episode));
  const { agent: ask } = playAgent(async ({ messages, tool }) => {
    const turn = {
      policy: offered.policy,
      tools: toolSchemas(offered),
      conversation: messages,
      modelUrl: model.url,
      callTool: async (name: string, args: string) => {
        const result = await tool(name, JSON.parse(args) as object);
        return 'observation' in result ? result.observation : 'The call was refused.';
      },
    };
    const answer = await agent(turn as unknown as AgentTurn);
    return say(answer as string);
  });
  const complete = completeByScript({ pack, responder, config, strategy, taskId, model: 'oracle' });
  const { record } = await stageEpisode({ config, episode }, { complete, agent: ask });
  return rowOfRecord(record);
}

async function findBroken(agent: AgentFunction): Promise<readonly string[]> {
  const rows: EpisodeRow[] = [];
  for (const condition of [undefined, ...CONDITIONS]) {
    for (const taskId of TASKS) {
      for (let trial = 0; trial < TRIALS; trial++) rows.push(await play(agent, taskId, trial, condition));
    }
  }
  const compared = compareConditions(rows, CONDITIONS);
  for (const { difference } of compared) expect(difference.tasks).toBe(TASKS.length);
  return compared.flatMap(({ name, decision }) => (decision === 'worse' ? [name] : []));
}

describe('an agent that', () => {
  it.each([
    ['is sound', sound, []],
    ['never retries', neverRetries, ['tool-errors']],
    ['repeats writes blindly', repeatsBlindly, ['lost-answers']],
    ['knows the tools by heart', knowsByHeart, ['renamed-tools']],
  ] as const)('%s is broken by the condition of its weakness alone', { timeout: 120_000 }, async (_, agent, broken) => {
    expect(await findBroken(agent)).toEqual(broken);
  });
});
