/** Takes the same actions here and in the reference, and tells the first difference. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { applyAction, openOverlay, dataHash, StepRaised, type EnvData } from '../../../src/benchmarks/index.ts';
import { dumpJson, parseJson, isDict, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { sha256 } from '../../benchmarks/helpers.ts';
import { idsOf, otherwise, sequences, type CallsOf } from './calls.ts';
import type { ReferenceProcess, ReferenceRun, ReferenceStep, SentAction } from './reference-process.ts';
import { airlineCalls } from './airline-calls.ts';
import { retailCalls } from './retail-calls.ts';

export const DOMAINS: ReadonlyMap<string, CallsOf> = new Map([
  ['retail', retailCalls],
  ['airline', airlineCalls],
]);

/** Users in a sample of the data: few, so that calls meet what earlier ones have written, and hashing is quick. */
const USERS = 5;

export interface Compared {
  readonly sequences: number;
  readonly steps: number;
}

/**
 * Compares so many random sequences, on a new sample of the checkout's data every 200.
 * @throws Error with the smallest differing sequence that was found, and the seed that leads to it
 */
export async function compareSequences(
  reference: ReferenceProcess,
  domain: string,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Compared> {
  const calls = DOMAINS.get(domain);
  if (calls === undefined) throw new Error(`no calls are made up for ${domain}`);
  const all = readTables(domain, calls);
  let compared: Compared = { sequences: 0, steps: 0 };
  for (let round = 0; compared.sequences < count; round++) {
    const userIds = idsOf(all, 'users');
    const drawn = Array.from({ length: USERS }, (_, at) => ((seed + round) * 7919 + at * 104_729) % userIds.length);
    const sample = calls.sample(
      all,
      drawn.map((at) => userIds[at] ?? ''),
    );
    // Every other round is on data that the reference does not have.
    const tables = round % 2 === 0 ? sample : otherwise(sample, seed + round);
    await reference.open(domain, dumpJson(tables));
    const numRuns = Math.min(200, count - compared.sequences);
    const data: EnvData = { domain, tables, terminateTools: [] };
    await fc.assert(
      fc.asyncProperty(sequences(calls, tables), async (actions) => {
        compared = { sequences: compared.sequences + 1, steps: compared.steps + actions.length };
        const expected = await reference.run(actions);
        const actual = run(data, actions);
        const found = firstDifference(actions, expected, actual);
        if (found !== null) throw new Error(found);
      }),
      { seed: seed + round, numRuns },
    );
  }
  return compared;
}

/** Compares sequences on all of the checkout's data, whose hash takes the reference a while. */
export async function compareOnAllData(
  reference: ReferenceProcess,
  domain: string,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Compared> {
  const calls = DOMAINS.get(domain);
  if (calls === undefined) throw new Error(`no calls are made up for ${domain}`);
  const tables = readTables(domain, calls);
  const data: EnvData = { domain, tables, terminateTools: [] };
  await reference.open(domain, null);
  let steps = 0;
  for (const actions of fc.sample(sequences(calls, tables), { seed, numRuns: count })) {
    const expected = await reference.run(actions);
    const actual = run(data, actions);
    if (firstDifference(actions, expected, actual) !== null) {
      throw new Error(`${JSON.stringify(actions)} differ on all data (seed ${String(seed)})`);
    }
    steps += actions.length;
  }
  return { sequences: count, steps };
}

/** Takes the actions in this environment, from fresh tables. */
export function run(data: EnvData, actions: readonly SentAction[]): ReferenceRun {
  const overlay = openOverlay(data);
  const steps = actions.map(({ name, kwargs }): ReferenceStep => {
    const parsed = parseJson(kwargs);
    if (!isDict(parsed)) throw new Error('arguments are an object');
    try {
      return { observation: applyAction(data, overlay, { name, kwargs: parsed }).observation };
    } catch (error) {
      if (error instanceof StepRaised) return { raised: error.type, message: error.message };
      throw error;
    }
  });
  return { steps, hash: dataHash(data, overlay, sha256) };
}

/** @returns the first difference, in lines; null where there is none */
export function firstDifference(
  actions: readonly SentAction[],
  expected: ReferenceRun,
  actual: ReferenceRun,
): string | null {
  const at = expected.steps.findIndex((step, index) => !isSame(step, actual.steps[index]));
  const step = expected.steps[at];
  if (step !== undefined) return difference(actions[at], step, actual.steps[at]);
  return actual.hash === expected.hash ? null : 'the data hashes differ';
}

/** The text of pydantic's exception names pydantic's version, so only its type is compared. */
function isSame(expected: ReferenceStep, actual: ReferenceStep | undefined): boolean {
  if (actual === undefined) return false;
  if ('raised' in expected) return 'raised' in actual && actual.raised === expected.raised;
  return 'observation' in actual && actual.observation === expected.observation;
}

function difference(
  action: SentAction | undefined,
  expected: ReferenceStep,
  actual: ReferenceStep | undefined,
): string {
  const lines = [action, expected, actual].map((part) => JSON.stringify(part));
  return `${String(lines[0])}\nreference: ${String(lines[1])}\nhere:      ${String(lines[2])}`;
}

function readTables(domain: string, calls: CallsOf): PyDict {
  return readTablesIn(join(process.env['TAU_BENCH_DIR'] ?? '', 'tau_bench/envs', domain, 'data'), calls);
}

/** @param folder with a file a table */
export function readTablesIn(folder: string, { tables }: CallsOf): PyDict {
  return new Map(
    tables.map((table) => [table, parseJson(readFileSync(join(folder, `${table}.json`), 'utf8'))] as const),
  );
}
