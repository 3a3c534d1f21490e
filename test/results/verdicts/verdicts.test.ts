import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import {
  createFailureReader,
  currentVerdicts,
  isVerdictOn,
  verdictsOnRecords,
  errorsDocument,
  toErrorsFile,
  readVerdicts,
  verdictPlace,
  writeVerdict,
  type Failures,
  type Verdict,
} from '../../../src/results/judge/index.ts';
import { failureOfEntry, failureOfRecord, readVerdict, verdictFile } from '../../../src/results/judge/testing.ts';
import { RunLog } from '../../../src/run-log/index.ts';
import { parseResults } from '../../../src/results/files/testing.ts';
import type { RecordInput } from '../../../src/episode/index.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { record, scratchFolder, scratchLog } from '../fixtures.ts';
import { readdirSync } from 'node:fs';

const failed = (changes: Partial<RecordInput> = {}) => record(3, 0, { reward: 0, grade: null, ...changes });

function verdict(changes: Partial<Verdict> = {}): Verdict {
  return {
    formatVersion: 1,
    runId: 'run-1',
    taskId: 3,
    trial: 0,
    index: null,
    author: 'agent',
    description: 'It paid too much.',
    quotes: ['That is 10.'],
    faultType: 'took_unintended_action',
    faultDescription: 'Nobody asked.',
    faultQuotes: [],
    unfoundQuotes: 1,
    problem: null,
    deterministic: { kind: 'extra_write', faultType: 'took_unintended_action', step: 1 },
    model: { provider: 'openai', model: 'gpt-4o', temperature: 0 },
    episodeDigest: failureOfRecord(failed())?.digest ?? '',
    promptVersion: 1,
    calls: 2,
    promptTokens: 1000,
    completionTokens: 50,
    costUsd: 0.01,
    ...changes,
  };
}

describe('what has failed', () => {
  it('is what has no reward, whoever ended it, but for what was cancelled or only decided', () => {
    expect(failureOfRecord(record(3, 0))).toBeNull();
    expect(failureOfRecord(failed({ outcome: { kind: 'cancelled' } }))).toBeNull();
    expect(failureOfRecord(failed({ outcome: { kind: 'decision_only' } }))).toBeNull();
    expect(failureOfRecord(failed({ outcome: { kind: 'max_steps' } }))).toMatchObject({
      key: { taskId: 3, trial: 0 },
      infrastructure: null,
      episode: { instruction: 'You want to pay für alles.', outputs: ['10', '9'] },
    });
    const outcome = { kind: 'infrastructure_error', error: 'RateLimited', message: '429' } as const;
    expect(failureOfRecord(failed({ outcome }))).toMatchObject({ infrastructure: '429' });
  });

  it('has the first fault that was found without a model', () => {
    const fault = { tool: null, argument: null, expected: null, given: null, sentence: '' } as const;
    const faults = [
      { ...fault, kind: 'extra_write', faultType: 'took_unintended_action', step: 2 } as const,
      { ...fault, kind: 'missing_write', faultType: 'goal_partially_completed', step: 4 } as const,
    ];
    const analysis = { faults, differences: [], user: [] };
    expect(failureOfRecord({ ...failed(), analysis })?.deterministic).toEqual({
      kind: 'extra_write',
      faultType: 'took_unintended_action',
      step: 2,
    });
    expect(failureOfRecord(failed())?.deterministic).toBeNull();
  });

  it('is read off any results file', () => {
    const task = { user_id: 'u', instruction: 'Pay.', outputs: [], actions: [] };
    const traj = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi.' },
    ];
    const entries = parseResults(
      JSON.stringify([
        { task_id: 0, reward: 1, info: { task }, traj },
        { task_id: 1, reward: 0.0005, info: { task, reward_info: { reward: 0 } }, traj, trial: 2 },
        { task_id: 2, reward: 0, info: { error: 'boom', traceback: '' }, traj: [] },
        { task_id: 4, reward: 0, info: { executed_actions: [{ name: 'pay', kwargs: { amount: 131.0 } }] }, traj },
      ]),
      'f.json',
    );
    const failures = entries.map((entry, index) =>
      failureOfEntry(entry, { runId: 'f', index, task: null, faults: [], form: 'log' }),
    );
    expect(failures[0]).toBeNull();
    expect(failures[1]).toMatchObject({ key: { taskId: 1, trial: 2 }, index: 1, infrastructure: null });
    expect(failures[1]?.episode.lines).toHaveLength(2);
    expect(failures[2]).toMatchObject({ infrastructure: 'boom' });
    expect(failures[3]?.episode.calls).toMatchObject([{ name: 'pay' }]);
  });
});

