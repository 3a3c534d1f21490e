/**
 * Search attributes of workflows, and the options that a sweep is started with.
 *
 * SQL visibility has columns for three Int, three Double and ten Keyword attributes in all; the set below takes two,
 * three and eight of them. `TauSweep` is on the sweep and on each of its episodes, so that one query finds both.
 */

import {
  SearchAttributeType,
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import { BASE } from '../src/benchmarks/pure.ts';
import { startDetails } from '../src/orchestration/index.ts';
import {
  NO_MODEL,
  WORKFLOW_VERSION,
  describeUser,
  formatModel,
  summarizeAgent,
  type EpisodeKey,
  type EvaluationConfig,
  type RunRef,
  type SweepInput,
} from '../src/evaluation/index.ts';
import type { ForkOrigin } from '../src/episode/index.ts';

export const TauEnv = defineSearchAttributeKey('TauEnv', SearchAttributeType.KEYWORD);
export const TauStrategy = defineSearchAttributeKey('TauStrategy', SearchAttributeType.KEYWORD);
/** The agent's model as its provider names it. */
export const TauModel = defineSearchAttributeKey('TauModel', SearchAttributeType.KEYWORD);
/** The sweep's workflow id. */
export const TauSweep = defineSearchAttributeKey('TauSweep', SearchAttributeType.KEYWORD);
/** Outcome of an episode: its `kind`. */
export const TauOutcome = defineSearchAttributeKey('TauOutcome', SearchAttributeType.KEYWORD);
export const TauTask = defineSearchAttributeKey('TauTask', SearchAttributeType.INT);
/** Trial of an episode, from 0. */
const TauTrial = defineSearchAttributeKey('TauTrial', SearchAttributeType.INT);
/** `base` or the name of a condition; absent for episodes of runs without conditions. */
const TauCondition = defineSearchAttributeKey('TauCondition', SearchAttributeType.KEYWORD);
export const TauReward = defineSearchAttributeKey('TauReward', SearchAttributeType.DOUBLE);
/** Cost in USD; absent if a price is unknown. */
export const TauCostUsd = defineSearchAttributeKey('TauCostUsd', SearchAttributeType.DOUBLE);

/** Workflow id of the episode that a fork was made from. */
export const TauOrigin = defineSearchAttributeKey('TauOrigin', SearchAttributeType.KEYWORD);
/** Comparison of a scheduled run with the run before (`regression`, `improvement`, …). */
export const TauVerdict = defineSearchAttributeKey('TauVerdict', SearchAttributeType.KEYWORD);
/** Average reward of a scheduled run less that of the run before, paired over tasks. */
export const TauDelta = defineSearchAttributeKey('TauDelta', SearchAttributeType.DOUBLE);

/** Time at which a workflow of a schedule was due; the server sets it. */
export const TemporalScheduledStartTime = defineSearchAttributeKey(
  'TemporalScheduledStartTime',
  SearchAttributeType.DATETIME,
);

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
  TauCondition,
] as const;

/** Returns the search attributes that a server must know before an episode of the run starts. */
export function attributeKeysOf({ conditions }: Partial<Pick<EvaluationConfig, 'conditions'>>) {
  return searchAttributeKeys.filter((key) => conditions !== undefined || key !== TauCondition);
}

/**
 * Rounds a cost to the millionth of a dollar, because sums have meaningless further digits.
 * @param costUsd null: a price is not known
 */
export function costAttribute(costUsd: number | null): SearchAttributeUpdatePair {
  return { key: TauCostUsd, value: costUsd === null ? null : Number(costUsd.toFixed(6)) };
}

/** Returns the attribute of the agent's model; none for an agent that calls its own models. */
function modelAttribute({ agentModel }: EvaluationConfig): SearchAttributePair[] {
  return agentModel === null ? [] : [{ key: TauModel, value: agentModel.model }];
}

