import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { runProgram } from '../../src/cli/testing.ts';
import { inProcessContext, tauflow } from './in-process.ts';

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`);
const replayed = async (stdin: Iterable<Uint8Array | string>, ...words: string[]) =>
  tauflow(['replay', ...words], { stdin });
const think = { name: 'think', kwargs: { thought: 'hm' } };

describe('replay', () => {
  it('answers each line with its observations and the hash of the state they leave', async () => {
    const steps = [think, { name: 'calculate', kwargs: { expression: '1 / 4' } }, { name: 'fly', kwargs: {} }];
    const { code, stdout, stderr } = await replayed(lines({ name: 'one', steps }, { steps: [] }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [one, two] = stdout.split('\n').map((line) => JSON.parse(line) as { data_hash: string });
    expect(one).toEqual({
      name: 'one',
      steps: ['', '0.25', 'Unknown action fly'].map((observation, at) => ({ ...steps[at], observation })),
      data_hash: two?.data_hash,
    });
    expect(two).toEqual({ steps: [], data_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  });

  it('writes JSON as Python does, numbers and the order of keys as they came', async () => {
    const line = '{"name": 7, "steps": [{"kwargs": {"9": 1.0, "1": 12345678901234567890, "é": "ü"}, "name": "x"}]}\n';
    const { stdout } = await replayed([line], '--no-hash');
    const kwargs = '{"9": 1.0, "1": 12345678901234567890, "\\u00e9": "\\u00fc"}';
    expect(stdout).toBe(
      `{"name": 7, "steps": [{"name": "x", "kwargs": ${kwargs}, "observation": "Unknown action x"}]}`,
    );
  });

  it('takes arguments as text, which can say more than JSON, and gives the text back', async () => {
    const step = { name: 'calculate', kwargs_json: '{"expression": "1",  "expression": NaN}' };
    const { stdout } = await replayed(lines({ steps: [step] }), '--no-hash');
    expect(JSON.parse(stdout)).toMatchObject({
      steps: [{ ...step, observation: expect.stringMatching(/^Error: /) as string }],
    });
  });

  it('lets the user say the given replies, then OK., and ends at what leaves the step', async () => {
    const say = { name: 'respond', kwargs: { content: 'hi' } };
    const wrong = { name: 'respond', kwargs: { contents: 'hi' } };
    const line = { user_replies: ['###STOP###'], steps: [say, say, wrong, say] };
    const { code, stdout } = await replayed(lines(line), '--no-hash');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      steps: [
        { ...say, observation: '###STOP###' },
        { ...say, observation: 'OK.' },
        { ...wrong, observation: null, raised: { type: 'KeyError', message: "'content'", where: 'Env.step' } },
      ],
    });
  });

  it('starts every line from fresh data', async () => {
    const { stdout } = await tauflow(['replay', '--task-split', 'test']);
    const [first] = stdout.split('\n');
    const again = await replayed([`${stdout}\n${stdout}`]);
    expect(again.stdout).toBe(`${stdout}\n${stdout}`);
    expect(first).toMatch(/^\{"name": "test\/0", "steps": \[\{"name": /);
  });

  it('replays the ground truth of chosen tasks', async () => {
    const { stdout } = await tauflow(['replay', '--task-split', 'dev', '--task-ids', '3,1', '--no-hash']);
    expect(stdout.split('\n').map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['dev/3', 'dev/1']);
    expect(await tauflow(['replay', '--task-ids', '400'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --task-ids: there is no task 400; split test has/) as string,
    });
  });

  it('reports bad lines by their numbers, and goes on', async () => {
    const bad: [line: string | Uint8Array, problem: string][] = [
      ['{"steps": [', 'is not JSON (Expecting value at character 11).'],
      ['[]', 'is not a JSON object; write {"steps": [{"name": …, "kwargs": {…}}, …]}.'],
      ['{}', 'has no list "steps"; write {"steps": [{"name": …, "kwargs": {…}}, …]}.'],
      ['{"steps": [1]}', 'has no object at steps[0]; write {"name": …, "kwargs": {…}}.'],
      ['{"steps": [{"kwargs": {}}]}', 'has no text "name" at steps[0].'],
      ['{"steps": [{"name": "x"}]}', 'needs an object as "kwargs" of steps[0].'],
      ['{"steps": [{"name": "x", "kwargs_json": "[]"}]}', 'needs an object as "kwargs_json" of steps[0].'],
      ['{"steps": [{"name": "x", "kwargs_json": {}}]}', 'has a "kwargs_json" at steps[0] that is not a text.'],
      [
        '{"steps": [{"name": "x", "kwargs_json": "{"}]}',
        'has a "kwargs_json" at steps[0] that is not JSON (Expecting property name enclosed in double quotes at character 1).',
      ],
      [
        '{"steps": [{"name": "x", "kwargs": {}, "kwargs_json": "{}"}]}',
        'has both "kwargs" and "kwargs_json" at steps[0]; keep one of them.',
      ],
      ['{"steps": [], "user_replies": [1]}', 'has "user_replies" that are not a list of texts.'],
      [Uint8Array.of(0x22, 0xff, 0x22), 'is not UTF-8.'],
    ];
    const good = '{"steps": []}\n';
    const { code, stdout, stderr } = await replayed(
      bad.flatMap(([line]) => [line, '\n', '\n', good]),
      '--no-hash',
    );
    expect(code).toBe(2);
    expect(stdout).toBe(bad.map(() => '{"steps": []}').join('\n'));
    expect(stderr.split('\n')).toEqual(bad.map(([, problem], at) => `error: line ${3 * at + 1} ${problem}`));
  });

  it('reads the same however the input is cut, the last line without its end included', async () => {
    const input = Buffer.from(
      lines({ name: 'é\u2028😀', steps: [think] }, { steps: [] })
        .join('')
        .trimEnd(),
    );
    const whole = await replayed([input], '--no-hash');
    expect(whole.stdout.split('\n')).toHaveLength(2);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(input.length), { maxLength: 6 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), input.length];
        const pieces = places.slice(1).map((end, at) => input.subarray(places[at], end));
        expect(await replayed(pieces, '--no-hash')).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it('answers a line before the next one is written', async () => {
    const stdin = new PassThrough();
    const answers = new PassThrough();
    const { context } = inProcessContext(['replay'], {}, { stdin, out: (line) => void answers.write(`${line}\n`) });
    const ended = runProgram(['replay', '--no-hash'], context);
    for (const name of ['one', 'two']) {
      stdin.write(`{"name": "${name}", "steps": []}\n`);
      const [answer] = (await once(answers, 'data')) as [Buffer];
      expect(JSON.parse(answer.toString())).toEqual({ name, steps: [] });
    }
    stdin.end();
    await ended;
  });

  it('asks for input where nothing is piped in', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const { context, ended } = inProcessContext(['replay'], {}, { stdin });
    await runProgram(['replay'], context);
    expect(ended()).toMatchObject({ code: 2, stderr: expect.stringContaining('or give --task-split') as string });
  });
});
