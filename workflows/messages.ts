/** Messages of sweeps, judges and episodes. An update's validator rejects wrong requests with the reason. */

import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { HumanAnswer, SpokenConversation, OpenAction, OutsideObservation } from '../src/episode/index.ts';
import type {
  EpisodeQueries,
  ModelCallRequest,
  RecordedResult,
  RefusedCall,
  ToolCallRequest,
} from '../src/agent-service/pure.ts';
import type {
  JudgeProgress,
  HeldCall,
  HeldRelease,
  RetryRequest,
  SweepControl,
  SweepLimits,
  SweepProgress,
} from '../src/evaluation/index.ts';

export const progress = defineQuery<SweepProgress>('progress');
export const errorsProgress = defineQuery<JudgeProgress>('progress');

/** Pauses a sweep: it opens no further episodes, and open ones run to their end. */
export const pause = defineUpdate<void>('pause');
/** Continues a sweep; if it had paused itself for a provider's error, the failed episodes run again as well. */
export const resume = defineUpdate<void>('resume');
/**
 * Changes the named limits, all of them or none. If a sweep has stopped for its budget but not yet ended, a raised
 * budget lets it continue.
 */
export const setLimits = defineUpdate<void, [limits: SweepLimits]>('setLimits');
/**
 * Runs episodes again, in another pass over the plan after the planned ones have ended. A replaced record is archived
 * with its cost; the record of a named episode is archived at once.
 * @returns the number of episodes that will run again; for `failed`, of those that the run log has by now
 */
export const retry = defineUpdate<number, [episodes: RetryRequest]>('retry');
/**
 * Raises the number of trials per task, at once in `run.json`. The missing episodes run after the planned ones have
 * ended.
 */
export const extend = defineUpdate<void, [numTrials: number]>('extend');

/** Passes a sweep's settings on to its lanes. */
export const control = defineSignal<[SweepControl]>('control');
/** Reports to a sweep that a lane has paused itself for a provider's error. */
export const halted = defineSignal<[lane: string, reason: string]>('halted');

/** Reports to a sweep that a model call of its episode has failed and waits. */
export const callHeld = defineSignal<[HeldCall]>('callHeld');
/** Reports to a sweep that a held call was answered. */
export const callAnswered = defineSignal<[Pick<HeldCall, 'episode' | 'call' | 'provider'>]>('callAnswered');
/** Has an episode make a held call again, or end with its failure. */
export const releaseCall = defineSignal<[HeldRelease]>('releaseCall');

/** Conversation of an episode whose user is human, with the question that waits for an answer. */
export const conversation = defineQuery<SpokenConversation>('conversation');
/** Answer of the human user. The update's validator rejects wrong ones. */
export const answer = defineUpdate<void, [answer: HumanAnswer]>('answer');

/** The action that waits for an outside harness; null while the agent works, and when the episode has ended. */
export const openAction = defineQuery<OpenAction | null>('openAction');
/** Observation of an outside harness. The update's validator rejects wrong ones. */
export const observe = defineUpdate<void, [observation: OutsideObservation]>('observe');

/** Tool call of an agent that is a service. */
export const toolCall = defineUpdate<RecordedResult | RefusedCall, [call: ToolCallRequest]>('toolCall');
/** Model call of an agent that is a service, through the worker's gateway. */
export const modelCall = defineUpdate<RecordedResult | RefusedCall, [call: ModelCallRequest]>('modelCall');
export const callResult = defineQuery<EpisodeQueries['callResult'], [name: string]>('callResult');
export const callTranscript = defineQuery<EpisodeQueries['callTranscript'], [call: string]>('callTranscript');