/** Returns the search attributes of a sweep and its lanes. */
export function sweepAttributes(run: RunRef, config: EvaluationConfig): SearchAttributePair[] {
  return [
    { key: TauEnv, value: config.env },
    { key: TauStrategy, value: config.strategy },
    ...modelAttribute(config),
    { key: TauSweep, value: run.runId },
  ];
}

/** Returns the search attributes of an episode from its start; its results are added when it ends. */
export function episodeAttributes(run: RunRef, config: EvaluationConfig, episode: EpisodeKey): SearchAttributePair[] {
  return [...sweepAttributes(run, config), ...keyAttributes(config, episode)];
}

function keyAttributes(
  { conditions }: EvaluationConfig,
  { taskId, trial, condition = BASE }: EpisodeKey,
): SearchAttributePair[] {
  return [
    { key: TauTask, value: taskId },
    { key: TauTrial, value: trial },
    ...(conditions === undefined ? [] : [{ key: TauCondition, value: condition }]),
  ];
}

/** Returns the search attributes of a fork, without its sweep's, so that the run's own counts do not include it. */
export function forkAttributes(
  config: EvaluationConfig,
  episode: EpisodeKey,
  origin: ForkOrigin,
): SearchAttributePair[] {
  return [
    { key: TauEnv, value: config.env },
    { key: TauStrategy, value: config.strategy },
    ...modelAttribute(config),
    ...keyAttributes(config, episode),
    { key: TauOrigin, value: origin.workflowId },
  ];
}

/**
 * Time limit of a workflow task. A cold replay of a long sweep takes some seconds, and on a busy machine more than the
 * default of 10 s. If a worker is killed, its task waits this long.
 */
export const WORKFLOW_TASK_TIMEOUT = '30 seconds';

/** @param program the version of the program, for the sweep's memo */
export function sweepOptions(input: SweepInput, program?: string) {
  const { run, config, plan, indexed } = input;
  const under = plan.conditions === undefined ? '' : ` × ${plan.conditions.length + 1} conditions`;
  return {
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    staticSummary: `${summarizeAgent(config)}: ${plan.taskIds.length} tasks × ${plan.numTrials}${under}`,
    staticDetails: startDetails(input),
    memo: sweepMemo(input, program),
    ...(indexed ? { typedSearchAttributes: sweepAttributes(run, config) } : {}),
  } as const;
}

/** Most characters of a memo's field, because the server warns of memos above 2 KiB, names and encodings included. */
const FIELD_CHARS = 240;

/**
 * Returns the configuration that a sweep shows in Temporal UI, without keys, addresses of providers, or the
 * environment. `workflowVersion` is what a worker compares with its own (see `WORKFLOW_VERSION`).
 * @param program the version of the program that starts the sweep, if known
 */
export function sweepMemo({ run, config, plan, version }: SweepInput, program?: string): Record<string, unknown> {
  const { pack, agentModel, userModel, roleModels = {} } = config;
  const roles = Object.entries(roleModels).map(([role, model]) => (model ? `${role} ${formatModel(model)}` : role));
  return {
    env: `${config.env} ${config.split}`,
    pack: cutField(`${pack.name} ${pack.digest}`),
    strategy: config.strategy,
    options: cutField(JSON.stringify(config.strategyOptions)),
    agent: cutField([formatModel(agentModel), ...roles].join(', ')),
    user: cutField(
      userModel.provider === NO_MODEL.provider
        ? describeUser(config)
        : `${config.userStrategy} with ${formatModel(userModel)}`,
    ),
    tasks: plan.taskIds.length,
    trials: plan.numTrials,
    seed: config.seed,
    maxSteps: config.maxSteps,
    logDir: cutField(run.logDir),
    ...(program === undefined ? {} : { program }),
    workflowVersion: version ?? WORKFLOW_VERSION,
  };
}

function cutField(text: string): string {
  return text.length <= FIELD_CHARS ? text : `${text.slice(0, FIELD_CHARS - 1)}…`;
}
