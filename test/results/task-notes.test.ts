/** `tasks.json`: floor, ceiling and defects of a run's tasks, and what a report makes of them. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { grade } from '../../src/benchmarks/index.ts';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import { readPack } from '../../src/benchmarks/testing.ts';
import {
  publishRun,
  reportOfRun,
  reportToMarkdown,
  subjectOfFile,
  prepareTaskNotes,
  type FindPack,
} from '../../src/results/report/index.ts';
import { buildReport, createTaskNotes } from '../../src/results/report/testing.ts';
import type { RunLog, RunManifest, TaskNotes } from '../../src/run-log/index.ts';
import { taskNotesCodec } from '../../src/run-log/testing.ts';
import { action, CANCEL, FIND_ADA, READ_ORDER, shop, task } from '../pack-tools/audit/shop.ts';
import { describeWithReference } from '../helpers/reference.ts';
import { CONFIG, record, row, scratchLog, renderReport } from './fixtures.ts';

const JUGGLE = action('juggle', {});
const RIGHT = task({ actions: [FIND_ADA, READ_ORDER, CANCEL] });
/** The audit calls 2 wrong and says of 3 that it is 1 once more; 0 is solved by doing nothing. */
const PACK = shop({
  test: [
    task({ instruction: 'Idle.', actions: [FIND_ADA] }),
    RIGHT,
    task({ instruction: 'You are Ada (ada@example.org). Juggle.', actions: [JUGGLE, CANCEL] }),
    RIGHT,
  ],
  dev: [RIGHT],
});
const NOTES = createTaskNotes(PACK, { split: 'test', taskIds: [3, 2, 0, 1] }) as TaskNotes;

describe('notes on the tasks of a run', () => {
  it('have the floor, the ceiling and the defects of the planned tasks alone', () => {
    expect(NOTES).toMatchObject({ doNothing: [0], floor: 0.25, ceiling: 0.75, split: 'test' });
    expect(NOTES.defects.map(({ taskId, kind, severity }) => [taskId, kind, severity])).toEqual([
      [2, 'unknown-tool', 'wrong'],
      [3, 'duplicate-task', 'suspicious'],
    ]);
    expect(createTaskNotes(PACK, { split: 'test', taskIds: [1] })).toMatchObject({
      doNothing: [],
      floor: 0,
      ceiling: 1,
      defects: [],
    });
  });

  describe('prepared before the run ends', () => {
    const tasks = { split: 'test', taskIds: [3, 2, 0, 1] };

    /** A pack whose tasks an audit reads by `read`. */
    function packWith(read: () => Pack['splits']): Pack {
      return Object.defineProperty({ ...PACK }, 'splits', { get: read });
    }

    it('need no further audit', () => {
      let isEnding = false;
      const pack = packWith(() => {
        if (isEnding) throw new Error('audited at the end');
        return PACK.splits;
      });
      prepareTaskNotes(pack, 'test');
      isEnding = true;
      expect(createTaskNotes(pack, tasks)).toEqual(NOTES);
    });

    it('are made at the end where that has failed', () => {
      let failures = 0;
      const pack = packWith(() => {
        if (failures++ === 0) throw new Error('out of memory');
        return PACK.splits;
      });
      prepareTaskNotes(pack, 'test');
      expect(failures).toBe(1);
      expect(createTaskNotes(pack, tasks)).toEqual(NOTES);
    });
  });

  it('are none of a split or a domain that is not there', () => {
    expect(createTaskNotes(PACK, { split: 'train', taskIds: [0] })).toBeNull();
    expect(createTaskNotes({ ...PACK, domain: 'space' }, { split: 'test', taskIds: [0] })).toBeNull();
  });

  it('are read as they were written', () => {
    expect(taskNotesCodec.read(taskNotesCodec.write(NOTES))).toEqual(NOTES);
    expect(JSON.parse(taskNotesCodec.write(NOTES))).toMatchObject({ do_nothing: [0], defects: [{ task_id: 2 }, {}] });
  });

  it('count the displays about a task’s own user, and say whether they were left out', () => {
    const [one] = PACK.splits['test'] ?? [];
    const pack = { ...PACK, fewShotDisplays: [`about ${one?.userId ?? ''}`, 'about somebody else', 'and another'] };
    const tasks = { split: 'test', taskIds: [1] };
    expect(createTaskNotes(pack, tasks)?.displays).toBeUndefined();
    const shown = createTaskNotes(pack, { ...tasks, fewShots: {} });
    expect(shown?.displays).toEqual({ total: 3, own: [{ taskId: 1, count: 1 }], leftOut: false });
    const remarks = (notes: TaskNotes | null | undefined) =>
      buildReport(subjectOfFile('x.json'), [row(1, 0, 1)], { notes: notes ?? null }).remarks.join(' ');
    expect(remarks(shown)).toContain('For 1 task, up to 1 of the 3 displays are about the user');
    expect(remarks(shown)).toContain('they were not left out');
    expect(remarks(createTaskNotes(pack, { ...tasks, fewShots: { leaveOut: true } }))).toContain(
      ': they were left out',
    );
    const others = { ...PACK, fewShotDisplays: ['about nobody'] };
    expect(remarks(createTaskNotes(others, { ...tasks, fewShots: {} }))).toContain('None of the 1 displays');
  });
});

