/**
 * Compares this environment with the Python reference on random input, for as long as one likes:
 *
 *     TAU_BENCH_DIR=… npx tsx test/conformance/differential/main.ts [--seed 1] [--sequences 2000] [--texts 20000]
 *
 * Ends with exit code 1 at the first difference, which it shows with the seed that leads to it.
 */

import { parseArgs } from 'node:util';
import { compareOnAllData, compareSequences, DOMAINS } from './compare.ts';
import { compareExpressions, compareTexts, READINGS } from './compare-texts.ts';
import { ReferenceProcess, whyNoReference } from './reference-process.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sequences: { type: 'string', default: '2000' },
    'all-data': { type: 'string', default: '20' },
    texts: { type: 'string', default: '20000' },
  },
});
const seed = Number(values.seed);

async function compareEverything(reference: ReferenceProcess): Promise<void> {
  for (const domain of DOMAINS.keys()) {
    const small = await compareSequences(reference, domain, { seed, count: Number(values.sequences) });
    tell(`${domain}: ${String(small.sequences)} sequences of ${String(small.steps)} calls, on samples of the data`);
    const all = await compareOnAllData(reference, domain, { seed, count: Number(values['all-data']) });
    tell(`${domain}: ${String(all.sequences)} sequences of ${String(all.steps)} calls, on all data`);
  }
  const texts = { seed, count: Number(values.texts) };
  tell(`calculate: ${String(await compareExpressions(reference, texts))} expressions`);
  for (const name of READINGS.keys()) tell(`${name}: ${String(await compareTexts(reference, name, texts))} texts`);
}

function tell(line: string): void {
  process.stdout.write(`${line}, all equal\n`);
}

const reason = whyNoReference();
if (reason !== null) {
  process.stderr.write(`There is nothing to compare with: ${reason}.\n`);
  process.exitCode = 2;
} else {
  const reference = new ReferenceProcess();
  try {
    await compareEverything(reference);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    reference.end();
  }
}
