/** Times functions against each other: in turns, so that a busy moment of the machine meets all of them. */

import { performance } from 'node:perf_hooks';
import { median } from './figures.ts';

export interface Contender {
  /** Does the work once; what it returns is kept from being optimised away. */
  readonly run: () => unknown;
  /** Units of work of one run. @default 1 */
  readonly units?: number;
}

/** A round of one contender lasts at least this long, where a single run does not last longer. */
const ROUND_MS = 25;

/** @returns milliseconds per unit of work, the median of the rounds, by contender */
export function race<Name extends string>(contenders: Record<Name, Contender>, rounds: number): Record<Name, number> {
  const names = Object.keys(contenders) as Name[];
  const runs = new Map(names.map((name) => [name, runsPerRound(contenders[name])]));
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const repeat = runs.get(name) ?? 1;
      times.get(name)?.push(timeOf(contenders[name], repeat) / (repeat * (contenders[name].units ?? 1)));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

/** Warms the function up as well. */
function runsPerRound(contender: Contender): number {
  let repeat = 1;
  for (;;) {
    const took = timeOf(contender, repeat);
    if (took >= ROUND_MS) return repeat;
    repeat = Math.max(repeat * 2, Math.ceil((repeat * ROUND_MS) / Math.max(took, 0.1) / 4));
  }
}

/** Keeps results, so that the work is not optimized away. */
const sink: { last?: unknown } = {};

function timeOf({ run }: Contender, repeat: number): number {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) sink.last = run();
  return performance.now() - start;
}