describe('verdicts on disk', () => {
  it('are read as they were written, and a damaged one is reported', async () => {
    const log = scratchLog();
    const place = verdictPlace({ kind: 'run', log });
    const other = verdict({ taskId: 1, trial: 1, author: 'infrastructure', model: null, faultType: null, calls: 0 });
    await writeVerdict(place, other);
    await writeVerdict(place, verdict());
    await writeFile(path.join(place.folder, 'task-9.trial-0.json'), '{"format_version": 1');
    const problems: string[] = [];
    expect(await readVerdicts(log, (sentence) => problems.push(sentence))).toEqual([verdict(), other]);
    expect(problems).toEqual([expect.stringContaining('task-9.trial-0.json is damaged')]);
    expect(await readVerdict(place, { taskId: 9, trial: 0, index: null })).toBeNull();
    expect(await readVerdict(place, { taskId: 8, trial: 0, index: null })).toBeNull();
    expect(await readVerdicts(scratchLog(), () => expect.fail())).toEqual([]);
  });

  it('are found for the present records, of which only those that are newer are read', async () => {
    const log = scratchLog();
    const place = verdictPlace({ kind: 'run', log });
    const found = async () => {
      const reading = vi.spyOn(log, 'readEpisode');
      const names = [...(await verdictsOnRecords(log, () => expect.fail())).keys()];
      const { length } = reading.mock.calls;
      reading.mockRestore();
      return { names, read: length };
    };
    const file = await log.writeEpisode(failed());
    await writeVerdict(place, verdict());
    await writeVerdict(place, verdict({ taskId: 4 }));
    await utimes(file, new Date(0), new Date(0));
    expect(await found()).toEqual({ names: ['task-3.trial-0'], read: 0 });
    // As in a folder that was copied.
    await utimes(file, new Date(), new Date(Date.now() + 60_000));
    expect(await found()).toEqual({ names: ['task-3.trial-0'], read: 1 });
    await log.writeEpisode(failed({ workflowRunId: 'other', outcome: { kind: 'max_steps' } }));
    await utimes(file, new Date(), new Date(Date.now() + 60_000));
    expect(await found()).toEqual({ names: [], read: 1 });
    // Files of a copy have the times of its making.
    await utimes(file, new Date(0), new Date(0));
    const copy = new RunLog({ runId: log.runId, logDir: 's3://bucket/runs' }, log.logDir);
    expect((await verdictsOnRecords(copy, () => expect.fail())).size).toBe(0);
  });

  it('are on the episode that was judged, and on no other of the same name', async () => {
    expect(isVerdictOn(verdict(), failed())).toBe(true);
    expect(isVerdictOn(verdict(), failed({ outcome: { kind: 'max_steps' } }))).toBe(false);
    expect(isVerdictOn(verdict(), record(3, 0))).toBe(false);
    const log = scratchLog();
    const place = verdictPlace({ kind: 'run', log });
    const open = createFailureReader({ findPack: () => Promise.resolve(undefined), warn: () => expect.fail() });
    const failures = (): Promise<Failures> => open({ kind: 'run', log });
    await log.writeEpisode(failed());
    await writeVerdict(place, verdict());
    expect(await currentVerdicts(place, await failures())).toEqual({ failed: 1, verdicts: [verdict()] });
    await log.writeEpisode(failed({ workflowRunId: 'other', outcome: { kind: 'max_steps' } }));
    expect(await currentVerdicts(place, await failures())).toEqual({ failed: 1, verdicts: [] });
  });

  it('on a results file are beside it, each under a name of its own', () => {
    expect(toErrorsFile('/a/b.json')).toBe('/a/b.errors.json');
    const place = verdictPlace({ kind: 'file', file: '/a/b.json', document: '/a/b.errors.json', tasks: null });
    expect(place).toEqual({ folder: '/a/b.errors', document: '/a/b.errors.json' });
    expect(verdictFile(place, { taskId: 1, trial: 0, index: 7 })).toBe('/a/b.errors/task-1.trial-0.result-7.json');
  });

  it('are of the file as it is, when it has changed meanwhile', async () => {
    const file = path.join(scratchFolder(), 'r.json');
    const open = createFailureReader({ findPack: () => Promise.resolve(undefined), warn: () => expect.fail() });
    const source = { kind: 'file', file, document: toErrorsFile(file), tasks: null } as const;
    await writeFile(file, '[{"task_id": 0, "reward": 1.0}]');
    expect(await (await open(source)).at(0)).toBeNull();
    await writeFile(file, '[{"task_id": 0, "reward": 1.0}, {"task_id": 5, "reward": 0.0}]');
    expect(await (await open(source)).at(1)).toMatchObject({
      key: { taskId: 5 },
      infrastructure: expect.any(String) as string,
    });
  });
});

