/**
 * Trajectories in ATIF and instances of Every Eval Ever, read back. The models of harbor 0.25.0 and the validator of
 * every-eval-ever 0.3.0 accept what these functions write.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  atifTrajectories,
  everyEvalEverAggregate,
  everyEvalEverInstances,
  everyEvalEverPath,
  huggingFaceResult,
} from '../../../src/results/export/index.ts';
import { readRecordedRuns } from '../../../src/results/formats/index.ts';
import { subjectOfRun } from '../../../src/results/report/index.ts';
import { buildReport } from '../../../src/results/report/testing.ts';
import { rowOfRecord, type EpisodeRecord } from '../../../src/run-log/index.ts';
import { manifest } from '../compare/runs.ts';
import { record, scratchFolder } from '../fixtures.ts';

const RUN = manifest('run-1', {}, { plan: { taskIds: [3, 4], numTrials: 2, shuffle: false } });
const RECORDS = [
  record(3, 0),
  record(3, 1, { reward: 0 }),
  record(4, 0, { outcome: { kind: 'infrastructure_error', error: 'X', message: 'no answer' }, reward: 0 }),
];
const REPORT = buildReport(subjectOfRun(RUN), RECORDS.map(rowOfRecord));

async function* records(): AsyncGenerator<EpisodeRecord, void, undefined> {
  yield* await Promise.resolve(RECORDS);
}

async function readBack(pieces: AsyncIterable<string>) {
  const file = join(scratchFolder(), 'file.jsonl');
  let text = '';
  for await (const piece of pieces) text += piece;
  writeFileSync(file, text);
  const [run] = (await readRecordedRuns(file, { messages: true })) ?? [];
  return {
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
    run,
  };
}

describe('a run as trajectories of Harbor', () => {
  it('has its episodes, with rewards where infrastructure did not end them', async () => {
    const { lines, run } = await readBack(atifTrajectories(RUN, records()));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ schema_version: 'ATIF-v1.7', agent: { model_name: 'openai/gpt-4o' } });
    expect(run?.trials.map(({ task, trial, scores }) => [task, trial, scores])).toEqual([
      ['retail/test/3', 0, { reward: 1 }],
      ['retail/test/3', 1, { reward: 0 }],
      ['retail/test/4', 0, {}],
    ]);
  });

  it('has steps numbered from 1, each call with its result', async () => {
    const { lines, run } = await readBack(atifTrajectories(RUN, records()));
    const steps = lines[0]?.['steps'] as {
      step_id: number;
      tool_calls?: { tool_call_id: string }[];
      observation?: object;
    }[];
    expect(steps.map(({ step_id: id }) => id)).toEqual(steps.map((_, at) => at + 1));
    const call = steps.find((step) => step.tool_calls !== undefined);
    expect(call?.observation).toEqual({
      results: [{ source_call_id: call?.tool_calls?.[0]?.tool_call_id, content: 'paid' }],
    });
    expect(run?.trials[0]?.tools).toEqual(['pay']);
  });
});

describe('a run for Every Eval Ever', () => {
  it('has a line per graded episode, with its trial as the epoch', async () => {
    const { lines, run } = await readBack(everyEvalEverInstances(RUN, records()));
    expect(lines[1]).toMatchObject({ schema_version: '0.3.0', metadata: { epoch: '2' }, output: null });
    expect(run?.benchmark).toBe('retail/test');
    expect(run?.trials.slice(0, 2).map(({ task, trial, scores }) => [task, trial, scores['reward:mean']])).toEqual([
      ['3', 0, 1],
      ['3', 1, 0],
    ]);
  });

  it('has an aggregate that names the instances', () => {
    const path = everyEvalEverPath(RUN);
    expect(path).toMatch(
      /^data\/retail\/openai\/gpt-4o\/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}_samples\.jsonl$/,
    );
    const aggregate = everyEvalEverAggregate(REPORT, RUN, { checksum: 'ab', rows: 3 }, new Date(0));
    expect(aggregate).toMatchObject({
      evaluation_results: [{ score_details: { score: REPORT.metrics.errorsAsFailures.averageReward } }],
      detailed_evaluation_results: { file_path: path, checksum: 'ab', total_rows: 3 },
    });
  });
});

describe('a result for Hugging Face', () => {
  it('is a list of one score in percent', () => {
    expect(parse(huggingFaceResult(REPORT, RUN) ?? '')).toMatchObject([
      { dataset: { id: 'FILL IN', task_id: 'retail' }, value: 33.33 },
    ]);
    expect(huggingFaceResult(buildReport(subjectOfRun(RUN), []), RUN)).toBeNull();
  });
});
