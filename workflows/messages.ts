/** The messages a sweep understands. Wrong requests are refused by the update's validator, with a reason. */

import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RetryRequest, SweepControl, SweepLimits, SweepProgress } from '../src/wire/sweep.ts';

export const progress = defineQuery<SweepProgress>('progress');

/** Opens no further episode; open ones go on to their end. */
export const pause = defineUpdate<void>('pause');
export const resume = defineUpdate<void>('resume');
/** Changes what is named, all of it or nothing. */
export const setLimits = defineUpdate<void, [limits: SweepLimits]>('setLimits');
/**
 * Runs episodes again, when those that are planned have been opened. A record that is replaced is kept aside with what
 * it cost.
 * @returns how many episodes will run again
 */
export const retry = defineUpdate<number, [episodes: RetryRequest]>('retry');
/** Raises the trials per task; what is missing runs when those that are planned have been opened. */
export const extend = defineUpdate<void, [numTrials: number]>('extend');
/** What {@link setLimits} has replaced; clients of before ask for it. */
export const setConcurrency = defineUpdate<void, [maxConcurrency: number]>('setConcurrency');

/** How a sweep tells its lanes. */
export const control = defineSignal<[SweepControl]>('control');
