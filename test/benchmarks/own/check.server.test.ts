/** `tauflow benchmark check`: what is wrong with tasks and tools. */

import { describe, expect, it } from 'vitest';

import { checkBenchmark } from '../../../src/benchmarks/own/check.ts';
import { counter, writeBenchmark } from './folders.ts';

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
      'const kept = []; for (;;) kept.push(new Array(10_000).fill(0.5));',
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

  it('survives a definition that ends its process', async () => {
    const folder = writeBenchmark({ 'benchmark.ts': 'process.exit(3);' });
    expect((await checkBenchmark(folder)).problems).toEqual([
      `the benchmark in ${folder} cannot be loaded: it ends this program.`,
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
