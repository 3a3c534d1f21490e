/** Made-up episodes for the tests of results, and their reports as text. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

import type { Message } from '../../src/agents/index.ts';
import { PyFloat, type PyValue } from '../../src/benchmarks/python/index.ts';
import type { Action, Task, GradeOutput } from '../../src/benchmarks/index.ts';
import { renderTerminal, type TerminalStyle } from '../../src/cli/terminal/testing.ts';
import { reportDocument, type Report } from '../../src/results/report/index.ts';
import { buildEpisodeRecord, RunLog, type EpisodeRecord, type EpisodeRow } from '../../src/run-log/index.ts';
import type { RecordContext } from '../../src/run-log/testing.ts';
import type { StepMetric, RecordInput, RoleUsage } from '../../src/episode/index.ts';
import type { EvaluationConfig, ModelSettings } from '../../src/evaluation/index.ts';

/** The report as the terminal shows it. */
export function renderReport(report: Report, style: TerminalStyle): string {
  return renderTerminal(reportDocument(report), style);
}

export const CONFIG: EvaluationConfig & { readonly agentModel: ModelSettings } = {
  env: 'retail',
  split: 'test',
  pack: { name: 'shop', digest: 'ab'.repeat(32), path: '/packs/shop' },
  strategy: 'tool-calling',
  strategyOptions: { omitPolicy: false, useReasoning: true },
  agentModel: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
  userStrategy: 'llm',
  userModel: { provider: 'openai', model: 'gpt-4o', temperature: null },
  maxSteps: 30,
  seed: 10,
  maxRetries: 3,
  episodeTimeoutMs: 7_200_000,
};

/** An amount that JSON's readers in JavaScript would turn into 131, and keys that they would put first. */
export const PAYMENT: Action = {
  name: 'pay',
  kwargs: new Map<string, PyValue>([
    ['order_id', '#W1'],
    ['amount', new PyFloat(131)],
    [
      'counts',
      new Map<string, bigint>([
        ['9', 1n],
        ['1', 12345678901234567890n],
      ]),
    ],
  ]),
};

export const TASK: Task = {
  userId: 'ada_1',
  instruction: 'You want to pay für alles.',
  actions: [PAYMENT, { name: 'respond', kwargs: new Map([['content', 'done']]) }],
  outputs: ['10', '9'],
};

export const MESSAGES: readonly Message[] = [
  { role: 'system', content: ['Policy: ', 'be kind.'] },
  { role: 'user', content: 'Hello' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{"amount": 131.0}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'pay', content: 'paid' },
  { role: 'assistant', content: 'That is 10.' },
  { role: 'user', content: '###STOP###' },
];

export const CONTEXT: RecordContext = {
  task: TASK,
  messages: MESSAGES,
  actions: [PAYMENT, { name: 'respond', kwargs: new Map([['content', 'That is 10.']]) }],
};

export const GRADE: GradeOutput = {
  kind: 'graded',
  info: {
    reward: 1,
    detail: {
      kind: 'outputs',
      rOutputs: true,
      outputs: [
        ['10', true],
        ['9', true],
      ],
    },
    dataMatches: true,
    numberSpellingOnly: false,
    strictOutputs: true,
  },
};

export function usage(role: RoleUsage['role'], costUsd: number | null, lastCallCostUsd = costUsd): RoleUsage {
  return {
    role,
    calls: 2,
    cachedCalls: 0,
    extraAttempts: 0,
    truncatedReplies: 0,
    promptTokens: 1000,
    completionTokens: 50,
    cachedTokens: 10,
    reasoningTokens: 0,
    costUsd,
    lastCallCostUsd,
    latencyMs: 1234.5,
  };
}

export function recordInput(changes: Partial<RecordInput> = {}): RecordInput {
  return {
    run: { runId: 'run-1', logDir: '/logs' },
    episode: { taskId: 3, trial: 0 },
    config: CONFIG,
    workflowId: 'run-1/task-3/trial-0',
    workflowRunId: '0b5e',
    trajectory: { thread: 'trajectory', keep: 0, digest: '', items: [] },
    outcome: { kind: 'user_stop' },
    reward: 1,
    grade: GRADE,
    wouldBeGrade: null,
    steps: [stepMetric(1, 'pay', { changed: true, durationMs: 3 }), stepMetric(2, 'respond', { durationMs: 800 })],
    counts: {},
    usage: [usage('agent', 0.02), usage('user', 0.004, 0.003)],
    served: ['gpt-4o-2024-08-06'],
    startedAt: '2025-01-01T00:00:00.000Z',
    endedAt: '2025-01-01T00:00:12.500Z',
    ...changes,
  };
}

export function record(taskId: number, trial: number, changes: Partial<RecordInput> = {}): EpisodeRecord {
  return buildEpisodeRecord(recordInput({ ...changes, episode: { taskId, trial } }), CONTEXT);
}

export function row(taskId: number, trial: number, reward: number, changes: Partial<EpisodeRow> = {}): EpisodeRow {
  return {
    taskId,
    trial,
    reward,
    outcome: 'user_stop',
    steps: 10,
    turns: 3,
    costUsd: 0.5,
    roles: [
      {
        role: 'agent',
        calls: 10,
        cachedCalls: 0,
        extraAttempts: 0,
        truncatedReplies: 0,
        promptTokens: 20_000,
        completionTokens: 900,
        cachedTokens: 0,
        reasoningTokens: 0,
        costUsd: 0.5,
        latencyMs: 8000,
      },
    ],
    counts: {},
    durationMs: 60_000,
    error: null,
    numberSpellingOnly: false,
    wouldHavePassed: false,
    tools: [],
    ...changes,
  };
}

/** A folder that goes when the test ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tauflow-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function scratchLog(runId = 'run-1'): RunLog {
  return new RunLog({ runId, logDir: scratchFolder() });
}

export function stepMetric(index: number, name: string, changes: Partial<StepMetric> = {}): StepMetric {
  const spent = { calls: 1, promptTokens: 100, completionTokens: 10, costUsd: 0.01 };
  return { index, name, changed: false, durationMs: 1, thinkMs: 1, ...spent, ...changes };
}

/** Settings of a run on τ³-bench's own package. */
export const PACKAGE: Partial<EvaluationConfig> = {
  env: 'tau2:banking_knowledge',
  pack: {
    name: 'tau2:banking_knowledge',
    digest: 'd'.repeat(64),
    path: 'tau2',
    environment: {
      source: { kind: 'adapter', name: 'tau2' },
      name: 'tau2',
      version: '1.0.1',
      domain: 'banking_knowledge',
      options: { retrieval_variant: 'bm25', retrieval_kwargs: { top_k: 5 } },
      rules: 'tau2',
      replays: true,
    },
  },
};
