/** With as many trials as figures, K, a row fixes the shares of tasks by its figures. Pure. */

import { binomial } from '../metrics/index.ts';
import type { Figure } from './figures.ts';
import type { Part } from './mixture.ts';

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
