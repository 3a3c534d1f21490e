/** Recordings piped through `tauflow replay`: their actions in, the recordings out. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dumpJson, parseJson, isDict, type PyDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { dict, field, items } from '../benchmarks/helpers.ts';
import { tauflow } from '../cli/in-process.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';

describeWithReference('tauflow replay', (dir) => {
  it.each([
    ['retail-test', 115],
    ['retail-dev', 20],
    // Of the 823 designed cases two are limits of the Python interpreter.
    ['retail-edge', 821],
    ['airline-test', 50],
    ['airline-edge', 592],
  ])('gives the recordings of %s back, byte for byte', async (file, count) => {
    const recorded = referenceLines(dir, `golden/${file}.jsonl`)
      .map((line) => dict(line))
      .filter((line) => !tagsOf(line).includes('python-limit'));
    expect(recorded.length).toBe(count);
    const [env = ''] = file.split('-');
    const { code, stdout, stderr } = await tauflow(['replay', '--env', env, '--pack', join(dir, env)], {
      stdin: recorded.map((line) => `${dumpJson(asked(line))}\n`),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual(recorded.map((line) => dumpJson(only(line, 'name', 'steps', 'data_hash'))));
  });

  it.each([
    ['retail', 'test'],
    ['retail', 'dev'],
    ['airline', 'test'],
  ])('replays the ground truth of %s %s as it was recorded', async (env, split) => {
    const { stdout } = await tauflow(['replay', '--env', env, '--pack', join(dir, env), '--task-split', split]);
    const recorded = referenceLines(dir, `golden/${env}-${split}.jsonl`).map((line) => dict(line));
    expect(stdout.split('\n')).toEqual(
      recorded.map((line) =>
        dumpJson(
          new Map<string, PyValue>([
            ['name', `${split}/${dumpJson(field(line, 'task_index'))}`],
            ...only(line, 'steps', 'data_hash'),
          ]),
        ),
      ),
    );
  });
});

/** A recording without what the environment has said. */
function asked(line: PyDict): PyDict {
  const steps = items(field(line, 'steps')).map((step) => only(step, 'name', 'kwargs', 'kwargs_json'));
  return only(new Map([...line, ['steps', steps]]), 'name', 'steps', 'user_replies');
}

function only(value: PyValue, ...keys: string[]): PyDict {
  if (!isDict(value)) throw new Error(`not an object: ${dumpJson(value)}`);
  return new Map(Array.from(value).filter(([key]) => keys.includes(key)));
}

function tagsOf(line: PyDict): readonly PyValue[] {
  return items(line.get('tags') ?? parseJson('[]'));
}
