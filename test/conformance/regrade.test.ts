/**
 * The published gpt-4o trajectories through `tauflow regrade`, against the recordings of their replay; and the recorded
 * rewards, written as trajectories.
 */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { groundTruthState, StateHasher, type EnvData, type TrajectoryForm } from '../../src/benchmarks/index.ts';
import { Overlay } from '../../src/benchmarks/testing.ts';
import { dumpJson, isDict, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { sha256Hashing } from '../../src/io/index.ts';
import { regradeEntry } from '../../src/results/regrade/index.ts';
import { dict, field, items, readDomain, readTasks, text } from '../benchmarks/helpers.ts';
import { tauflow } from '../cli/in-process.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';
import { entry } from '../results/regrade/episodes.ts';
import { COUNTS } from './counts.ts';

describeWithReference('tauflow regrade', (dir) => {
  it('replays the published airline trajectories as they were recorded, in every field', async () => {
    const file = join(dir, 'historical/gpt-4o-airline.json');
    const { code, stdout, stderr } = await tauflow(['regrade', file, '--pack', join(dir, 'airline'), '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document = dict(stdout);
    const ofProvince = groundTruthOfProvince(dir);
    const regraded = items(field(document, 'records')).map((record) => {
      if (!isDict(record)) throw new Error('a record that is no object');
      return new Map([...record, ['recorded_gt_hash_equals_province_variant', ofProvince(record)]]);
    });
    const recorded = referenceLines(dir, 'golden/regrade-airline.jsonl').map((line) => dict(line));
    expect(recorded.length).toBe(COUNTS['regrade-airline.jsonl'].equal);
    const inFields = (record: PyDict, of: PyDict) =>
      dumpJson(new Map(Array.from(of.keys()).map((key) => [key, field(record, key)])));
    expect(regraded.map((record, at) => inFields(record, recorded[at] ?? record))).toEqual(
      recorded.map((line) => dumpJson(line)),
    );
    expect(JSON.parse(dumpJson(field(document, 'summary')))).toEqual({
      records: 200,
      rewards_equal: 200,
      rewards_differ: 0,
      reported_successes: 84,
      regraded_successes: 84,
      recorded_average: 0.42,
      replayed_average: 0.42,
      endings: { user_stop: 147, transferred: 48, not_done: 5 },
      right_data_without_reward: 4,
      number_spelling_only: 0,
      observation_mismatches: { records: 120, observations: 120 },
      refused_writes: { records: 0, calls: 0 },
      task_changed_since: { instruction: 148 },
    });
  });

  it.each([
    ['retail', 1470],
    ['airline', 807],
  ])('gives the recorded rewards of %s to their episodes, written as tool calls and as text', (domain, count) => {
    const data = readDomain(dir, domain);
    const tasks = readTasks(dir, domain, 'test');
    const hasher = new StateHasher(data, sha256Hashing);
    const recorded = referenceLines(dir, `golden/rewards-${domain}.jsonl`).map((line) => dict(line));
    const different = recorded.flatMap((line, index) => {
      const form = index % 2 === 0 ? 'tools' : 'text';
      const task = tasks[Number(field(line, 'task_index'))];
      if (task === undefined) throw new Error(`no task for line ${String(index)}`);
      const given = entry(trajectoryOf(line, form));
      const record = regradeEntry(given, index, task, { data, hasher, form });
      const mine = [record.replayedReward, record.executedActions, record.dataHash, record.ending.kind === 'raised'];
      const theirs = [reward(line), Number(field(line, 'n_executed')), field(line, 'data_hash'), line.has('raised')];
      return JSON.stringify(mine) === JSON.stringify(theirs) ? [] : [{ index, form, mine, theirs }];
    });
    expect(different).toEqual([]);
    expect(recorded.length).toBe(count);
  });
});

function reward(line: PyDict): number {
  return Number(dumpJson(field(line, 'reward')));
}

/** A recorded episode as an agent's file has it, without the answers of tools. */
function trajectoryOf(line: PyDict, form: TrajectoryForm): object[] {
  const replies = items(field(line, 'user_replies')).values();
  return items(field(line, 'actions')).flatMap((action) => {
    const [name, kwargs] = [text(field(action, 'name')), field(action, 'kwargs')];
    const answer = { role: 'user', content: name === 'respond' ? (replies.next().value ?? 'OK.') : null };
    if (form === 'text') return [{ role: 'assistant', content: dumpJson({ name, arguments: kwargs }) }, answer];
    const content = name === 'respond' && isDict(kwargs) ? kwargs.get('content') : undefined;
    if (content !== undefined) return [{ role: 'assistant', content }, answer];
    return [{ role: 'assistant', tool_calls: [{ function: { name, arguments: dumpJson(kwargs) } }] }, answer];
  });
}

/**
 * Returns true if a recorded hash is that of today's ground truth with `state` called `province` in the users' addresses, as it
 * was when the trajectories were made; null where no hash was recorded.
 */
function groundTruthOfProvince(dir: string): (record: PyDict) => boolean | null {
  const data = readDomain(dir, 'airline');
  const tasks = readTasks(dir, 'airline', 'test');
  const users = data.tables.get('users');
  if (!isDict(users)) throw new Error('no users');
  const renamed: EnvData = {
    ...data,
    tables: new Map([...data.tables, ['users', new Map(Array.from(users, rename))]]),
  };
  const hasher = new StateHasher(renamed, sha256Hashing);
  return (record) => {
    const info = record.get('recorded_reward_info');
    const hash =
      isDict(info) && isDict(info.get('info')) ? (info.get('info') as PyDict).get('gt_data_hash') : undefined;
    const task = tasks[Number(field(record, 'task_id'))];
    if (hash === undefined || task === undefined) return null;
    const wanted = groundTruthState(data, task);
    const state = new Overlay(renamed.tables);
    for (const table of data.tables.keys()) {
      for (const entry of wanted.written(table)) {
        const [id, written] = table === 'users' ? rename(entry) : entry;
        if (isDict(written)) state.put(table, id, written);
      }
    }
    return hasher.hash(state) === hash;
  };
}

function rename([id, user]: readonly [string, PyValue]): [string, PyValue] {
  const address = field(user, 'address');
  if (!isDict(user) || !isDict(address)) throw new Error(`the user ${id} has no address`);
  const renamed = Array.from(address, ([key, value]) => [key === 'state' ? 'province' : key, value] as const);
  return [id, new Map([...user, ['address', new Map(renamed)]])];
}
