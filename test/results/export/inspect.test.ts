/** A run as an Inspect log: the mapping of its parts. `inspect.server.test.ts` has Inspect read it. */

import { describe, expect, it } from 'vitest';

import { inspectLog, stepRows } from '../../../src/results/export/index.ts';
import { rowOfRecord, type EpisodeRecord } from '../../../src/run-log/index.ts';
import { buildReport } from '../../../src/results/report/testing.ts';
import { subjectOfRun } from '../../../src/results/report/index.ts';
import { manifest } from '../compare/runs.ts';
import { record } from '../fixtures.ts';

const MANIFEST = manifest('run-1', {}, { plan: { taskIds: [3], numTrials: 2, shuffle: false } });

interface Log {
  readonly [field: string]: unknown;
  readonly samples: readonly (Readonly<Record<string, unknown>> & { readonly messages: readonly object[] })[];
}

const NOTES = [{ taskId: 3, trial: 1, labels: ['flaky user'], text: 'A note.', writtenAt: '2025-01-02T00:00:00Z' }];

async function logOf(...records: EpisodeRecord[]): Promise<Log> {
  const report = buildReport(subjectOfRun(MANIFEST), records.map(rowOfRecord), { episodeNotes: NOTES });
  let text = '';
  const read = async function* () {
    yield* await Promise.resolve(records);
  };
  for await (const piece of inspectLog(report, MANIFEST, read())) text += piece;
  return JSON.parse(text) as Log;
}

describe('an Inspect log', () => {
  it('has a sample an episode, its trial as an epoch from 1', async () => {
    const log = await logOf(record(3, 0), record(3, 1, { reward: 0 }));
    expect(log).toMatchObject({
      version: 2,
      status: 'success',
      eval: { task: 'tau_bench_retail', model: 'openai/gpt-4o', solver: 'tool-calling', config: { epochs: 2 } },
      results: { scores: [{ name: 'reward', metrics: { mean: { value: 0.5 }, pass_hat_2: { value: 0 } } }] },
    });
    expect(log.samples.map(({ id, epoch, scores }) => [id, epoch, scores])).toMatchObject([
      [3, 1, { reward: { value: 1, answer: 'That is 10.' } }],
      [3, 2, { reward: { value: 0 } }],
    ]);
  });

  it('keeps messages, calls with their numbers, and usage by role and by model', async () => {
    const { samples } = await logOf(record(3, 0));
    expect(samples[0]?.messages).toMatchObject([
      { role: 'system', content: 'Policy: be kind.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '', tool_calls: [{ function: 'pay', arguments: { amount: 131 } }] },
      { role: 'tool', tool_call_id: 'call_1', function: 'pay', content: 'paid' },
      { role: 'assistant', content: 'That is 10.' },
      { role: 'user', content: '###STOP###' },
    ]);
    expect(samples[0]).toMatchObject({
      role_usage: { agent: { input_tokens: 990, input_tokens_cache_read: 10, total_tokens: 1050, total_cost: 0.02 } },
      model_usage: { 'openai/gpt-4o': { total_tokens: 2100 } },
    });
  });

  it('counts what was written to a cache apart', async () => {
    const whole = record(3, 0);
    const usage = whole.usage.map((role) => ({ ...role, cacheWriteTokens: 600 }));
    const { samples } = await logOf({ ...whole, usage });
    const parts = { input_tokens: 390, input_tokens_cache_read: 10, input_tokens_cache_write: 600 };
    expect(samples[0]).toMatchObject({ role_usage: { agent: parts } });
  });

  it('has the notes and labels of people among the metadata of a sample', async () => {
    const { samples } = await logOf(record(3, 0), record(3, 1));
    expect(samples[0]?.['metadata']).not.toHaveProperty('note');
    expect(samples[1]?.['metadata']).toMatchObject({ labels: ['flaky user'], note: 'A note.', outcome: 'user_stop' });
  });

  it('has no score of what infrastructure ended, and a limit where the steps ran out', async () => {
    const broken = record(1, 0, {
      outcome: { kind: 'infrastructure_error', error: 'X', message: 'no answer' },
      reward: 0,
    });
    const cut = record(2, 0, { outcome: { kind: 'max_steps' }, reward: 0, grade: null });
    const { samples } = await logOf(broken, cut);
    expect(samples[0]).toMatchObject({ error: { message: 'no answer', traceback: 'no answer' } });
    expect(samples[0]).not.toHaveProperty('scores');
    expect(samples[1]).toMatchObject({ limit: { limit: 30, reason: 'max_steps' }, scores: { reward: { value: 0 } } });
  });

  it('shows arguments that cannot be read, and reasoning beside words', async () => {
    const read = record(3, 0);
    const trajectory = read.trajectory.map((message) =>
      message.role !== 'assistant'
        ? message
        : {
            ...message,
            reasoning_content: 'hm',
            ...(message.tool_calls === undefined
              ? {}
              : {
                  tool_calls: message.tool_calls.map((call) => ({
                    ...call,
                    function: { name: 'pay', arguments: '{x' },
                  })),
                }),
          },
    );
    const { samples } = await logOf({ ...read, trajectory });
    expect(samples[0]?.messages[2]).toMatchObject({
      content: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: '' },
      ],
      tool_calls: [{ arguments: { raw: '{x' }, parse_error: 'The arguments are not a JSON object.' }],
    });
  });

  it('is a document without an episode, too', async () => {
    expect((await logOf()).samples).toEqual([]);
  });
});

describe('the table of steps', () => {
  it('has a row a step, with its action, observation, time and calls', () => {
    expect(stepRows(record(3, 0))).toMatchObject([
      {
        task: 3,
        trial: 0,
        step: 1,
        action: 'pay',
        observation: 'paid',
        to_user: false,
        changed_data: true,
        duration_ms: 3,
      },
      { step: 2, action: 'respond', kwargs: '{"content": "That is 10."}', observation: '###STOP###', to_user: true },
    ]);
    expect(stepRows(record(3, 0))[0]?.['kwargs']).toContain('131.0');
  });
});
