/**
 * What a row of pass^k says of the tasks: what shares of them must have how many successes.
 *
 * With n trials a task, pass^k is the mean over tasks of C(c,k)/C(n,k), so a row is a mixture of the n + 1 rows that a
 * single task can have, c = 0 … n, weighted by the shares of tasks with c successes. A row that no weights give cannot
 * come from any data. Of a row p_1 … p_K the number of trials need not be known: C(c,k)/C(n,k) is the mean over all
 * choices of K of the n trials, so data of more trials give a mixture for n = K as well.
 */

import { binomial, passHatOfTask } from '../metrics/index.ts';
import type { Bounds } from './figures.ts';
import { minimize, pivot, valueOf, type Tableau } from './simplex.ts';

/** What share, or how many, of the tasks have so many successes. */
export interface Part {
  readonly successes: number;
  readonly amount: number;
}

/** Data that give a row. */
export interface Example {
  readonly trials: number;
  /** Whether the parts are numbers of tasks; else they are shares of them. */
  readonly counted: boolean;
  /** From no success to all. */
  readonly parts: readonly Part[];
}

export interface Mixture {
  /** Shares of tasks that come nearest to the row, those above 0; from no success to all. */
  readonly parts: readonly Part[];
  /** How far the worst figure of it lies outside of its bounds; exactly 0 where none does. */
  readonly excess: number;
  /** pass^1 … pass^K that the parts give. */
  readonly row: readonly number[];
}

/**
 * By a linear program over the shares q_0 … q_n, Σq = 1: the least e with low_k − e ≤ Σ q_c·C(c,k)/C(n,k) ≤ high_k + e
 * for every k.
 */
export function nearestMixture(bounds: readonly Bounds[], trials: number): Mixture {
  const tableau = startingTableau(bounds, trials);
  minimize(tableau);
  const share = (column: number) => quotient(valueOf(tableau, column), tableau.divisor);
  const parts: Part[] = [];
  for (let successes = 0; successes <= trials; successes++) {
    const amount = share(successes);
    if (amount > 0) parts.push({ successes, amount });
  }
  const row = bounds.map(({ k }) =>
    parts.reduce((sum, { successes, amount }) => sum + amount * passHatOfTask(successes, trials, k), 0),
  );
  return { parts, excess: share(trials + 1), row };
}

/**
 * Columns: q_0 … q_n, e, for every k what is left to low_k and to high_k, the right side. Each inequality is multiplied by
 * C(n,k)·parts, which makes it whole. All tasks without success, q_0 = 1, is where to begin: with as much excess as the
 * largest low_k it breaks no bound.
 */
function startingTableau(bounds: readonly Bounds[], trials: number): Tableau {
  const excess = trials + 1;
  const width = trials + 2 + 2 * bounds.length + 1;
  const row = (entries: readonly (readonly [column: number, value: bigint])[]) => {
    const values = new Array<bigint>(width).fill(0n);
    for (const [column, value] of entries) values[column] = value;
    return values;
  };
  const all = Array.from({ length: trials + 1 }, (_, successes) => [successes, 1n] as const);
  const rows = [row([...all, [width - 1, 1n]])];
  const basis = [0];
  let [largest, largestAt] = [0, 0];
  bounds.forEach(({ k, low, high, parts }, index) => {
    const choices = binomial(trials, k);
    const passed = (sign: bigint) =>
      all.map(([successes]) => [successes, sign * parts * binomial(successes, k)] as const);
    const scale = parts * choices;
    const [below, above] = [excess + 1 + 2 * index, excess + 2 + 2 * index];
    if (Number(low) / Number(parts) > largest) [largest, largestAt] = [Number(low) / Number(parts), rows.length];
    rows.push(row([...passed(-1n), [excess, -scale], [below, 1n], [width - 1, -low * choices]]));
    rows.push(row([...passed(1n), [excess, -scale], [above, 1n], [width - 1, high * choices]]));
    basis.push(below, above);
  });
  const tableau: Tableau = { rows, objective: row([[excess, -1n]]), basis, divisor: 1n };
  if (largestAt > 0) pivot(tableau, largestAt, excess);
  return tableau;
}

/** Of whole numbers that may be too large for doubles. */
function quotient(a: bigint, b: bigint): number {
  const precision = 10n ** 18n;
  return Number((a * precision) / b) / Number(precision);
}
