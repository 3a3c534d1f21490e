/** Values of flags that several commands have: whole numbers, fault rates. */

import { UsageError } from '../errors/index.ts';
import { checkFaultRates, type FaultRates } from '../scripted-model/faults.ts';

/** Descriptions of `--log-dir` for commands that read an object store too. */
export const RUN_LOG_PLACE = 'where the run log is, also s3://bucket/prefix';
export const RUN_LOGS_PLACE = 'where the run logs are, also s3://bucket/prefix';

/** Parses a whole number. @throws UsageError for anything but digits, or a number out of bounds */
export function parseWholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
}

const KINDS = {
  '429': 'rateLimit',
  '500': 'serverError',
  reset: 'reset',
  hang: 'hang',
  malformed: 'malformedBody',
  arguments: 'malformedArguments',
} as const satisfies Record<string, keyof FaultRates>;

/** Parses fault rates. @throws UsageError for an unknown fault, a rate outside 0 to 1, or rates whose sum exceeds 1 */
export function parseFaults(text: string | undefined): FaultRates | undefined {
  if (text === undefined || text === '') return undefined;
  const rates: Partial<Record<keyof FaultRates, number>> = {};
  for (const item of text.split(',')) {
    const [kind = '', rate = ''] = item.trim().split('=');
    const share = Number(rate);
    if (!Object.hasOwn(KINDS, kind) || rate === '' || !(share >= 0 && share <= 1)) {
      throw new UsageError(
        `"${item}" is not a fault rate; give pairs such as 429=0.05 of ${Object.keys(KINDS).join(', ')} and a share from 0 to 1.`,
      );
    }
    rates[KINDS[kind as keyof typeof KINDS]] = share;
  }
  try {
    checkFaultRates(rates);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
  return rates;
}
