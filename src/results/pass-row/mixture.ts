/**
 * What a row of pass^k says of the tasks: how many of them must have how many successes.
 *
 * With n trials a task, pass^k is the mean over tasks of C(c,k)/C(n,k), so a row is a mixture of the n + 1 rows that a
 * single task can have, c = 0 … n, weighted by the shares of tasks with c successes. A row that no weights give cannot
 * come from any data. Of a row p_1 … p_K the number of trials need not be known: C(c,k)/C(n,k) is the mean over all
 * choices of K of the n trials, so data of more trials give a mixture for n = K as well.
 */

import { solve } from 'yalps';
import { passHatOfTask } from '../pass-hat-k.ts';
import type { Bounds } from './figures.ts';

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
  /** How far the worst figure of it lies outside of its bounds; 0 where none does. */
  readonly excess: number;
  /** pass^1 … pass^K that the parts give. */
  readonly row: readonly number[];
}

/** The solver's figures are doubles, and its pivots lose a few digits of them. */
export const TOLERANCE = 1e-7;

/** How much more the excess weighs than the distance from the bounds' middle, which chooses among what has none. */
const WEIGHT = 1000;

/** By a linear program: the least excess over all shares. */
export function nearestMixture(bounds: readonly Bounds[], trials: number): Mixture {
  const constraints = new Map<string, { min?: number; max?: number; equal?: number }>([['all', { equal: 1 }]]);
  const excess = new Map([['cost', WEIGHT]]);
  const distance = new Map([['cost', 1]]);
  for (const { k, low, high } of bounds) {
    const middle = (low + high) / 2;
    constraints.set(`low ${String(k)}`, { min: low }).set(`high ${String(k)}`, { max: high });
    constraints.set(`below ${String(k)}`, { min: middle }).set(`above ${String(k)}`, { max: middle });
    excess.set(`low ${String(k)}`, 1).set(`high ${String(k)}`, -1);
    distance.set(`below ${String(k)}`, 1).set(`above ${String(k)}`, -1);
  }
  const variables = new Map<number | string, Map<string, number>>([
    ['excess', excess],
    ['distance', distance],
  ]);
  for (let successes = 0; successes <= trials; successes++) {
    const share = new Map([['all', 1]]);
    for (const { k } of bounds) {
      const value = passHatOfTask(successes, trials, k);
      for (const side of ['low', 'high', 'below', 'above']) share.set(`${side} ${String(k)}`, value);
    }
    variables.set(successes, share);
  }
  const found = solve({ direction: 'minimize', objective: 'cost', constraints, variables });
  if (found.status !== 'optimal') throw new Error(`the linear program of a row of pass^k ended ${found.status}`);
  const parts = partsOf(found.variables);
  const row = bounds.map(({ k }) =>
    parts.reduce((sum, { successes, amount }) => sum + amount * passHatOfTask(successes, trials, k), 0),
  );
  const least = found.variables.find(([name]) => name === 'excess')?.[1] ?? 0;
  return { parts, excess: least <= TOLERANCE ? 0 : least, row };
}

/** Of a solution's variables those that are numbers of successes. */
export function partsOf(variables: readonly (readonly [number | string, number])[]): Part[] {
  return variables
    .flatMap(([name, amount]) => (typeof name === 'string' || amount < 1e-9 ? [] : [{ successes: name, amount }]))
    .sort((a, b) => a.successes - b.successes);
}
