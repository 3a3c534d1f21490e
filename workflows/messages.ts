/** The messages a sweep understands. Wrong requests are refused by the update's validator, with a reason. */

import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  JudgeProgress,
  HeldCall,
  HeldRelease,
  RetryRequest,
  SweepControl,
  SweepLimits,
  SweepProgress,
} from '../src/wire/index.ts';

export const progress = defineQuery<SweepProgress>('progress');
/** Of a judge. */
export const errorsProgress = defineQuery<JudgeProgress>('progress');

/** Opens no further episode; open ones go on to their end. */
export const pause = defineUpdate<void>('pause');
/** Where the sweep had paused itself for a provider's refusal, the episodes that have failed run again as well. */
export const resume = defineUpdate<void>('resume');
/** Changes what is named, all of it or nothing. A raised budget reopens a sweep that it has not ended yet. */
export const setLimits = defineUpdate<void, [limits: SweepLimits]>('setLimits');
/**
 * Runs episodes again, by another walk over the plan, which begins when those that are planned have ended. A record that
 * is replaced is kept aside with what it cost; that of a named episode is moved aside at once.
 * @returns how many episodes will run again; of `failed` ones, those that are in the run log by now
 */
export const retry = defineUpdate<number, [episodes: RetryRequest]>('retry');
/** Raises the trials per task, at once in `run.json`; what is missing runs when those that are planned have ended. */
export const extend = defineUpdate<void, [numTrials: number]>('extend');
/** What {@link setLimits} has replaced; clients of before ask for it. */
export const setConcurrency = defineUpdate<void, [maxConcurrency: number]>('setConcurrency');

/** How a sweep tells its lanes. */
export const control = defineSignal<[SweepControl]>('control');
/** How a lane that has paused itself for a provider's refusal tells its sweep. */
export const halted = defineSignal<[lane: string, reason: string]>('halted');

/** Reports to a sweep that a model call of its episode has failed and waits. */
export const callHeld = defineSignal<[HeldCall]>('callHeld');
/** Reports to a sweep that a held call was answered. */
export const callAnswered = defineSignal<[Pick<HeldCall, 'episode' | 'call' | 'provider'>]>('callAnswered');
/** Has an episode make a held call again, or end with its failure. */
export const releaseCall = defineSignal<[HeldRelease]>('releaseCall');
