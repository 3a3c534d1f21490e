/** The pure parts of the app: labels, what is recorded of a run that goes on, and the list of runs. */

import { expect, test } from 'vitest';
import {
  addLabel,
  isSameNote,
  usedLabels,
  withKnown,
  withRecorded,
  isSynthetic,
  filterRuns,
  findRunStatus,
  nameFields,
  WHOLE_LIST,
} from '../../../src/viewer/app/testing.ts';
import { formatSyntheticNote } from '../../../src/results/report/index.ts';
import type { ListedRun } from '../../../src/viewer/data/testing.ts';
import { episode, run } from '../payloads.ts';

test('a label is added once, without the space around it', () => {
  expect(addLabel(['a'], '  ambiguous   task ')).toEqual(['a', 'ambiguous task']);
  expect(addLabel(['a'], ' a ')).toEqual(['a']);
  expect(addLabel(['a'], ' ')).toEqual(['a']);
});

test('labels are offered by how often they were given', () => {
  const note = (...labels: string[]) => ({ labels, text: '' });
  expect(
    usedLabels(
      new Map([
        ['0/0', note('b')],
        ['0/1', note('c', 'a')],
        ['1/0', note('c')],
      ]),
    ),
  ).toEqual(['c', 'a', 'b']);
  expect(isSameNote({ labels: ['a'], text: 'x ' }, { labels: ['a'], text: 'x' })).toBe(true);
  expect(isSameNote({ labels: ['a'], text: 'x' }, { labels: [], text: 'x' })).toBe(false);
});

test('an episode recorded since takes its place, with its tools among those of the run', () => {
  const before = { ...run([episode({ taskId: 1, tools: [0] }), episode({ taskId: 2 })]), tools: ['pay'] };
  const again = { ...episode({ taskId: 2, reward: 0, tools: [0, 1] }), endedAt: null };
  const live = {
    cursor: 9,
    status: 'running' as const,
    planned: 4,
    tools: ['find', 'pay'],
    open: [],
    isAnew: false,
    startedAt: null,
    quietMinutes: 0,
    state: null,
  };
  const after = withRecorded(before, { ...live, recorded: [again, { ...again, taskId: 0, trial: 1 }] });
  expect(after.episodes.map(({ taskId, trial }) => [taskId, trial])).toEqual([
    [1, 0],
    [2, 0],
    [0, 1],
  ]);
  expect(after.episodes[0]).toBe(before.episodes[0]);
  expect(after.episodes[1]?.tools.map((tool) => after.tools[tool])).toEqual(['find', 'pay']);
  expect(after.subject).toMatchObject({ status: 'running', planned: 4 });
  expect(withRecorded(after, { ...live, recorded: [] })).toBe(after);
});

test('an episode that is as it was stays the same object when the run is read again', () => {
  const before = run([episode({ taskId: 1 }), episode({ taskId: 2 })]);
  const after = withKnown(before, run([episode({ taskId: 1 }), episode({ taskId: 2, reward: 0 })]));
  expect(after.episodes[0]).toBe(before.episodes[0]);
  expect(after.episodes[1]).not.toBe(before.episodes[1]);
});

test('runs are filtered by words, status and domain, and unknown values come last in either order', () => {
  const made = (id: string, score: number | null, about: Partial<ListedRun['subject']> = {}): ListedRun => ({
    ...{ id, kind: 'run', schedule: null, baselines: id === 'b' ? ['main'] : [], episodes: 1, errors: 0 },
    subject: { ...run([]).subject, runId: id, ...about },
    ...{
      passHatK: score === null ? [] : [score],
      interval: null,
      averageReward: score,
      costUsd: null,
      agentModel: null,
      changedAt: null,
      state: id === 'd' ? { status: 'paused', reason: 'somebody has paused it', command: 'resume' } : null,
    },
  });
  const runs = [made('a', 0.5, { env: 'retail' }), made('b', null, { status: 'running' }), made('c', 0.9)];
  const paused = made('d', null, { status: 'running' });
  expect([...runs, paused].map(findRunStatus)).toEqual([null, 'running', null, 'paused']);
  expect(filterRuns([...runs, paused], { ...WHOLE_LIST, status: 'running' }).map(({ id }) => id)).toEqual(['b']);
  const ids = (asked: Partial<typeof WHOLE_LIST>) => filterRuns(runs, { ...WHOLE_LIST, ...asked }).map(({ id }) => id);
  expect(ids({ sort: 'score' })).toEqual(['c', 'a', 'b']);
  expect(ids({ sort: 'score', isReversed: true })).toEqual(['a', 'c', 'b']);
  expect(ids({ sort: 'run' })).toEqual(['a', 'b', 'c']);
  expect(ids({ query: 'MAIN' })).toEqual(['b']);
  expect(ids({ status: 'running' })).toEqual(['b']);
  expect(ids({ domain: 'retail' })).toEqual(['a']);
});

test('a run is synthetic by the note of its report', () => {
  expect(isSynthetic(['Anything.', formatSyntheticNote('alder-finch', 'retail')])).toBe(true);
  expect(isSynthetic(['The model was scripted.'])).toBe(false);
});

test('markers of fields are shown as names, and other brackets as they are', () => {
  expect(nameFields('[[ ## next_thought ## ]]\nLook up.\n\n[[ ## completed ## ]]')).toBe('next thought:\nLook up.');
  expect(nameFields('a [[1, 2]] b')).toBe('a [[1, 2]] b');
});
