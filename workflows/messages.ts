/** The messages a sweep understands. Wrong requests are refused by the update's validator, with a reason. */

import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { SweepControl, SweepProgress } from '../src/wire/sweep.ts';

export const progress = defineQuery<SweepProgress>('progress');

/** Opens no further episode; open ones go on to their end. */
export const pause = defineUpdate<void>('pause');
export const resume = defineUpdate<void>('resume');
export const setConcurrency = defineUpdate<void, [maxConcurrency: number]>('setConcurrency');

/** How a sweep tells its lanes. */
export const control = defineSignal<[SweepControl]>('control');
