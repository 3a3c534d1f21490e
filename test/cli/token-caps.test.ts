/** Caps on tokens of runs that are resumed, and of forks. */

import { fastWorkflow } from '../../src/agents/fastworkflow/index.ts';
import { describe, expect, it } from 'vitest';

import { forkConfig } from '../../src/cli/fork/testing.ts';
import { parseRunOptions, recordedOptions } from '../../src/run-setup/index.ts';
import type { RawRunOptions } from '../../src/run-setup/options/index.ts';
import { chooseStrategy, resolveRequest } from '../../src/run-setup/index.ts';
import { manifestCodec, runDifferences, type RunManifest } from '../../src/run-log/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { scratchFolder } from './in-process.ts';

const GPT = { agentStrategy: 'fastworkflow', model: 'gpt-4o', modelProvider: 'openai' };

async function request(raw: RawRunOptions, recorded?: EvaluationConfig) {
  const home = scratchFolder();
  return resolveRequest(parseRunOptions({ ...raw, runId: 'r1' }), { cwd: home, home, now: new Date(0) }, recorded);
}

/** Manifest that a command reads when it resumes the run. */
async function manifestOf(raw: RawRunOptions, change = (config: EvaluationConfig) => config): Promise<RunManifest> {
  const { run, config, plan } = await request(raw);
  const text = manifestCodec.write({
    formatVersion: 1,
    runId: run.runId,
    status: 'running',
    startedAt: '2026-01-01T00:00:00Z',
    endedAt: null,
    label: 'FW',
    config: change(config),
    plan: { ...plan, taskIds: [...plan.taskIds] },
    maxConcurrency: 1,
    maxCostUsd: null,
    versions: {},
    temporal: null,
    notes: [],
  });
  return manifestCodec.read(text);
}

const withoutCaps = ({ maxCompletionTokens: _, ...config }: EvaluationConfig): EvaluationConfig => config;

describe('a run that is resumed', () => {
  it.each<[string, RawRunOptions, ((config: EvaluationConfig) => EvaluationConfig)?]>([
    ['the defaults', {}],
    ['its own caps', { maxCompletionTokens: '900', userMaxCompletionTokens: 'none' }],
    ['no caps', { maxCompletionTokens: 'none', userMaxCompletionTokens: 'none' }],
    [
      'a role with a model that reasons',
      { roleModels: { planner: { model: 'o3' }, ranker: { max_completion_tokens: 7 } } },
    ],
    ['a role without a cap', { roleModels: { clarification: { max_completion_tokens: null } } }],
    [
      'limits of earlier versions, which are ignored',
      {},
      (config) =>
        Object.assign(config, {
          heartbeatTimeoutMs: 45_000,
          replyLimits: { contentChars: 2_000, toolArgumentChars: 3_000 },
        }),
    ],
    ['a scripted agent', { model: undefined, modelProvider: undefined }],
    ['a human user', { userStrategy: 'human' }],
  ])('has the configuration that it was started with: %s', async (_what, raw, change) => {
    const recorded = await manifestOf({ ...GPT, ...raw }, change);
    const again = await request(recordedOptions(recorded, fastWorkflow), recorded.config);
    expect(runDifferences(recorded, again)).toEqual([]);
  });

  it.each<[string, RawRunOptions]>([
    ['of one model', {}],
    ['of several', { roleModels: { planner: { model: 'o3' } } }],
  ])('has no caps where it was started before there were any: %s', async (_what, raw) => {
    const recorded = await manifestOf({ ...GPT, ...raw }, withoutCaps);
    const again = await request(recordedOptions(recorded, fastWorkflow), recorded.config);
    expect(again.config).not.toHaveProperty('maxCompletionTokens');
    expect(runDifferences(recorded, again)).toEqual([]);
  });
});

describe('a fork', () => {
  const forked = async (raw: RawRunOptions, given: RawRunOptions) => {
    const { config } = await manifestOf({ ...GPT, ...raw });
    const chosen = await chooseStrategy('fastworkflow', '/');
    return forkConfig(config, parseRunOptions(given), given, chosen).maxCompletionTokens;
  };

  it.each<[string, RawRunOptions, RawRunOptions, object]>([
    [
      'keeps them',
      { maxCompletionTokens: '900', roleModels: { planner: { max_completion_tokens: 5 } } },
      {},
      { agent: 900, 'agent/planner': 5 },
    ],
    ['of another model has those of that model', { maxCompletionTokens: '900' }, { model: 'o3' }, { agent: 32768 }],
    ['has those that are named', { maxCompletionTokens: '900' }, { maxCompletionTokens: '1000' }, { agent: 1000 }],
    ['keeps the user’s', { userMaxCompletionTokens: '77' }, { model: 'o3' }, { agent: 32768, user: 77 }],
  ])('%s', async (_what, raw, given, expected) => {
    expect(await forked(raw, given)).toMatchObject(expected);
  });
});
