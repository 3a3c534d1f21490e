import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import type { Message } from '../../src/agents/index.ts';
import { parseJson, isList } from '../../src/benchmarks/python/index.ts';
import { fromFile } from '../../src/benchmarks/python/values.schema.ts';
import { resultsEntrySchema } from '../../src/benchmarks/results.ts';
import { buildEpisodeRecord, type EpisodeRecord } from '../../src/run-log/index.ts';
import { parseResults, resultsEntry } from '../../src/results/files/testing.ts';
import { readRawEntry, readResultsFile, ResultsAssembler, assembleResultsFile } from '../../src/results/files/index.ts';
import { describeWithReference } from '../helpers/reference.ts';
import { CONTEXT, GRADE, record, recordInput, scratchFolder, scratchLog, stepMetric, usage } from './fixtures.ts';

type Loose = Record<string, unknown>;

function entryOf(episode: EpisodeRecord): Loose {
  return JSON.parse(resultsEntry(episode) ?? 'null') as Loose;
}

describe('a result', () => {
  it('has the reference’s fields in its order, and numbers as Python writes them', () => {
    const text = resultsEntry(record(3, 1)) ?? '';
    expect(text.slice(0, text.indexOf('"info"'))).toBe('{\n    "task_id": 3,\n    "reward": 1.0,\n    ');
    const entry = JSON.parse(text) as { info: { task: Loose; reward_info: Loose }; traj: Loose[] } & Loose;
    expect(Object.keys(entry)).toEqual(['task_id', 'reward', 'info', 'traj', 'trial']);
    expect(Object.keys(entry.info)).toEqual(['task', 'source', 'user_cost', 'reward_info']);
    expect(Object.keys(entry.info.task)).toEqual(['user_id', 'actions', 'instruction', 'outputs']);
    expect(Object.keys(entry.info.reward_info)).toEqual(['reward', 'info', 'actions']);
    expect(text).toContain('"r_outputs": 1.0,\n');
    expect(text).toContain('"amount": 131.0');
    expect(entry.traj.map((message) => message['role'])).toEqual(CONTEXT.messages.map((message) => message.role));
  });

  it('gives the cost of the simulated user’s last call, as the reference does, and not the sum', () => {
    expect(entryOf(record(3, 0))['info']).toMatchObject({ source: 'user', user_cost: 0.003 });
    const supervised = { usage: [usage('user/verify', 9), usage('user', null)] };
    expect(entryOf(record(3, 0, supervised))['info']).toMatchObject({ user_cost: null });
  });

  it('is not graded and has no user cost when the episode ran out of steps', () => {
    const steps = [stepMetric(1, 'get_order_details')];
    const entry = entryOf(
      record(3, 0, { outcome: { kind: 'max_steps' }, reward: 0, grade: null, wouldBeGrade: GRADE, steps }),
    );
    expect(entry).toMatchObject({
      reward: 0,
      info: { source: 'get_order_details', user_cost: null, reward_info: null },
    });
    expect((entry['info'] as Loose)['reward_info']).toBeNull();
  });

  it.each([
    { kind: 'agent_error', error: 'invalid_action', message: 'no such thing' } as const,
    { kind: 'infrastructure_error', error: 'RateLimited', message: 'no such thing' } as const,
  ])('is an error without a trajectory after $kind', (outcome) => {
    const entry = entryOf(record(3, 0, { outcome, reward: 0, grade: null }));
    expect(entry).toMatchObject({ reward: 0, traj: [], info: { error: 'no such thing' } });
    expect(Object.keys(entry['info'] as Loose)).toEqual(['error', 'traceback']);
    expect((entry['info'] as Loose)['traceback']).toContain(`${outcome.kind} (${outcome.error})`);
  });

  it('is an error where the reference’s grading raises', () => {
    const grade = { kind: 'raised', message: "'NoneType' object has no attribute 'lower'" } as const;
    expect(entryOf(record(3, 0, { grade, reward: 0 }))).toMatchObject({ traj: [], info: { error: grade.message } });
  });

  it('does not exist for a cancelled episode', () => {
    expect(resultsEntry(record(3, 0, { outcome: { kind: 'cancelled' }, reward: 0, grade: null }))).toBeNull();
  });
});