describeWithReference('the floor that the audit gives', (dir) => {
  it.each(['retail', 'airline'])('is the average reward of an agent that does and says nothing: %s', async (env) => {
    const pack = await readPack(`${dir}/${env}`);
    const tasks = pack.splits['test'] ?? [];
    const solved = tasks.flatMap((each, taskId) => {
      const graded = grade(pack, each, [], { hash: () => '' });
      return graded.kind === 'graded' && graded.grade.reward === 1 ? [taskId] : [];
    });
    const notes = createTaskNotes(pack, { split: 'test', taskIds: tasks.map((_, taskId) => taskId) });
    expect(notes?.doNothing).toEqual(solved);
    expect(notes?.floor).toBe(solved.length / tasks.length);
    expect(solved.length).toBeGreaterThan(0);
  });
});

describe('a score', () => {
  const remarks = (rewards: readonly number[], notes: Partial<TaskNotes>) =>
    buildReport(
      subjectOfFile('x.json'),
      rewards.map((reward, taskId) => row(taskId, 0, reward)),
      { notes: { ...NOTES, ...notes } },
    ).remarks;

  it('has its floor and its ceiling beside it, in the terminal, in Markdown and in JSON', () => {
    const report = buildReport(subjectOfFile('x.json'), [row(1, 0, 1), row(2, 0, 0)], { notes: NOTES });
    const text = renderReport(report, { columns: 100, color: false });
    expect(text).toMatch(/floor +0\.250 +an agent that does and says nothing solves 1 task\n/);
    expect(text).toMatch(/ceiling +0\.750 +1 task with an error in the ground truth\n/);
    expect(text).toMatch(/│ +!2 │ 0 /);
    expect(text).toContain('! task 2, unknown-tool: ');
    // Task 3 has no row, so its defect is beside none.
    expect(text).not.toContain('task 3');
    expect(reportToMarkdown(report)).toContain('| !2 | 1 | 0 |');
    expect(reportToMarkdown(report)).toContain('- ! task 2, unknown-tool: ');
  });

  it('says where neither is known, and what would show it', () => {
    const text = renderReport(buildReport(subjectOfFile('x.json'), [row(1, 0, 1)]), { columns: 100, color: false });
    expect(text).toMatch(/floor and ceiling +— +not known: name the tasks of a file with --env and/);
  });

  it('is suspicious above the ceiling', () => {
    expect(remarks([1, 1, 1, 1], {})).toEqual([expect.stringContaining('1.000 is above the ceiling of 0.750')]);
    expect(remarks([1, 1, 1, 0], {})).toEqual([]);
  });

  it('is no better than nothing at the floor, and not shown to be better just above it', () => {
    expect(remarks([1, 0, 0, 0], {})).toEqual([
      expect.stringContaining('0.250 is no better than that of an agent that does'),
    ]);
    expect(remarks([1, 1, 0, 0], {})).toEqual([expect.stringContaining('0.500 is not shown to be better')]);
    const many = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 1 : 0));
    expect(remarks(many, {})).toEqual([]);
  });

  it('says when tasks have different numbers of trials', () => {
    const rows = [row(0, 0, 1), row(0, 1, 1), row(1, 0, 1)];
    expect(buildReport(subjectOfFile('x.json'), rows).remarks).toEqual([
      expect.stringContaining('Tasks have 1 to 2 of 2 trials: pass^k counts a missing trial as a failure'),
    ]);
    expect(buildReport(subjectOfFile('x.json'), rows.slice(0, 2)).remarks).toEqual([]);
  });
});

