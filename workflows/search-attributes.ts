/**
 * The typed search attributes of sweeps and episodes.
 *
 * SQL visibility has columns for three Int, three Double and ten Keyword attributes in all; the set below takes two,
 * three and seven of them. `TauSweep` is on the sweep and on each of its episodes, so that one query finds both.
 */

import {
  defineSearchAttributeKey,
  SearchAttributeType,
  type SearchAttributePair,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import type { EpisodeKey, EvaluationConfig, ForkOrigin, RunRef } from '../src/wire/index.ts';

export const TauEnv = defineSearchAttributeKey('TauEnv', SearchAttributeType.KEYWORD);
export const TauStrategy = defineSearchAttributeKey('TauStrategy', SearchAttributeType.KEYWORD);
/** The agent's model as its provider names it. */
export const TauModel = defineSearchAttributeKey('TauModel', SearchAttributeType.KEYWORD);
/** The sweep's workflow id. */
export const TauSweep = defineSearchAttributeKey('TauSweep', SearchAttributeType.KEYWORD);
/** How an episode ended: an outcome's `kind`. */
export const TauOutcome = defineSearchAttributeKey('TauOutcome', SearchAttributeType.KEYWORD);
export const TauTask = defineSearchAttributeKey('TauTask', SearchAttributeType.INT);
/** Counts from 0. */
export const TauTrial = defineSearchAttributeKey('TauTrial', SearchAttributeType.INT);
export const TauReward = defineSearchAttributeKey('TauReward', SearchAttributeType.DOUBLE);
/** USD; absent when a price is unknown. */
export const TauCostUsd = defineSearchAttributeKey('TauCostUsd', SearchAttributeType.DOUBLE);

/** Of a fork: the workflow id of the episode that it was forked from. */
export const TauOrigin = defineSearchAttributeKey('TauOrigin', SearchAttributeType.KEYWORD);
/** Of a scheduled run: what its comparison with the run before has come to (`regression`, `improvement`, …). */
export const TauVerdict = defineSearchAttributeKey('TauVerdict', SearchAttributeType.KEYWORD);
/** Of a scheduled run: its average reward less that of the run before, paired over tasks. */
export const TauDelta = defineSearchAttributeKey('TauDelta', SearchAttributeType.DOUBLE);

/** The server's own, on what a schedule has started: the time that it was due. */
export const TemporalScheduledStartTime = defineSearchAttributeKey(
  'TemporalScheduledStartTime',
  SearchAttributeType.DATETIME,
);

/** All of them, as a server must know them before an episode starts. */
export const searchAttributeKeys = [
  TauEnv,
  TauStrategy,
  TauModel,
  TauSweep,
  TauOutcome,
  TauTask,
  TauTrial,
  TauReward,
  TauCostUsd,
  TauOrigin,
  TauVerdict,
  TauDelta,
] as const;

/**
 * What something has cost, to the millionth of a dollar: sums have digits beyond that nobody wants to read in a list.
 * @param costUsd null: a price is not known
 */
export function costAttribute(costUsd: number | null): SearchAttributeUpdatePair {
  return { key: TauCostUsd, value: costUsd === null ? null : Number(costUsd.toFixed(6)) };
}

/** What a sweep and its lanes are found by. */
export function sweepAttributes(run: RunRef, config: EvaluationConfig): SearchAttributePair[] {
  return [
    { key: TauEnv, value: config.env },
    { key: TauStrategy, value: config.strategy },
    { key: TauModel, value: config.agentModel.model },
    { key: TauSweep, value: run.runId },
  ];
}

/** What an episode is found by from its start; its results are added when it ends. */
export function episodeAttributes(run: RunRef, config: EvaluationConfig, episode: EpisodeKey): SearchAttributePair[] {
  return [
    ...sweepAttributes(run, config),
    { key: TauTask, value: episode.taskId },
    { key: TauTrial, value: episode.trial },
  ];
}

/** What a fork is found by: no sweep's, so that a run's own counts do not see it. */
export function forkAttributes(
  config: EvaluationConfig,
  episode: EpisodeKey,
  origin: ForkOrigin,
): SearchAttributePair[] {
  return [
    { key: TauEnv, value: config.env },
    { key: TauStrategy, value: config.strategy },
    { key: TauModel, value: config.agentModel.model },
    { key: TauTask, value: episode.taskId },
    { key: TauTrial, value: episode.trial },
    { key: TauOrigin, value: origin.workflowId },
  ];
}
