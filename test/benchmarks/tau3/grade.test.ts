/** Grades of τ³-bench: rules on a shop of our own, and every trajectory that the reference has graded. */

import { describe, expect, it } from 'vitest';

import { undecidedSentences, withJudgeProblem, withVerdicts } from '../../../src/benchmarks/index.ts';
import { isDict, str, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { fromTau3Info, toGrade, toTau3Info, type Tau3Call } from '../../../src/benchmarks/tau3/testing.ts';
import { gradeTau3, prepareTask, type Tau3Episode, type PreparedTask } from '../../../src/benchmarks/tau3/index.ts';
import { NO_TAU3, tau3Dir } from '../../helpers/tau3-folder.ts';
import { dict, field, items, text } from '../helpers.ts';
import { readLines, readTau3 } from './data.ts';
import { notes, notesData } from './notes.ts';

function prepare(criteria: string): PreparedTask {
  return prepareTask(notes, notesData, dict(`{"evaluation_criteria": ${criteria}}`));
}

const call = (name: string, args: string) => ({ name, arguments: dict(args) });

/** An episode in which the agent makes the calls, then says the texts. */
function played(calls: readonly Tau3Call[], said: readonly string[] = []): Tau3Episode {
  return {
    messages: [
      { role: 'assistant', text: null, calls },
      ...said.map((words) => ({ role: 'assistant' as const, text: words })),
    ],
    termination: 'user_stop',
  };
}

const WRITE_A = '{"actions": [{"name": "write", "arguments": {"text": "a"}}], "reward_basis": ["DB"]}';

describe('the reward by basis', () => {
  it('compares the databases, and carries out only calls of tools that write', () => {
    const task = prepare(WRITE_A);
    expect(gradeTau3(task, played([call('write', '{"text": "a"}')])).reward).toBe(1);
    expect(gradeTau3(task, played([call('write', '{"text": "b"}')])).reward).toBe(0);
    const others = [call('peek', '{"text": "b"}'), call('unknown', '{}')];
    expect(gradeTau3(task, played([call('write', '{"text": "a"}'), ...others])).reward).toBe(1);
    expect(gradeTau3(task, played([call('peek', '{"text": "a"}')])).reward).toBe(0);
  });

  it('continues after failing calls of the episode and of the ground truth', () => {
    const task = prepare('{"actions": [{"name": "write", "arguments": {"text": "refused"}}], "reward_basis": ["DB"]}');
    expect(gradeTau3(task, played([call('write', '{"text": "refused"}')])).reward).toBe(1);
    expect(gradeTau3(task, played([])).reward).toBe(0);
  });

  it('passes any databases of a task without ground truth and assertions', () => {
    const wrote = played([call('write', '{"text": "b"}')]);
    expect(gradeTau3(prepare('{"reward_basis": ["DB"]}'), wrote).reward).toBe(1);
    expect(gradeTau3(prepare('{"actions": [], "reward_basis": ["DB"]}'), wrote).reward).toBe(0);
    expect(gradeTau3(prepare('null'), wrote)).toEqual({ reward: 1, checks: null, isJudgeMissing: false });
  });

  it('keeps its parts when it crosses Temporal, and counts the verdicts of a judge', () => {
    const task = prepare(
      '{"actions": [{"name": "write", "arguments": {"text": "a"}}], "communicate_info": ["ten"], ' +
        '"nl_assertions": ["It is kind."], "reward_basis": ["NL_ASSERTION", "DB"]}',
    );
    const grade = toGrade(task, gradeTau3(task, played([call('write', '{"text": "a"}')])), () => '');
    const info = toTau3Info(grade);
    const unmet = { reward: 0, met: [false] };
    const checks = {
      basis: ['NL_ASSERTION', 'DB'],
      db: true,
      envAssertions: { reward: 1, met: [] },
      actions: { reward: 1, met: [true] },
      communicate: unmet,
    };
    expect(info).toEqual({
      reward: 1,
      detail: { kind: 'outputs', rOutputs: false, outputs: [['ten', false]] },
      dataMatches: true,
      numberSpellingOnly: false,
      strictOutputs: false,
      tau3: { checks, unjudged: ['It is kind.'] },
    });
    const read = fromTau3Info(info);
    expect(toTau3Info(read)).toEqual(info);
    expect(undecidedSentences(read)).toEqual(['It is kind.']);
    const verdicts = [{ assertion: 'It is kind.', met: false, reason: 'It is rude.' }];
    const judged = toTau3Info(withVerdicts(read, verdicts));
    expect(judged).toEqual({ ...info, reward: 0, tau3: { checks: { ...checks, nlAssertions: unmet }, verdicts } });
    expect(toTau3Info(fromTau3Info(judged))).toEqual(judged);
    expect(toTau3Info(withJudgeProblem(read, 'no key'))).toEqual({
      ...info,
      tau3: { checks, unjudged: ['It is kind.'], judgeProblem: 'no key' },
    });
  });

  it('scores 0 for an episode that neither agent nor user has ended', () => {
    const task = prepare('null');
    expect(gradeTau3(task, { messages: [], termination: 'max_steps' }).reward).toBe(0);
    expect(gradeTau3(task, { messages: [], termination: 'agent_stop' }).reward).toBe(1);
  });

  it('compares the arguments that ACTION names, or those of the call that was made', () => {
    const wanted = (compare: string) =>
      prepare(
        `{"actions": [{"name": "peek", "arguments": {"text": "a", "n": 1}${compare}}], "reward_basis": ["ACTION"]}`,
      );
    const rewards = (compare: string) =>
      ['{"text": "a", "n": 1.0}', '{"text": "a"}', '{"text": "a", "x": 1}', '{}', '{"text": "b"}'].map(
        (args) => gradeTau3(wanted(compare), played([call('peek', args)])).reward,
      );
    expect(rewards('')).toEqual([1, 1, 0, 1, 0]);
    expect(rewards(', "compare_args": null')).toEqual([1, 1, 0, 1, 0]);
    expect(rewards(', "compare_args": ["n"]')).toEqual([1, 0, 0, 0, 0]);
    expect(rewards(', "compare_args": []')).toEqual([1, 1, 1, 1, 1]);
  });

  it('finds required texts in the agent’s messages without commas, in any case', () => {
    const task = prepare('{"communicate_info": ["1234", "Blue"], "reward_basis": ["COMMUNICATE"]}');
    expect(gradeTau3(task, played([], ['It costs $1,234.', 'It is BLUE.'])).reward).toBe(1);
    expect(gradeTau3(task, played([], ['It costs $1,234.'])).checks?.communicate.met).toEqual([true, false]);
    const user = { role: 'user', text: 'blue 1234' } as const;
    expect(gradeTau3(task, { messages: [user], termination: 'user_stop' }).reward).toBe(0);
  });

  it('checks assertions on the state that the episode reached', () => {
    const assertion = (value: boolean, name = 'is_written') =>
      prepare(
        `{"env_assertions": [{"env_type": "assistant", "func_name": "${name}", "arguments": {"text": "a"}, ` +
          `"assert_value": ${String(value)}}], "reward_basis": ["ENV_ASSERTION"]}`,
      );
    const wrote = played([call('write', '{"text": "a"}')]);
    expect(gradeTau3(assertion(true), wrote).reward).toBe(1);
    expect(gradeTau3(assertion(false), wrote).reward).toBe(0);
    expect(gradeTau3(assertion(true, 'breaks'), wrote)).toMatchObject({
      reward: 0,
      raised: 'Function breaks returned no bool',
    });
  });

  it('reports that a judge is missing, and scores without it', () => {
    const task = prepare(
      '{"actions": [], "nl_assertions": ["Agent is kind."], "reward_basis": ["DB", "NL_ASSERTION"]}',
    );
    expect(gradeTau3(task, played([]))).toMatchObject({ reward: 1, isJudgeMissing: true });
    expect(gradeTau3(task, played([]), [true])).toMatchObject({ reward: 1, isJudgeMissing: false });
    expect(gradeTau3(task, played([]), [false])).toMatchObject({ reward: 0, isJudgeMissing: false });
    const none = prepare('{"actions": [], "nl_assertions": null, "reward_basis": ["DB", "NL_ASSERTION"]}');
    expect(gradeTau3(none, played([]))).toMatchObject({ reward: 1, isJudgeMissing: false });
  });

  it("refuses criteria in another form than the benchmark's", () => {
    expect(() => prepare('{"reward_basis": ["LUCK"]}')).toThrow('reward_basis of a task is not a list of DB');
    expect(() => prepare('{"actions": {}}')).toThrow('actions of a task is not a list');
    expect(() => prepare('{"nl_assertions": [1]}')).toThrow('nl_assertions of a task is not text');
  });
});

if (tau3Dir === null) console.warn(`grades of τ³-bench are skipped: ${NO_TAU3}`);

describe.skipIf(tau3Dir === null).each(['retail', 'airline', 'telecom'])('grades of %s', (name) => {
  it('are those of the reference, for every recorded trajectory', () => {
    const { domain, data, tasks } = readTau3(tau3Dir ?? '', name);
    const prepared = new Map(Array.from(tasks, ([id, task]) => [id, prepareTask(domain, data, task)]));
    const lines = readLines(tau3Dir ?? '', `golden/${name}-rewards.jsonl`);
    const differences = lines.flatMap((line, at) => {
      const task = prepared.get(text(field(line, 'task_id')));
      if (task === undefined) throw new Error(`line ${String(at + 1)} has an unknown task`);
      const seen = graded(task, line);
      const wanted = recorded(line);
      return JSON.stringify(seen) === JSON.stringify(wanted) ? [] : [{ line: at + 1, seen, wanted }];
    });
    expect(lines.length).toBeGreaterThan(300);
    expect(differences.slice(0, 3)).toEqual([]);
  });
});

const RECORDED = [
  'db',
  'env_assertions',
  'env_reward',
  'actions',
  'action_reward',
  'communicate',
  'communicate_reward',
];

/** The recording's fields, with rewards as numbers. */
function recorded(line: PyDict) {
  return [...RECORDED, 'reward_without_nl'].map((key) => {
    const value = field(line, key);
    return key.includes('reward') ? Number(str(value)) : value;
  });
}

function graded(task: PreparedTask, line: PyDict) {
  const { reward, checks } = gradeTau3(task, recordedEpisode(line));
  if (checks === null) throw new Error('not graded');
  const { basis, db, envAssertions, actions, communicate } = checks;
  const envReward = (!basis.includes('DB') || db) && (!basis.includes('ENV_ASSERTION') || envAssertions.reward === 1);
  const parts = [envAssertions.met, envReward ? 1 : 0, actions.met, actions.reward];
  return [db, ...parts, communicate.met, communicate.reward, reward];
}

function recordedEpisode(line: PyDict): Tau3Episode {
  const calls = items(field(line, 'calls')).map((call) => {
    const args = field(call, 'arguments');
    const role = text(field(call, 'requestor')) === 'user' ? ('user' as const) : ('assistant' as const);
    return {
      role,
      text: null,
      calls: [{ name: text(field(call, 'name')), arguments: isDict(args) ? args : new Map() }],
    };
  });
  const said = items(field(line, 'said')).map((words) => ({ role: 'assistant' as const, text: text(words) }));
  return { messages: [...calls, ...said], termination: 'user_stop' };
}