describe('a run log', () => {
  const found: FindPack = () => Promise.resolve(PACK);
  const MANIFEST = {
    formatVersion: 1,
    runId: 'run-1',
    status: 'completed',
    startedAt: '2025-01-01T00:00:00.000Z',
    endedAt: '2025-01-01T00:01:00.000Z',
    label: 'TC',
    config: { ...CONFIG, pack: PACK.ref },
    plan: { taskIds: [1, 2], numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    versions: {},
    temporal: null,
    notes: [],
  } satisfies RunManifest;
  async function endedRun(): Promise<RunLog> {
    const log = scratchLog();
    await log.writeEpisode(record(1, 0));
    await log.writeRun(MANIFEST);
    return log;
  }

  it('is given its notes when it is closed, and needs the pack no more', async () => {
    const log = await endedRun();
    const told: string[] = [];
    await publishRun(log, (sentence) => told.push(sentence), { findPack: found });
    expect(told).toEqual([]);
    expect(taskNotesCodec.read(readFileSync(log.paths.tasks, 'utf8'))).toMatchObject({ floor: 0, ceiling: 0.5 });
    expect(JSON.parse(readFileSync(log.paths.metrics, 'utf8'))).toMatchObject({ floor: 0, ceiling: 0.5 });
    expect((await reportOfRun(log)).notes).toMatchObject({ ceiling: 0.5 });
  });

  it.each([
    ['is not here', () => Promise.resolve(undefined)],
    ['cannot be read', () => Promise.reject(new Error('the disk is gone'))],
  ])('is closed all the same where the pack %s, and says what is not known', async (_, findPack: FindPack) => {
    const log = await endedRun();
    const told: string[] = [];
    await publishRun(log, (sentence) => told.push(sentence), { findPack });
    expect(told.at(-1)).toContain('floor and ceiling of the run run-1 are not known');
    expect(existsSync(log.paths.tasks)).toBe(false);
    expect(JSON.parse(readFileSync(log.paths.metrics, 'utf8'))).toMatchObject({ floor: null, episodes: 1 });
    expect((await reportOfRun(log, found)).notes).toMatchObject({ ceiling: 0.5 });
  });

  it('is not reported by notes that are damaged, or of another pack', async () => {
    const log = await endedRun();
    writeFileSync(log.paths.tasks, '{"format_version": 1');
    const damaged = await reportOfRun(log);
    expect(damaged).toMatchObject({ notes: null, problems: [expect.stringContaining('tasks.json is damaged')] });
    await log.writeTaskNotes({ ...NOTES, pack: { ...NOTES.pack, digest: 'other' } });
    expect(await reportOfRun(log)).toMatchObject({ notes: null, problems: [] });
    expect((await reportOfRun(log, found)).notes).toMatchObject({ ceiling: 0.5 });
  });
});
