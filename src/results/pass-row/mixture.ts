/**
 * Finds the shares, or whole numbers, of tasks by number of successes that give a row of pass^k. Pure.
 *
 * With n trials a task, pass^k is the mean over tasks of C(c,k)/C(n,k), so a row is a mixture of the n + 1 rows that a
 * single task can have, c = 0 … n, weighted by the shares of tasks with c successes. A row that no weights give cannot
 * come from any data. Of a row p_1 … p_K the number of trials need not be known: C(c,k)/C(n,k) is the mean over all
 * choices of K of the n trials, so data of more trials give a mixture for n = K as well.
 */

import { binomial, passHatOfTask } from '../metrics/index.ts';
import type { Bounds, Figure } from './figures.ts';

/** Share or number of the tasks with so many successes. */
export interface Part {
  readonly successes: number;
  readonly amount: number;
}

/** Data that give a row. */
export interface Example {
  readonly trials: number;
  /** True if the parts are numbers of tasks; else they are shares of them. */
  readonly counted: boolean;
  /** From no success to all. */
  readonly parts: readonly Part[];
}

export interface Mixture {
  /** Shares of tasks that come nearest to the row, those above 0; from no success to all. */
  readonly parts: readonly Part[];
  /** Distance of its worst figure from its bounds; exactly 0 if all are within. */
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

/**
 * The share of tasks with so many of K successes: share_j = C(K,j)·Σ_i (−1)^i·C(K−j,i)·p_{j+i} with p_0 = 1 (inclusion
 * and exclusion of the K − j trials that fail).
 *
 * @returns `value` of the figures as printed; `high`, what it is at most, however they were shortened
 */
export function shareOfTasks(figures: readonly Figure[], successes: number): { value: number; high: number } {
  const most = figures.length;
  let [value, high] = [0, 0];
  for (let i = 0; successes + i <= most; i++) {
    const figure = figures[successes + i - 1] ?? { value: 1, step: 0 };
    const factor = Number(binomial(most, successes) * binomial(most - successes, i));
    const isAdded = i % 2 === 0;
    value += isAdded ? factor * figure.value : -factor * figure.value;
    high += isAdded ? factor * (figure.value + figure.step) : -factor * (figure.value - figure.step / 2);
  }
  return { value, high };
}

/** From no success to all; null where the figures as printed leave less than none of some. */
export function sharesAsPrinted(figures: readonly Figure[]): Part[] | null {
  // Below this it is rounding of doubles.
  const none = 1e-9;
  const parts: Part[] = [];
  for (let successes = 0; successes <= figures.length; successes++) {
    const amount = shareOfTasks(figures, successes).value;
    if (amount < -none) return null;
    if (amount > none) parts.push({ successes, amount });
  }
  return parts;
}

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

/** Minimum and maximum of the rest of ΣN_c·C(c,k), by k, from 0 (the tasks) on. */
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
    const limits = rest.most.map((value, k) => (k <= successes ? Math.floor(value / (each[k] ?? 1)) : Infinity));
    // Of the tasks that are left only these have a choice of k = c trials that all succeed.
    const needed = Math.max(0, rest.least[successes] ?? 0);
    for (let count = Math.min(...limits); count >= needed; count--) {
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

/** Denominator of pass^k: episodes for k = 1, else choices of k trials of a task. */
export function choices(k: number, trials: number, tasks: number): number {
  return tasks * Number(binomial(trials, k));
}

export /**
 * A tableau of the simplex method in whole numbers, so that what it finds impossible is proven to be. (Solvers in floating
 * point called rows impossible that came from data: the counts of choices differ by orders of magnitude.)
 *
 * Integer pivoting (Edmonds 1967; Bareiss, Mathematics of Computation 22, 1968): the numbers stand for themselves divided
 * by the last pivot, and the division in a pivot has no remainder. Bland's rule (Mathematics of Operations Research 2,
 * 1977) prevents cycles.
 */
interface Tableau {
  /** Rows of a system of equations; the last column is the right side. */
  readonly rows: bigint[][];
  /** The coefficients of what is to be least, with an opposite sign, and 0. */
  readonly objective: bigint[];
  /** For each row its basic variable: a column that is 1 there and 0 in all other rows. */
  readonly basis: number[];
  /** The last pivot. */
  divisor: bigint;
}

/** Makes a variable basic in a row. */
export function pivot(tableau: Tableau, row: number, column: number): void {
  const { rows, objective, basis, divisor } = tableau;
  const pivotRow = rows[row] ?? [];
  // A negative pivot would turn the signs of all rows.
  if (at(pivotRow, column) < 0n) pivotRow.forEach((value, index) => (pivotRow[index] = -value));
  const factor = at(pivotRow, column);
  for (const other of [...rows, objective]) {
    if (other === pivotRow) continue;
    const share = at(other, column);
    other.forEach((value, index) => (other[index] = (value * factor - share * at(pivotRow, index)) / divisor));
  }
  basis[row] = column;
  tableau.divisor = factor;
}

/** Makes the objective least, from a basis whose right sides are not negative. It must be bounded below. */
export function minimize(tableau: Tableau): void {
  const { rows, objective, basis } = tableau;
  for (;;) {
    const entering = objective.findIndex((value, column) => value > 0n && column < objective.length - 1);
    if (entering < 0) return;
    let leaving = -1;
    rows.forEach((row, index) => {
      if (at(row, entering) <= 0n) return;
      const best = rows[leaving];
      const [mine, others] =
        best === undefined
          ? [0n, 1n]
          : [at(row, row.length - 1) * at(best, entering), at(best, best.length - 1) * at(row, entering)];
      if (mine < others || (mine === others && (basis[index] ?? 0) < (basis[leaving] ?? 0))) leaving = index;
    });
    if (leaving < 0) throw new RangeError('the objective is not bounded');
    pivot(tableau, leaving, entering);
  }
}

/** The value of a variable, as a fraction of {@link Tableau.divisor}. */
export function valueOf({ rows, basis }: Tableau, column: number): bigint {
  const row = rows[basis.indexOf(column)];
  return row === undefined ? 0n : at(row, row.length - 1);
}

function at(values: readonly bigint[], index: number): bigint {
  return values[index] ?? 0n;
}
