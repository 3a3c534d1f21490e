/** Whether whole numbers of tasks can give a row of pass^k, where tasks and trials are known. */

import { solve } from 'yalps';
import { binomial } from '../pass-hat-k.ts';
import type { Bounds } from './figures.ts';
import { partsOf, TOLERANCE, type Part } from './mixture.ts';

export type WholeTasks =
  | { readonly kind: 'found'; readonly parts: readonly Part[] }
  /** No counts of tasks give the row; `k` is of a figure that cannot stand even alone, or null. */
  | { readonly kind: 'none'; readonly k: number | null }
  /** Too many counts to go through. */
  | { readonly kind: 'unknown' };

/** Branches of the integer program: well under a second's work. */
const MOST_BRANCHES = 4000;
/** From here on C(n,k) has more digits than the solver keeps. */
const MOST_TRIALS = 20;

/**
 * By an integer program: counts N_c of tasks with c successes, ΣN_c = tasks, whose ΣN_c·C(c,k), a whole number, lies
 * within tasks·C(n,k)·[low, high] for every k.
 */
export function wholeTasks(bounds: readonly Bounds[], trials: number, tasks: number): WholeTasks {
  if (trials > MOST_TRIALS) return { kind: 'unknown' };
  const constraints = new Map<number, { min?: number; max?: number; equal?: number }>([[0, { equal: tasks }]]);
  for (const { k, low, high } of bounds) {
    const all = choices(k, trials, tasks);
    const [min, max] = [Math.ceil(all * (low - TOLERANCE)), Math.floor(all * (high + TOLERANCE))];
    if (min > max) return { kind: 'none', k };
    constraints.set(k, { min, max });
  }
  const variables = new Map<number, Map<number, number>>();
  for (let successes = 0; successes <= trials; successes++) {
    const passed = bounds.map(({ k }) => [k, Number(binomial(successes, k))] as const);
    variables.set(successes, new Map([[0, 1], ...passed]));
  }
  const found = solve({ constraints, variables, integers: true }, { maxIterations: MOST_BRANCHES });
  if (found.status === 'optimal') return { kind: 'found', parts: partsOf(found.variables) };
  return found.status === 'infeasible' ? { kind: 'none', k: null } : { kind: 'unknown' };
}

/** What pass^k is a share of: episodes for k = 1, else choices of k trials of a task. */
export function choices(k: number, trials: number, tasks: number): number {
  return tasks * Number(binomial(trials, k));
}