describe('the results file', () => {
  it('lists trial by trial, in the plan’s order where one is given', async () => {
    const log = scratchLog();
    for (const [task, trial] of [
      [1, 0],
      [2, 0],
      [1, 1],
      [2, 1],
    ] as const) {
      await log.writeEpisode(record(task, trial));
    }
    const names = async () =>
      (await readResultsFile(log.paths.results)).map((entry) => `${String(entry.task_id)}/${String(entry.trial)}`);
    expect(await assembleResultsFile(log)).toMatchObject({ entries: 4, problems: [] });
    expect(await names()).toEqual(['1/0', '2/0', '1/1', '2/1']);
    const order = [
      { taskId: 2, trial: 0 },
      { taskId: 1, trial: 0 },
    ];
    await assembleResultsFile(log, { order });
    expect(await names()).toEqual(['2/0', '1/0', '1/1', '2/1']);
  });

  it('is an empty list before any episode has ended', async () => {
    const log = scratchLog();
    await assembleResultsFile(log);
    expect(await readFile(log.paths.results, 'utf8')).toBe('[]');
  });

  it('leaves out damaged records and says so', async () => {
    const log = scratchLog();
    await writeFile(await log.writeEpisode(record(1, 0)), '{"format_version": 1');
    await log.writeEpisode(record(2, 0));
    const { entries, problems } = await assembleResultsFile(log);
    expect(entries).toBe(1);
    expect(problems).toHaveLength(1);
  });

  it('is whole JSON at every moment of a run, and all its versions come to no more than three times the last', async () => {
    const log = scratchLog();
    const assembler = new ResultsAssembler(log);
    const episodes = 60;
    const rewritings: Promise<number>[] = [];
    let written = 0;
    let isRunning = true;
    const reading = (async () => {
      const seen: number[] = [];
      while (isRunning) {
        const text = await readFile(log.paths.results, 'utf8').catch(() => '[]');
        seen.push((JSON.parse(text) as unknown[]).length);
      }
      return seen;
    })();
    for (let ended = 1; ended <= episodes; ended++) {
      await log.writeEpisode(record(ended, 0));
      const rewriting = assembler.maybeRewrite(ended).then((file) => (written += file?.bytes ?? 0));
      rewritings.push(rewriting);
      if (ended % 3 === 0) await rewriting;
    }
    await Promise.all(rewritings);
    const { entries, bytes } = await assembleResultsFile(log);
    isRunning = false;
    const seen = await reading;
    expect(seen.every((count, i) => count >= (seen[i - 1] ?? 0))).toBe(true);
    expect(entries).toBe(episodes);
    expect(bytes).toBe((await readFile(log.paths.results)).length);
    expect(written + bytes).toBeLessThan(3 * bytes);
    expect((await readdir(log.paths.folder)).sort()).toEqual(['episodes', 'rows.jsonl']);
  });

  it('is whole JSON after any sequence of ends and replacements', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.nat(9), fc.nat(2)), { selector: (pair) => pair.join('/'), maxLength: 8 }),
        async (order) => {
          const log = scratchLog();
          const assembler = new ResultsAssembler(log);
          let ended = 0;
          for (const [task, trial] of order) {
            await log.writeEpisode(record(task, trial));
            if ((await assembler.maybeRewrite(++ended)) !== null) {
              expect(JSON.parse(await readFile(log.paths.results, 'utf8'))).toHaveLength(ended);
            }
          }
          await assembleResultsFile(log);
          expect(await readResultsFile(log.paths.results)).toHaveLength(order.length);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('reading a results file', () => {
  const json = JSON.stringify([{ task_id: 3, reward: 1, note: 'é😀' }]);
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
  it.each([
    ['with a byte order mark', Buffer.from(`\uFEFF${json}`)],
    ['of a shell on Windows', Buffer.from(`\uFEFF${json}`, 'utf16le')],
    ['of UTF-16 the other way round', swapped(`\uFEFF${json}`)],
    ['that is compressed', gzipSync(json)],
    ['of a shell on Windows that is compressed', gzipSync(Buffer.from(`\uFEFF${json}`, 'utf16le'))],
  ])('reads one %s', async (_what, bytes) => {
    const file = path.join(scratchFolder(), 'results.json');
    await writeFile(file, bytes);
    expect(await readResultsFile(file)).toMatchObject([{ task_id: 3, reward: 1 }]);
    expect(await readRawEntry(file, { taskId: 3, trial: 0 })).toContain(String.raw`\u00e9\ud83d\ude00`);
  });

  it.each([
    ['is cut short', gzipSync(json).subarray(0, 30), 'it is compressed by gzip and cut short or damaged'],
    ['is zip', Buffer.from('PK\u0003\u0004...'), 'it is compressed in another way than gzip; unpack it first'],
    ['is zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'it is compressed in another way than gzip; unpack it first'],
  ])('refuses in one sentence what %s', async (_what, bytes, why) => {
    const file = path.join(scratchFolder(), 'results.json.gz');
    await writeFile(file, bytes);
    await expect(readResultsFile(file)).rejects.toThrow(`the results file ${file} cannot be read: ${why}`);
  });

  it('takes what a fork writes, and what newer libraries add', () => {
    const fork = {
      task_id: 4,
      reward: 1,
      info: {
        task_index: 4,
        steps: 6,
        executed_actions: [{ name: 'pay', kwargs: { amount: 1.5 }, response_text: 'ok', success: true }],
        reward_info: { reward: 1, info: { r_actions: true, gt_data_hash: 'x' }, actions: [] },
      },
      traj: [{ role: 'assistant', content: [{ type: 'text', text: 'hi' }], function_call: null, annotations: [] }],
    };
    const [entry] = parseResults(JSON.stringify([fork]), 'fork.json');
    expect(entry).toMatchObject({ task_id: 4, reward: 1, info: { task_index: 4 } });
    expect(entry?.trial).toBeUndefined();
    expect(parseResults('[{"task_id": 1, "reward": 0.0}]', 'short.json')).toEqual([{ task_id: 1, reward: 0 }]);
  });

  it('names the file and the position when it is cut in half', async () => {
    const log = scratchLog();
    for (let task = 0; task < 4; task++) await log.writeEpisode(record(task, 0));
    await assembleResultsFile(log);
    const whole = await readFile(log.paths.results, 'utf8');
    const half = path.join(scratchFolder(), 'half.json');
    await writeFile(half, whole.slice(0, whole.length / 2));
    await expect(readResultsFile(half)).rejects.toThrow(
      /^the results file .*half\.json is cut short or is not JSON: .*line \d+ column \d+ \(char \d+\)$/,
    );
  });

  it('names what is wrong with a file of another kind', () => {
    expect(() => parseResults('{}', 'x.json')).toThrow('x.json is not a tau-bench results file');
    expect(() => parseResults('[{"task_id": 0, "reward": 1.0}, {"task_id": 1}]', 'x.json')).toThrow(
      /x\.json has something else than a result at position 1: reward/,
    );
  });

  it('says that a file does not exist', async () => {
    await expect(readResultsFile('/nowhere/x.json')).rejects.toThrow(
      '/nowhere/x.json cannot be read: it does not exist',
    );
  });
});

describeWithReference('the published airline trajectories', (dir) => {
  const file = path.join(dir, 'historical', 'gpt-4o-airline.json');

  it('come out byte for byte when they are written from records', () => {
    const text = readFileSync(file, 'utf8').trimEnd();
    const value = parseJson(text);
    const records = (isList(value) ? value : []).map((item) =>
      recordOf(fromFile(item, resultsEntrySchema) as Published),
    );
    expect(records).toHaveLength(200);
    expect(`[${records.map((each) => `\n  ${resultsEntry(each) ?? ''}`).join(',')}\n]`).toBe(text);
  });

  it('read back', async () => {
    const entries = await readResultsFile(file);
    expect(entries.filter((entry) => entry.reward === 1)).toHaveLength(84);
    expect(entries.filter((entry) => entry.info?.reward_info === null)).toHaveLength(5);
  });
});

interface Published {
  readonly task_id: number;
  readonly trial: number;
  readonly reward: number;
  readonly info: {
    readonly task: Omit<EpisodeRecord['task'], 'userId'> & { user_id: string };
    readonly reward_info: EpisodeRecord['rewardInfo'];
    readonly source: string;
    readonly user_cost: number | null;
  };
  readonly traj: EpisodeRecord['trajectory'];
}

/** A record as we would have kept it of a published episode. */
function recordOf({ task_id, trial, reward, info, traj }: Published): EpisodeRecord {
  const made = record(task_id, trial, {
    reward,
    outcome: info.reward_info === null ? { kind: 'max_steps' } : { kind: 'user_stop' },
    usage: [usage('user', info.user_cost)],
    steps: [stepMetric(1, info.source === 'user' ? 'respond' : info.source)],
  });
  const messages: readonly Message[] = traj;
  const { trajectory } = buildEpisodeRecord(recordInput(), { ...CONTEXT, messages });
  const { user_id: userId, ...task } = info.task;
  return { ...made, task: { ...task, userId }, rewardInfo: info.reward_info, trajectory };
}
