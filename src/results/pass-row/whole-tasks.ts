/** Whether whole numbers of tasks can give a row of pass^k, where tasks and trials are known. */

import { binomial } from '../metrics/index.ts';
import type { Bounds } from './figures.ts';
import type { Part } from './mixture.ts';

export type WholeTasks =
  | { readonly kind: 'found'; readonly parts: readonly Part[] }
  /** No counts of tasks give the row; `k` is of a figure that cannot stand even alone, or null. */
  | { readonly kind: 'none'; readonly k: number | null }
  /** Too many counts to go through. */
  | { readonly kind: 'unknown' };

/** Counts that are looked at: a fraction of a second. */
const MOST_STEPS = 200_000;
/** From here on counts of choices over many tasks are no exact doubles any more. */
const MOST_TRIALS = 20;

/** What is still to be had of ΣN_c·C(c,k), at least and at most; by k, from 0 (the tasks) on. */
interface Rest {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

/**
 * Goes through counts N_c of tasks with c successes, from c = n down, ΣN_c = tasks, for which ΣN_c·C(c,k), a whole number,
 * lies within tasks·C(n,k)·[low, high] for every k. With as many figures as trials each count leaves next to no choice.
 */
export function wholeTasks(bounds: readonly Bounds[], trials: number, tasks: number): WholeTasks {
  if (trials > MOST_TRIALS) return { kind: 'unknown' };
  const [least, most] = [[tasks], [tasks]];
  for (const { k, low, high, parts } of bounds) {
    const all = BigInt(tasks) * binomial(trials, k);
    const [from, to] = [Number((low * all + parts - 1n) / parts), Number((high * all) / parts)];
    if (from > to) return { kind: 'none', k };
    least.push(from);
    most.push(to);
  }
  let steps = 0;
  const parts: Part[] = [];
  const search = (successes: number, rest: Rest): boolean => {
    if (successes < 0) return rest.least.every((value) => value <= 0) && rest.most.every((value) => value >= 0);
    const each = rest.least.map((_, k) => Number(binomial(successes, k)));
    const room = rest.most.map((value, k) => (k <= successes ? Math.floor(value / (each[k] ?? 1)) : Infinity));
    // Of the tasks that are left only these have a choice of k = c trials that all succeed.
    const needed = Math.max(0, rest.least[successes] ?? 0);
    for (let count = Math.min(...room); count >= needed; count--) {
      if (++steps > MOST_STEPS) return false;
      const next = {
        least: rest.least.map((value, k) => value - count * (each[k] ?? 0)),
        most: rest.most.map((value, k) => value - count * (each[k] ?? 0)),
      };
      if (!isWithinReach(next, successes - 1) || !search(successes - 1, next)) continue;
      if (count > 0) parts.push({ successes, amount: count });
      return true;
    }
    return false;
  };
  if (search(trials, { least, most })) return { kind: 'found', parts };
  return steps > MOST_STEPS ? { kind: 'unknown' } : { kind: 'none', k: null };
}

/**
 * Whether tasks with at most m successes may still give the rest. For c ≤ m, C(c,k+1) = C(c,k)·(c−k)/(k+1) is at most
 * C(c,k)·(m−k)/(k+1), and so are the sums over tasks.
 */
function isWithinReach({ least, most }: Rest, m: number): boolean {
  let reach = most[0] ?? 0;
  for (let k = 0; k < most.length; k++) {
    if (k > 0) reach = Math.min(most[k] ?? 0, (reach * Math.max(0, m - k + 1)) / k);
    // Reach is a quotient: a little more than it only costs steps.
    if (reach + 1e-6 < Math.max(0, least[k] ?? 0)) return false;
  }
  return true;
}

/** What pass^k is a share of: episodes for k = 1, else choices of k trials of a task. */
export function choices(k: number, trials: number, tasks: number): number {
  return tasks * Number(binomial(trials, k));
}
