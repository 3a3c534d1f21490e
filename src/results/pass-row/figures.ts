/** The figures of a published row, pass^1 first, as somebody typed or pasted them. Pure. */

import { ResultsError, ResultsProblem } from '../log/index.ts';

/** A published figure. */
export interface Figure {
  readonly k: number;
  /** As it was written. */
  readonly text: string;
  readonly isPercent: boolean;
  /** As a share of one, whatever was written. */
  readonly value: number;
  /** Value of its last digit, as a share of one; 0 for an exact figure. */
  readonly step: number;
  /** The same two without rounding, in parts of one: `value` is `exact.value / exact.parts`. */
  readonly exact: { readonly value: bigint; readonly step: bigint; readonly parts: bigint };
}

/** Range of the true figure, from `low / parts` to `high / parts`. */
export interface Bounds {
  readonly k: number;
  readonly low: bigint;
  readonly high: bigint;
  readonly parts: bigint;
}

/** Digits are lost by rounding, or by cutting them off; in one row always in the same way. */
export const SHORTENINGS = ['rounded', 'cut off'] as const;
export type Shortening = (typeof SHORTENINGS)[number];

export function boundsOf(figures: readonly Figure[], shortening: Shortening): Bounds[] {
  return figures.map(({ k, exact: { value, step, parts } }) => {
    const [low, high] = shortening === 'rounded' ? [value - step / 2n, value + step / 2n] : [value, value + step];
    return { k, low: low < 0n ? 0n : low, high: high > parts ? parts : high, parts };
  });
}

const NUMBER = /^(\d+(?:\.\d*)?|\.\d+)\s*(%?)$/;
/** Text in place of a missing figure. */
const MISSING = /^n\/?a$/i;
/** Further decimals are a double's noise. */
const MOST_DECIMALS = 9;

/**
 * Figures apart (`0.8347 0.714`, `83.47/71.40`) or a row of a Markdown table, whose cells up to the last one with a name
 * are left out. They are shares; or percent, where one has the sign or is above 1.
 *
 * @throws ResultsError (`malformed`) for what is no row of pass^1, pass^2, …
 */
export function readFigures(text: string): Figure[] {
  const cells = text.includes('|') ? cellsOfRow(text) : wordsOf(text);
  if (cells.length === 0) throw malformed('the row has no figure');
  const numbers = cells.map((cell, index) => {
    const match = NUMBER.exec(cell);
    if (match === null) throw malformed(`pass^${String(index + 1)} is “${cell}”, which is no share and no percentage`);
    return { digits: match[1] ?? '', hasSign: match[2] === '%' };
  });
  const isPercent = numbers.some(({ digits, hasSign }) => hasSign || Number(digits) > 1);
  const mostDecimals = Math.max(...numbers.map(({ digits }) => decimalsOf(digits).length));
  return numbers.map(({ digits }, index) => figureOf(index + 1, digits, isPercent, mostDecimals));
}

function figureOf(k: number, digits: string, isPercent: boolean, mostDecimals: number): Figure {
  const written = decimalsOf(digits).length;
  // Nobody rounds shares to 0 or 1: they have lost their zeros.
  const decimals = Math.min(MOST_DECIMALS, written === 0 && !isPercent ? mostDecimals : written);
  // Halves of the last digit that was written, so that half of one is whole too.
  const parts = 2n * 10n ** BigInt(Math.max(written, decimals)) * (isPercent ? 100n : 1n);
  const unit = isPercent ? 100 : 1;
  const value = (BigInt(digits.replace('.', '')) * parts) / (10n ** BigInt(written) * BigInt(unit));
  if (value > parts) throw malformed(`pass^${String(k)} is ${digits}, which is more than 100 %`);
  const step = decimals === 0 && !isPercent ? 0n : parts / (10n ** BigInt(decimals) * BigInt(unit));
  return {
    k,
    text: isPercent ? `${digits} %` : digits,
    isPercent,
    value: Number(digits) / unit,
    step: Number(step) / Number(parts),
    exact: { value, step, parts },
  };
}

function decimalsOf(digits: string): string {
  return digits.split('.')[1] ?? '';
}

function wordsOf(text: string): string[] {
  return text
    .replace(/(?<!\s)\s+%/g, '%')
    .split(/[\s,;/]+/)
    .filter((word) => word !== '');
}

function cellsOfRow(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.replace(/[*_`]/g, '').trim());
  return cells.slice(cells.findLastIndex((cell) => /\p{Letter}/u.test(cell) && !MISSING.test(cell)) + 1);
}

function malformed(what: string): ResultsError {
  const message = `${what}; give pass^1, pass^2, … in this order, such as 0.83 0.71 0.53`;
  return new ResultsError(ResultsProblem.Malformed, message);
}
