/**
 * Prints how the port and the original plan the same command texts, way by way of writing them:
 * `node --import tsx test/conformance/original/main.ts PYTHON RETAIL_PACK`. The interpreter has fastworkflow.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { catalogueOf } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { listCommands } from '../../../src/agents/fastworkflow/testing.ts';
import { plan } from '../../../src/agents/fastworkflow/public.ts';
import { dumpJson, parseJson, type PyDict } from '../../../src/benchmarks/python/index.ts';
import type { Action } from '../../../src/benchmarks/index.ts';
import { readPack } from '../../../src/benchmarks/testing.ts';
import { WAYS } from './texts.ts';

/** Different calls of each tool. */
const CALLS = 2;
const catalogue = catalogueOf('retail');

const [python = 'python3', folder = ''] = process.argv.slice(2);
const pack = await readPack(folder);
const calls = chooseCalls(
  Object.values(pack.splits)
    .flat()
    .flatMap(({ actions }) => actions),
);
const cases = Object.entries(WAYS).flatMap(([way, write]) => calls.map((call) => ({ way, call, text: write(call) })));

const outcomesSchema = z.array(
  z.union([
    z.strictObject({ plan: z.tuple([z.string(), z.record(z.string(), z.unknown())]) }),
    z.strictObject({ text: z.string() }),
    z.strictObject({ model: z.string() }),
    z.strictObject({ intent: z.literal(true) }),
  ]),
);
type Original = z.infer<typeof outcomesSchema>[number];

const adapter = fileURLToPath(new URL('../../../adapters/fastworkflow/', import.meta.url));
const { stdout, stderr, status } = spawnSync(python, [fileURLToPath(new URL('plan.py', import.meta.url))], {
  input: JSON.stringify(cases.map(({ text }) => text)),
  env: { ...process.env, PYTHONPATH: adapter, PYTHONDONTWRITEBYTECODE: '1' },
  encoding: 'utf8',
  maxBuffer: 1e8,
});
if (status !== 0) throw new Error(stderr.slice(-2000));
const originals = outcomesSchema.parse(JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('[')) ?? ''));

const COLUMNS = [
  'same plan',
  'no plan in either',
  'intent model, port plans',
  'intent model, port asks',
  'only the port plans',
  'only the original plans',
  'other plan',
] as const;
console.log(
  `| a command | texts | ${COLUMNS.join(' | ')} |\n| --- | ---: | ${COLUMNS.map(() => '---:').join(' | ')} |`,
);
for (const way of [...Object.keys(WAYS), 'all']) {
  const found = cases.flatMap((one, at) => (way === 'all' || one.way === way ? [verdict(one, originals[at])] : []));
  console.log(
    `| ${way} | ${String(found.length)} | ${COLUMNS.map((column) => String(found.filter((one) => one === column).length)).join(' | ')} |`,
  );
}

function verdict({ call, text }: (typeof cases)[number], original: Original | undefined): (typeof COLUMNS)[number] {
  if (original === undefined) throw new Error(`no outcome of ${text}`);
  const ours = planOf(text);
  if ('intent' in original) {
    if (ours === undefined) return 'intent model, port asks';
    return ours.startsWith(`["${call.name}"`) ? 'intent model, port plans' : 'other plan';
  }
  const theirs =
    'plan' in original
      ? dumpJson(sorted(original.plan[0], parseJson(JSON.stringify(original.plan[1])) as PyDict))
      : undefined;
  if (ours === theirs) return ours === undefined ? 'no plan in either' : 'same plan';
  if (theirs === undefined) return 'only the port plans';
  return ours === undefined ? 'only the original plans' : 'other plan';
}

/** The port's plan, where it needs no model for it. */
function planOf(text: string): string | undefined {
  if (listCommands(catalogue, text).length > 1) return undefined;
  const planned = plan(catalogue, text);
  return planned.kind === 'plan' ? dumpJson(sorted(planned.commandName, planned.cmdParameters)) : undefined;
}

function sorted(name: string, kwargs: PyDict) {
  return [name, new Map([...kwargs].sort(([a], [b]) => (a < b ? -1 : 1)))];
}

function chooseCalls(actions: readonly Action[]): Action[] {
  const chosen = new Map<string, Action[]>();
  for (const action of actions) {
    const same = chosen.get(action.name) ?? [];
    if (catalogue.find(action.name) !== undefined && same.length < CALLS) chosen.set(action.name, [...same, action]);
  }
  return [...chosen.values()].flat();
}
