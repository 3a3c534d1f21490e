/** Benchmarks in folders, written for a test. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A benchmark with a counter; `tools` and `rest` are code. */
export function counter({ tools = '', rest = '' }: { readonly tools?: string; readonly rest?: string } = {}): string {
  return `
    import { defineBenchmark, z } from 'tauflow/benchmark';
    interface State { counters: Record<string, { value: number; note?: string }> }
    export default defineBenchmark({
      name: 'counter',
      tools: {
        add: {
          description: 'Adds to a counter.',
          parameters: z.object({ id: z.string(), by: z.int().default(1) }),
          run(state: State, { id, by }) {
            const counter = state.counters[id];
            if (counter === undefined) throw new Error('there is no counter ' + id);
            counter.value += by;
            return counter.value;
          },
        },
        ${tools}
      },
      ${rest}
    });`;
}

const TASKS = `
- id: two
  instruction: You want A to be two.
  calls: [{ add: { id: A, by: 2 } }]
`;

/** Writes a folder. @param files in place of the usual ones; null leaves one out */
export function writeBenchmark(files: Readonly<Record<string, string | null>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'own-benchmark-'));
  const usual = {
    'benchmark.ts': counter(),
    'policy.md': 'Count.',
    'data/counters.json': '{"A": {"value": 0}}',
    'tasks.yaml': TASKS,
  };
  for (const [name, text] of Object.entries({ ...usual, ...files })) {
    if (text === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
