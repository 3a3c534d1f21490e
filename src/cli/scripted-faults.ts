/** `--faults 429=0.05,500=0.02,arguments=0.01`: the faults that the scripted model injects. */

import { checkFaultRates, type FaultRates } from '../scripted-model/faults.ts';
import { UsageError } from '../errors/index.ts';

const KINDS = {
  '429': 'rateLimit',
  '500': 'serverError',
  reset: 'reset',
  hang: 'hang',
  malformed: 'malformedBody',
  arguments: 'malformedArguments',
} as const satisfies Record<string, keyof FaultRates>;

/** @throws UsageError for an unknown fault, a rate that is no share, or rates that add up to more than all */
export function parseFaults(text: string | undefined): FaultRates | undefined {
  if (text === undefined || text === '') return undefined;
  const rates: Partial<Record<keyof FaultRates, number>> = {};
  for (const item of text.split(',')) {
    const [kind = '', rate = ''] = item.trim().split('=');
    const share = Number(rate);
    if (!Object.hasOwn(KINDS, kind) || rate === '' || !(share >= 0 && share <= 1)) {
      throw new UsageError(
        `"${item}" is no fault rate; give pairs such as 429=0.05 of ${Object.keys(KINDS).join(', ')} and a share from 0 to 1.`,
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
