/** Benchmarks in folders: what can be loaded, and what `tauflow benchmark check` finds. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openBenchmark } from '../../../src/benchmarks/own/public-testing.ts';
import { loadBenchmark } from '../../../src/benchmarks/own/testing.ts';
import { counter, writeBenchmark } from './folders.ts';
import { checkBenchmark } from '../../../src/benchmarks/own/check.ts';

const example = fileURLToPath(new URL('../../../examples/benchmark', import.meta.url));

describe('The example', async () => {
  const shop = await openBenchmark(example);

  it.each(shop.taskIds)('%s is solved by its ground truth, and not by doing nothing', async (id) => {
    expect(await shop.playTruth(id)).toMatchObject({ reward: 1 });
    expect(await shop.play(id, [])).toMatchObject({ reward: 0 });
  });

  it('has the same digest wherever it is, and another one when a file changes', async () => {
    const [one, same, other] = [writeBenchmark(), writeBenchmark(), writeBenchmark({ 'policy.md': 'Count well.' })];
    const digests = await Promise.all([one, same, other].map(async (path) => (await loadBenchmark(path)).digest));
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });
});

describe('A call', () => {
  const play = async (files: Record<string, string>, ...calls: object[]) =>
    await (await openBenchmark(writeBenchmark(files))).play('two', calls as never);

  it('has defaults of its parameters, and is answered with what does not fit', async () => {
    const { observations } = await play(
      {},
      { add: { id: 'A' } },
      { add: { id: 7, by: 'x' } },
      { add: { id: 'Z' } },
      { sub: {} },
    );
    expect(observations).toEqual([
      '1',
      'Error: the arguments do not fit: id: Invalid input: expected string, received number; ' +
        'by: Invalid input: expected number, received string',
      'Error: there is no counter Z',
      'Error: there is no tool sub',
    ]);
  });

  it('changes nothing when it throws, or leaves what is not plain JSON', async () => {
    const tools = `
      half: { description: 'x', parameters: z.object({}), run(state: State) { state.counters['A']!.value = 9; throw new Error('no'); } },
      date: { description: 'x', parameters: z.object({}), run(state: State) { state.counters['A']!.value = new Date() as never; } },
      loop: { description: 'x', parameters: z.object({}), run(state: State) { const own: any = state; own.own = own; } },
      map: { description: 'x', parameters: z.object({}), run: () => ({ a: [new Map()] }) },
      nan: { description: 'x', parameters: z.object({}), run: async () => NaN },
    `;
    const calls = ['half', 'date', 'loop', 'map', 'nan'].map((name) => ({ [name]: {} }));
    const { observations, reward } = await play({ 'benchmark.ts': counter({ tools }) }, ...calls, {
      add: { id: 'A', by: 2 },
    });
    expect(observations).toEqual([
      'Error: no',
      'Error: date gave what is not plain JSON: counters.A.value is an object of the class Date',
      'Error: loop gave what is not plain JSON: own.own.own.own is too deep, or contains itself',
      'Error: map gave what is not plain JSON: a[0] is an object of the class Map',
      'Error: nan gave what is not plain JSON: the value is NaN',
      '2',
    ]);
    expect(reward).toBe(1);
  });
});

describe('A grade', () => {
  const grade = async (task: string, calls: object[], says: string[] = [], rest = '') => {
    const files = { 'tasks.yaml': `- id: t\n  instruction: x\n  ${task}`, 'benchmark.ts': counter({ rest }) };
    const { reward, parts } = await (await openBenchmark(writeBenchmark(files))).play('t', calls as never, says);
    const met = parts.map(
      ({ kind, counts, checks }) => `${kind}${counts ? '' : '?'} ${checks.map(({ isMet }) => isMet).join()}`,
    );
    return `${reward}: ${met.join('; ')}`;
  };
  const add = { add: { id: 'A', by: 2 } };

  it.each([
    ['calls: [{ add: { id: A, by: 2 } }]', [add], '1: data true; calls? true'],
    ['calls: [{ add: { id: A, by: 2 } }]', [{ add: { id: 'A' } }, { add: { id: 'A' } }], '1: data true; calls? false'],
    ['calls: [{ add: { id: A, by: 2 } }]\n  counts: [calls]', [{ add: { id: 'A' } }], '0: calls false; data? false'],
    ['data: { counters.A.value: 2, counters.B: null }', [add], '1: data true,true'],
    ['data: { counters.A: { value: 2 }, counters.A.note: x }', [add], '0: data true,false'],
    ['calls: []', [add], '0: data false; calls? '],
  ])('of %s after %j', async (task, calls, expected) => {
    expect(await grade(task, calls)).toBe(expected);
  });

  it('of outputs is by words in any case, and of sentences by the judge', async () => {
    expect(await grade('outputs: [Two, "1000"]', [], ['It is two; not 1,000.'])).toBe('1: outputs true,true');
    expect(await grade('outputs: [Two]', [add])).toBe('0: outputs false');
    expect(await grade('sentences: [The agent is kind.]', [add])).toBe('1: sentences true');
    expect(await grade('sentences: [The agent is kind.]', [])).toBe('0: sentences false');
  });

  it('may be the benchmark’s own', async () => {
    const rest = `grade: (_task, { state, calls }) => ({ even: state.counters['A']!.value % 2 === 0, 'one call': calls.length === 1 }),`;
    expect(await grade('user: someone', [add], [], rest)).toBe('1: assertions true,true');
    expect(await grade('user: someone', [{ add: { id: 'A' } }], [], rest)).toBe('0: assertions false,true');
  });
});

describe('A folder that cannot be used', () => {
  const definition = (code: string) => ({ 'benchmark.ts': code });
  const tasks = (yaml: string) => ({ 'tasks.yaml': yaml });
  const task = (yaml: string) => tasks(`- id: t\n  instruction: x\n  ${yaml}`);

  it.each<[Record<string, string | null>, string]>([
    [
      { 'benchmark.ts': null },
      'DIR has no benchmark.ts; make a folder that has one with `npx tauflow benchmark init NAME`.',
    ],
    [definition('export const a = 1;'), 'FILE has no default export; write `export default defineBenchmark({ … })`.'],
    [
      definition('export default {'),
      'the benchmark in FILE cannot be compiled: Expected identifier but found end of file (line 1).',
    ],
    [definition('throw new Error("no luck");'), 'the benchmark in FILE cannot be loaded: no luck.'],
    [
      definition('export default { name: "x", tools: { a: { description: "x", parameters: {}, run() {} } } };'),
      'FILE: tools.a.parameters must be z.object({ … }) of zod 4, which `tauflow/benchmark` exports as z.',
    ],
    [definition(counter({ rest: 'tool: {},' })), 'FILE: the benchmark has tool, which is unknown; correct the name.'],
    [
      definition(counter({ tools: 'respond: { description: "x", parameters: z.object({}), run() {} },' })),
      'FILE: tools.respond is the name of speaking to the user; take another.',
    ],
    [
      definition(counter({ tools: 'a: { description: "x", parameters: z.object({ d: z.date() }), run() {} },' })),
      'FILE: tools.a has parameters without a JSON Schema: Date cannot be represented in JSON Schema.',
    ],
    [
      definition(counter({ rest: 'userTools: {},' })),
      "FILE: userTools need rules: 'tau2', because the user of other rules calls no tools.",
    ],
    [{ 'policy.md': null }, 'DIR/policy.md is missing; write what the agent has to obey.'],
    [{ 'policy.md': ' ' }, 'DIR/policy.md is empty; write what the agent has to obey.'],
    [
      { 'data/counters.json': '{' },
      "DIR/data/counters.json is no JSON: Expected property name or '}' in JSON at position 1.",
    ],
    [{ 'tasks.yaml': null }, 'DIR/tasks.yaml is missing or empty; write at least one task.'],
    [tasks('id: x'), 'DIR/tasks.yaml must be a list of tasks; begin each task with "- id:".'],
    [
      tasks('- {'),
      'DIR/tasks.yaml is no YAML: Flow map in block collection must be sufficiently indented and end with a } at line 1, column 4.',
    ],
    [
      tasks(`${'a'.repeat(5)}: &a [${'x,'.repeat(9)}]\nb: &b [${'*a,'.repeat(9)}]\nc: [${'*b,'.repeat(99)}]`),
      'DIR/tasks.yaml is no YAML: Excessive alias count indicates a resource exhaustion attack.',
    ],
    [tasks('- instruction: x\n  calls: []'), 'DIR/tasks.yaml: the task at position 1: id is missing.'],
    [task('outputs: [24.90]'), 'DIR/tasks.yaml: the task t: outputs[0] must be a text; write numbers in quotes.'],
    [task('call: []'), 'DIR/tasks.yaml: the task t: has call, which no task has.'],
    [
      task('calls: [add]'),
      'DIR/tasks.yaml: the task t: calls[0] must be a call: a tool’s name with its arguments, such as { find_order: { order_id: O1 } }.',
    ],
    [
      task('calls: [{ add: A }]'),
      'DIR/tasks.yaml: the task t: calls[0] must be a call: a tool’s name with its arguments, such as { find_order: { order_id: O1 } }.',
    ],
    [
      tasks('- { id: __proto__, instruction: x, calls: [] }'),
      'DIR/tasks.yaml: the task __proto__: id must begin with a letter or digit, and have letters, digits, ".", "_" and "-" alone.',
    ],
    [
      task('calls: [{ sub: {} }]'),
      'DIR/tasks.yaml: the task t: calls[0] is a call of sub, and tools have none of that name.',
    ],
    [task('user: x'), 'DIR/tasks.yaml: the task t: nothing can fail: give it calls, data, outputs or sentences.'],
    [
      task('calls: []\n  counts: [outputs]'),
      'DIR/tasks.yaml: the task t: counts has outputs, which the task does not say.',
    ],
    [
      tasks('- { id: t, instruction: x, calls: [] }\n- { id: t, instruction: x, calls: [] }'),
      'DIR/tasks.yaml: the task t: another task has the same id.',
    ],
    [
      { ...task('user: me\n  calls: []'), ...definition(counter({ rest: "users: { you: 'You.' }," })) },
      'DIR/tasks.yaml: the task t: user is "me", and users has you.',
    ],
    [
      tasks('- { id: t }\n- { id: u, instruction: x }'),
      'DIR/tasks.yaml: the task t: instruction is missing (1 of 2 problems; `tauflow benchmark check` has all).',
    ],
  ])('%j', async (files, sentence) => {
    const folder = writeBenchmark(files);
    const { message } = await loadBenchmark(folder).then(
      () => new Error('loaded'),
      (error: Error) => error,
    );
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    expect(
      message.replaceAll(join(folder, 'benchmark.ts'), 'FILE').replaceAll(folder, 'DIR').replaceAll(name, 'NAME'),
    ).toBe(sentence);
  });
});

describe('The check of a benchmark', () => {
  it('finds nothing wrong with one that is right', async () => {
    expect(await checkBenchmark(writeBenchmark())).toMatchObject({
      problems: [],
      wrong: [],
      warnings: [],
      summary: { name: 'counter', splits: { test: 1 }, toolUse: { add: 1 } },
    });
  });

  it('plays tasks, and names what they get wrong', async () => {
    const tools = `
      roll: { description: 'x', parameters: z.object({}), run: () => Math.random() },
      end: { description: 'x', parameters: z.object({}), ends: true, run: () => 'bye' },
      hang: { description: 'x', parameters: z.object({}), run: () => { process.exit(); } },
    `;
    const { wrong, warnings } = await checkBenchmark(
      writeBenchmark({
        'benchmark.ts': counter({ tools }),
        'data/counters.json': '{"A": {"value": 0, "counter_id": "Z"}}',
        'tasks.yaml': `
- { id: unmet, instruction: x, calls: [{ add: { id: A } }], data: { counters.A.value: 2 } }
- { id: random, instruction: x, calls: [{ add: { id: A } }, { roll: {} }] }
- { id: idle, instruction: x, calls: [] }
- { id: stray, instruction: x, calls: [{ add: { id: B } }], outputs: ['77'] }
- { id: late, instruction: x, calls: [{ end: {} }, { add: { id: A } }] }
- { id: exit, instruction: x, calls: [{ hang: {} }] }
- { id: secret, instruction: x, outputs: [hello] }
`,
      }),
    );
    expect(wrong.map((text) => text.replaceAll(/"0\.\d+"/g, 'N'))).toEqual([
      'task unmet: its ground truth gets the reward 0: data "counters.A.value is 2".',
      'task random: calls[1], a call of roll, answers differently when it is made again: N, then N.',
      'task late: its ground truth gets the reward 0: data "DIGEST".'.replace(
        'DIGEST',
        /[0-9a-f]{64}/.exec(wrong.join())?.[0] ?? '',
      ),
      'task late: calls[0] ends the episode before the last call.',
      'task exit: the tool hang failed: it ends the thread that it runs in.',
    ]);
    expect(warnings).toEqual([
      'data: counters.A.counter_id is "Z", which is not in counters.',
      'task idle: an agent that does and says nothing solves it.',
      'task stray: calls[0], a call of add, is answered "Error: there is no counter B".',
      'task stray: calls[0], a call of add, has the id "B", which is nowhere in the data.',
      'task stray: no tool answers the output "77", so the agent has to compute it or cannot know it.',
      'task secret: it has no calls, so its solution was not tried and the scripted model cannot solve it.',
    ]);
  });

  it('stops when several tasks cannot be played', async () => {
    const tools = `quit: { description: 'x', parameters: z.object({}), run: () => { process.exit(); } },`;
    const task = (id: number) => `- { id: t${id}, instruction: x, calls: [{ quit: {} }] }\n`;
    const { wrong, summary } = await checkBenchmark(
      writeBenchmark({ 'benchmark.ts': counter({ tools }), 'tasks.yaml': [1, 2, 3, 4, 5].map(task).join('') }),
    );
    expect(summary?.toolUse).toBeNull();
    expect(wrong).toEqual([
      '3 tasks (t1, t2, t3): the tool quit failed: it ends the thread that it runs in.',
      '2 more tasks were not played, because 3 could not be played.',
    ]);
  });

  it('names each mistake in code once, and a thrown error as what may be meant', async () => {
    const tools = `
      typo: { description: 'x', parameters: z.object({}), run: (state: any) => state.nothing.at },
      far: { description: 'x', parameters: z.object({}), run: () => [].length = -1 },
      self: { description: 'x', parameters: z.object({}), run: () => () => 1 },
      no: { description: 'x', parameters: z.object({}), run: () => { throw new Error('not today'); } },
    `;
    const task = (tool: string, at: number) =>
      `- { id: t${at}, instruction: x, calls: [{ ${tool}: {} }, { ${tool}: {} }] }\n`;
    const { wrong, warnings } = await checkBenchmark(
      writeBenchmark({
        'benchmark.ts': counter({ tools }),
        'tasks.yaml': ['typo', 'typo', 'typo', 'typo', 'far', 'self', 'no'].map(task).join(''),
      }),
    );
    expect(wrong).toEqual([
      "4 tasks (t0, t1, t2, …): the tool typo failed: TypeError: Cannot read properties of undefined (reading 'at').",
      'task t4: the tool far failed: RangeError: Invalid array length.',
      'task t5: the tool self gave what is not plain JSON: the value is a function.',
    ]);
    expect(warnings.filter((text) => text.includes('is answered'))).toEqual([
      'task t6: calls[0], a call of no, is answered "Error: not today".',
      'task t6: calls[1], a call of no, is answered "Error: not today".',
    ]);
  });

  it.each([
    ['() => 0.5', 'returned 0.5, which is neither true nor false, nor several of them by name'],
    ['async () => ({ half: 1 })', 'returned {"half":1}, which is neither true nor false, nor several of them by name'],
    ['() => undefined', 'returned undefined, which is neither true nor false, nor several of them by name'],
    ['(_task: any, end: any) => end.none.at', "failed: TypeError: Cannot read properties of undefined (reading 'at')"],
  ])('finds that the grade %s is none', async (grade, what) => {
    const { wrong } = await checkBenchmark(
      writeBenchmark({ 'benchmark.ts': counter({ rest: `grade: ${grade} as any,` }) }),
    );
    expect(wrong).toEqual([`task two: the function grade ${what}; correct it in the benchmark's folder.`]);
  });

  it.each([
    ['for (;;) {}', "the tool hang did not return within 10 s; correct it in the benchmark's folder."],
    [
      'const kept = []; for (;;) kept.push(new Array(1_000_000).fill(0.5));',
      'the tool hang failed: Worker terminated due to reaching memory limit: JS heap out of memory.',
    ],
  ])('outlives a tool of %s, and plays the next task', async (code, what) => {
    const tools = `hang: { description: 'x', parameters: z.object({}), run: () => { ${code} } },`;
    const tasks =
      '- { id: t, instruction: x, calls: [{ hang: {} }] }\n- { id: u, instruction: x, calls: [{ add: { id: A } }] }';
    const { wrong, summary } = await checkBenchmark(
      writeBenchmark({ 'benchmark.ts': counter({ tools }), 'tasks.yaml': tasks }),
    );
    expect(wrong).toEqual([`task t: ${what}`]);
    expect(summary?.toolUse).toEqual({ hang: 1, add: 1 });
  });

  it.each(['process.exit(3);', 'await new Promise(() => undefined);'])('survives the definition %s', async (code) => {
    const folder = writeBenchmark({ 'benchmark.ts': code });
    expect((await checkBenchmark(folder)).problems).toEqual([
      `the benchmark in ${folder} cannot be loaded: it ends this program, or awaits what never comes.`,
    ]);
  });

  it('says why a folder cannot be used, every reason', async () => {
    const report = await checkBenchmark(writeBenchmark({ 'policy.md': null, 'tasks.yaml': '- { id: t }' }));
    expect(report).toMatchObject({ summary: null, wrong: [] });
    expect(report.problems.map((text) => text.replace(/^.*\//, ''))).toEqual([
      'policy.md is missing; write what the agent has to obey.',
      'tasks.yaml: the task t: instruction is missing.',
    ]);
  });
});
