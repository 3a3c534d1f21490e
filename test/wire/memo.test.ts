import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, it } from 'vitest';

import { sweepMemo } from '../../src/wire/memo.ts';
import type { SweepInput } from '../../src/wire/sweep.ts';
import { WORKFLOW_VERSION } from '../../src/wire/version.ts';

const model = (name: string) => ({ provider: 'openai', model: name, temperature: 0 });

function inputOf(long: string): SweepInput {
  return {
    run: { runId: 'nightly', logDir: `/logs${long}` },
    config: {
      env: 'retail',
      split: 'test',
      pack: { name: 'alder-finch', digest: 'd'.repeat(64), path: `/packs${long}` },
      strategy: 'fastworkflow',
      strategyOptions: { omitPolicy: false, useReasoning: true, toolNames: { find: `find_item${long}` } },
      agentModel: model(`gpt-4o${long}`),
      roleModels: { 'agent/planner': { ...model(`o1${long}`), temperature: null } },
      userStrategy: 'llm',
      userModel: model(`gpt-4o${long}`),
      maxSteps: 30,
      seed: 10,
      maxRetries: 3,
      episodeTimeoutMs: 600_000,
    },
    plan: { taskIds: [1, 2, 3], numTrials: 4, shuffle: false },
    maxConcurrency: 10,
    maxCostUsd: null,
    queues: { main: 'tauflow', llm: 'tauflow-llm' },
    indexed: true,
  };
}

describe("a sweep's memo", () => {
  it('tells its configuration, and which code it needs', () => {
    expect(sweepMemo(inputOf(''), '1.2.3')).toEqual({
      env: 'retail test',
      pack: `alder-finch ${'d'.repeat(64)}`,
      strategy: 'fastworkflow',
      options: '{"omitPolicy":false,"useReasoning":true,"toolNames":{"find":"find_item"}}',
      agent: 'openai/gpt-4o at 0, agent/planner openai/o1',
      user: 'llm with openai/gpt-4o at 0',
      tasks: 3,
      trials: 4,
      seed: 10,
      maxSteps: 30,
      logDir: '/logs',
      program: '1.2.3',
      workflowVersion: WORKFLOW_VERSION,
    });
  });

  it('stays below the size that the server warns of, however long the names', () => {
    const fields = Object.entries(sweepMemo(inputOf('/x'.repeat(1_000)), '1.2.3'));
    const bytes = fields.map(([name, value]) => {
      const { metadata, data } = defaultPayloadConverter.toPayload(value);
      const described = Object.entries(metadata ?? {}).reduce((sum, [key, text]) => sum + key.length + text.length, 0);
      return name.length + described + (data?.length ?? 0);
    });
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_048);
  });
});
