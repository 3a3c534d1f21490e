import { describe, expect, it } from 'vitest';
import {
  applyAction,
  foldActions,
  openOverlay,
  grade,
  reportedActions,
  RESPOND,
  STOP_MARKER,
  type GradeResult,
  type Action,
  type Task,
} from '../../src/benchmarks/index.ts';
import { dumpJson, parseJson, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { toRewardInfo } from '../../src/benchmarks/testing.ts';
import { createHasher, field, items, readAction, readDomain, readTasks, text } from '../benchmarks/helpers.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';
import { COUNTS } from './counts.ts';

describe.each([
  { domain: 'retail', file: 'rewards-retail.jsonl' },
  { domain: 'airline', file: 'rewards-airline.jsonl' },
] as const)('$domain', ({ domain, file }) => {
  describeWithReference('rewards', (dir) => {
    const data = readDomain(dir, domain);
    const tasks = readTasks(dir, domain, 'test');
    const hashOf = createHasher(data);

    function taskOf(recorded: PyDict): { index: number; task: Task } {
      const index = Number(field(recorded, 'task_index'));
      const task = tasks[index];
      if (task === undefined) throw new Error(`no task ${String(index)}`);
      return { index, task };
    }

    /** Runs a recorded episode until it is done or raises, as the reference's environment does. */
    function run(recorded: PyDict): { executed: Action[]; done: boolean; raised: string | null } {
      const replies = items(field(recorded, 'user_replies')).map(text);
      const overlay = openOverlay(data);
      const executed: Action[] = [];
      for (const action of items(field(recorded, 'actions')).map(readAction)) {
        executed.push(action);
        if (action.name === RESPOND && !action.kwargs.has('content'))
          return { executed, done: false, raised: "'content'" };
        const done =
          action.name === RESPOND
            ? (replies.shift() ?? 'OK.').includes(STOP_MARKER)
            : applyAction(data, overlay, action).done;
        if (done) return { executed, done, raised: null };
      }
      return { executed, done: false, raised: null };
    }

    it('are the recorded ones in every episode, and the same when asked again', () => {
      let checked = 0;
      for (const line of referenceLines(dir, `golden/${file}`)) {
        const recorded = parseJson(line) as PyDict;
        const { index, task } = taskOf(recorded);
        const episode = run(recorded);
        const graded = grade(data, task, episode.executed, { hash: hashOf });
        expect(grade(data, task, episode.executed, { hash: hashOf })).toEqual(graded);

        // The reference grades only what is done; what raises while grading is not done to it.
        const isGraded = episode.done && graded.kind === 'graded';
        const raised = episode.raised ?? (episode.done && graded.kind === 'raised' ? graded.message : null);
        expect({
          name: `${String(index)} ${text(field(recorded, 'variant'))}`,
          executed: BigInt(episode.executed.length),
          done: isGraded,
          reward: dumpJson(isGraded ? { x: field(dumped(graded, task), 'reward') } : { x: parseJson('0.0') }),
          info: isGraded ? dumpJson(dumped(graded, task)) : 'null',
          hash: hashOf(foldActions(data, episode.executed)),
          raised,
        }).toEqual({
          name: `${String(index)} ${text(field(recorded, 'variant'))}`,
          executed: field(recorded, 'n_executed'),
          done: field(recorded, 'done'),
          reward: dumpJson({ x: field(recorded, 'reward') }),
          info: dumpJson(field(recorded, 'reward_info')),
          hash: field(recorded, 'data_hash'),
          raised: recorded.has('raised') ? field(field(recorded, 'raised'), 'message') : null,
        });
        checked++;
      }
      expect(checked).toBe(COUNTS[file].equal);
    });
  });
});

/** A grade as the reference dumps its RewardResult. */
function dumped(graded: GradeResult, task: Task): PyValue {
  if (graded.kind === 'raised') throw new Error(graded.message);
  const { reward, detail } = toRewardInfo(graded.grade);
  const float = (isOne: boolean) => parseJson(isOne ? '1.0' : '0.0');
  const info: PyDict =
    detail.kind === 'outputs'
      ? new Map<string, PyValue>([
          ['r_outputs', float(detail.rOutputs)],
          ['outputs', new Map(detail.outputs)],
        ])
      : new Map<string, PyValue>([
          ['r_actions', float(detail.rActions)],
          ['gt_data_hash', detail.gtDataHash],
        ]);
  return new Map<string, PyValue>([
    ['reward', float(reward === 1)],
    ['info', info],
    [
      'actions',
      reportedActions(task).map(
        ({ name, kwargs }) =>
          new Map<string, PyValue>([
            ['name', name],
            ['kwargs', kwargs],
          ]),
      ),
    ],
  ]);
}