type ErrorsDocument = Record<
  'fault_assignment_analysis' | 'fault_type_analysis' | 'infrastructure' | 'unjudged' | 'agreement' | 'judge',
  unknown
>;

describe("tau-bench's document", () => {
  const verdicts = [
    verdict(),
    verdict({ taskId: 4, author: 'user', faultType: null, faultDescription: null, costUsd: null }),
    verdict({ taskId: 5, author: 'infrastructure', description: '429', model: null, faultType: null, calls: 0 }),
    verdict({ taskId: 6, author: 'unjudged', problem: 'no answer', faultType: null, deterministic: null }),
    verdict({ taskId: 7, faultType: null, problem: 'no second answer' }),
  ];
  const document = errorsDocument(verdicts) as ErrorsDocument;

  it('has in its lists what its readers know, and the rest beside them', () => {
    expect(document.fault_assignment_analysis).toMatchObject([
      { task_id: 3, author: 'agent', cost_usd: expect.any(Number) as number },
      { task_id: 4, author: 'user', cost_usd: null },
      { task_id: 7, author: 'agent' },
    ]);
    expect(document.fault_type_analysis).toEqual([
      {
        task_id: 3,
        fault_type: 'other',
        description: 'Nobody asked.',
        trial: 0,
        fault_type_detail: 'took_unintended_action',
        quotes: [],
      },
    ]);
    expect(document.infrastructure).toEqual([{ task_id: 5, trial: 0, description: '429' }]);
    expect(document.unjudged).toMatchObject([
      { task_id: 6, description: 'no answer' },
      { task_id: 7, description: 'no second answer' },
    ]);
  });

  it('says what the judge has cost, and how far it agrees with the analysis', () => {
    expect(document.judge).toEqual({
      models: ['openai/gpt-4o'],
      episodes: 4,
      calls: 8,
      prompt_tokens: 4000,
      completion_tokens: 200,
      cost_usd: null,
      unfound_quotes: 4,
    });
    expect(document.agreement).toMatchObject({ compared: 3, same_author: 2, types_compared: 1, same_type: 1 });
  });

  it('of nothing is empty', () => {
    expect(errorsDocument([])).toMatchObject({ fault_assignment_analysis: [], judge: { episodes: 0, cost_usd: 0 } });
  });
});

describeWithReference('the failed episodes of published results', (dir) => {
  it('are found, each with what a judge needs', async () => {
    const folder = path.join(dir, 'historical');
    const [name] = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const open = createFailureReader({ findPack: () => Promise.resolve(undefined), warn: () => expect.fail() });
    const file = path.join(folder, name ?? '');
    const failures = await open({ kind: 'file', file, document: toErrorsFile(file), tasks: null });
    let count = 0;
    for (let at = 0; at < failures.length; at++) {
      const failure = await failures.at(at);
      if (failure === null) continue;
      count += 1;
      if (failure.infrastructure !== null) continue;
      expect(failure.episode.instruction).not.toBe('');
      expect(failure.episode.lines.length).toBeGreaterThan(1);
    }
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(failures.length);
  });
});
