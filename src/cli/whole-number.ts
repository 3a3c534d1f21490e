/** A flag's whole number, as a person writes it. */

import { UsageError } from '../errors/index.ts';

/** @throws UsageError for anything else than digits, and for numbers out of bounds */
export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
}
