/** Input, control and progress of a sweep workflow, and its totals. */

import type { ConfigLimits } from './config.schema.ts';
import { BASE, type EpisodeKey } from '../benchmarks/pure.ts';
import { isFinalOutcome, type EpisodeSummary, type OutcomeKind } from './outcome.ts';
import type { WorkflowInput } from './workflow-input.ts';
import type { HeldProvider } from './held.ts';
import type { SweepPlan } from '../benchmarks/index.ts';

export type { SweepPlan };

/** Most trials per task; a larger number is a typing mistake. */
export const MOST_TRIALS = 1_000;
/** Most episodes of a run that starts without `--yes`; retail's test split with four trials has 460. */
export const MOST_UNASKED = 2_000;

/** Thresholds that tests lower; the workflow has the defaults. */
interface SweepTuning {
  /** Number of episodes above which a sweep starts lanes. @default 500 */
  readonly laneSize?: number;
  /** Number of episodes after which to continue as new, unless the server suggests it earlier. */
  readonly continueAsNewAfter?: number;
  /** Time until the first check for episodes whose workflow code fails, in milliseconds. @default 1 minute */
  readonly stuckLookMs?: number;
  /**
   * Milliseconds before a held call is made again, doubled each time from the first to the last. @default 5 s to 5 min
   */
  readonly holdMs?: { readonly first: number; readonly last: number };
}

/** Input of a sweep, whose version its lanes and episodes share. */
export interface SweepInput extends WorkflowInput {
  readonly plan: SweepPlan;
  readonly maxConcurrency: number;
  /** Cost in USD from which the sweep opens no further episodes; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly tuning?: SweepTuning;
  /** Notes for readers of the figures, for a new run log. @default none */
  readonly notes?: readonly string[];
  /** True if nobody can resume the run, so that it fails instead of pausing. @default false */
  readonly unattended?: boolean;
  /** The only episodes to run, for `retry`; other episodes do not change. @default every episode of the plan */
  readonly only?: readonly EpisodeKey[];
  /** The part of the plan that this workflow covers; absent in the sweep itself. */
  readonly lane?: Lane;
  /** State from before continue-as-new. */
  readonly state?: SweepState;
}

/** A child sweep over a slice of the plan, so that no single history grows with the sweep. */
interface Lane {
  readonly index: number;
  /** First position of the plan, and the position after the last. */
  readonly start: number;
  readonly end: number;
}

/** Settings of a running sweep, which it passes on to its lanes. */
export interface SweepControl extends ConfigLimits {
  readonly paused: boolean;
  /**
   * Reason why the sweep paused itself, an error of a provider that all further episodes would meet; null: it did not.
   */
  readonly pausedFor?: string | null;
  readonly maxConcurrency: number;
  /** Budget in USD; null: no bound. @default unchanged. A lane gets its own budget. */
  readonly maxCostUsd?: number | null;
  /** Current address of an agent that is a service; absent: the configuration's. */
  readonly agentUrl?: string;
}

/** Changes of a sweep's limits, and of its agent's address; absent fields do not change. */
export interface SweepLimits extends Pick<SweepControl, 'agentUrl'>, ConfigLimits {
  readonly maxConcurrency?: number;
  /** Budget of the whole run in USD; null: no limit. JSON has no infinity, which would become null. */
  readonly maxCostUsd?: number | null;
}

/** Episodes to rerun: `failed` for canceled ones and ones that infrastructure ended, or named ones with any outcome. */
export type RetryRequest = 'failed' | readonly EpisodeKey[];

export interface SweepState extends SweepControl {
  /** Next position of the plan. */
  readonly next: number;
  /** Totals so far; null if another pass over the plan begins, which counts the run log's episodes anew. */
  readonly totals: SweepTotals | null;
  /** Episodes of this pass over the plan, see {@link SweepInput.only}. */
  readonly only?: readonly EpisodeKey[];
  /** The only episodes of the next pass over the plan. @default no pass follows */
  readonly onlyNext?: readonly EpisodeKey[];
}

export interface SweepTotals {
  /** Number of ended episodes, including those found in the run log. */
  readonly ended: number;
  /** Number of {@link ended} that the run log had at the start. */
  readonly resumed: number;
  readonly rewardSum: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
  readonly steps: number;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Cost of the calls with a known price in USD, including records that were or will be replaced. */
  readonly knownCostUsd: number;
  /** Number of records with a call of unknown price. */
  readonly unpriced: number;
  /** Totals by name of a condition; the other fields include these episodes. Absent: all episodes are of `base`. */
  readonly conditions?: Readonly<Record<string, ConditionTotals>>;
}

interface ConditionTotals {
  readonly ended: number;
  readonly rewardSum: number;
  /** Number of episodes that were canceled or ended by infrastructure. */
  readonly lost: number;
}

export interface SweepProgress extends SweepTotals, SweepControl {
  readonly total: number;
  /** Trials per task: {@link SweepPlan.numTrials}, or the number to which the sweep was extended. */
  readonly numTrials: number;
  /** True if another pass over the plan follows, for episodes that run again or were added. */
  readonly again: boolean;
  readonly running: number;
  /** Workflow ids of open lanes; these totals do not include their progress. */
  readonly lanes: readonly string[];
  readonly status: 'running' | 'paused' | 'ended' | 'budget_reached';
  /** Names of the first ten open episodes, `task-<id>.trial-<n>`. */
  readonly open: readonly string[];
  /** Names of the last few ended episodes, the newest first. */
  readonly recent: readonly string[];
  /** Providers whose calls are held; absent: none. */
  readonly held?: readonly HeldProvider[];
}

/**
 * Ends of a run. `incomplete`: an ended episode has no readable record, so that it runs again when the run is resumed.
 */
export const RUN_ENDS = ['completed', 'incomplete', 'budget_reached', 'cancelled', 'failed'] as const;
export type RunEnd = (typeof RUN_ENDS)[number];

/** The server's state of a run that is unfinished in its log. */
export interface RunState {
  /** Status of the run: `running`, `paused`, or the end of an unfinished run: `interrupted`, `terminated`, …. */
  readonly status: string;
  /** Reason for the end or pause; null for a run in progress. */
  readonly reason: string | null;
  /** The command that resumes the run. */
  readonly command: string | null;
}

export interface SweepResult {
  readonly total: number;
  readonly totals: SweepTotals;
  readonly status: Extract<RunEnd, 'completed' | 'incomplete' | 'budget_reached'>;
  /** See `RunRef.token`. */
  readonly token?: string;
}

// Totals

export const NO_TOTALS: SweepTotals = {
  ended: 0,
  resumed: 0,
  rewardSum: 0,
  outcomes: {},
  steps: 0,
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  knownCostUsd: 0,
  unpriced: 0,
};

export function addEpisode(totals: SweepTotals, summary: EpisodeSummary): SweepTotals {
  return {
    ...addCost(totals, summary),
    ended: totals.ended + 1,
    resumed: totals.resumed,
    rewardSum: totals.rewardSum + summary.reward,
    outcomes: { ...totals.outcomes, [summary.outcome]: (totals.outcomes[summary.outcome] ?? 0) + 1 },
    steps: totals.steps + summary.steps,
    calls: totals.calls + summary.calls,
    promptTokens: totals.promptTokens + summary.promptTokens,
    completionTokens: totals.completionTokens + summary.completionTokens,
    conditions: sumConditions(totals.conditions, totalsOfCondition(summary)),
  };
}

function totalsOfCondition({ episode, reward, outcome }: EpisodeSummary): SweepTotals['conditions'] {
  const { condition } = episode;
  if (condition === undefined) return undefined;
  return { [condition]: { ended: 1, rewardSum: reward, lost: isFinalOutcome(outcome) ? 0 : 1 } };
}

/** Sums totals by condition. @param sign -1 to subtract `b` */
export function sumConditions(
  a: SweepTotals['conditions'],
  b: SweepTotals['conditions'] = {},
  sign: 1 | -1 = 1,
): SweepTotals['conditions'] {
  return Object.entries(b).reduce((sums, [name, more]) => {
    const { ended, rewardSum, lost } = sums?.[name] ?? { ended: 0, rewardSum: 0, lost: 0 };
    const sum = {
      ended: ended + sign * more.ended,
      rewardSum: rewardSum + sign * more.rewardSum,
      lost: lost + sign * more.lost,
    };
    return { ...sums, [name]: sum };
  }, a);
}

interface NamedTotals extends ConditionTotals {
  readonly name: string;
}

/** Returns the totals by condition, `base` first. */
export function totalsByCondition({
  conditions = {},
  ended,
  rewardSum,
  outcomes,
}: SweepTotals): [NamedTotals, ...NamedTotals[]] {
  const lost = (outcomes.infrastructure_error ?? 0) + (outcomes.cancelled ?? 0);
  const others = Object.entries(conditions)
    .map(([name, totals]) => ({ name, ...totals }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const base = others.reduce(
    (rest, each) => ({
      ended: rest.ended - each.ended,
      rewardSum: rest.rewardSum - each.rewardSum,
      lost: rest.lost - each.lost,
    }),
    { ended, rewardSum, lost },
  );
  return [{ name: BASE, ...base }, ...others];
}

type EpisodeCost = Pick<EpisodeSummary, 'agentCostUsd' | 'userCostUsd' | 'judgeCostUsd' | 'knownCostUsd'>;

/** Returns the cost of an episode in USD; null if any part of it is unknown. */
export function costOfEpisode({ agentCostUsd, userCostUsd, judgeCostUsd = 0 }: EpisodeCost): number | null {
  if (agentCostUsd === null || userCostUsd === null || judgeCostUsd === null) return null;
  return agentCostUsd + userCostUsd + judgeCostUsd;
}

/** Adds the cost of an episode that was or will be replaced, which no other total includes. */
export function addCost(totals: SweepTotals, episode: EpisodeCost & Pick<EpisodeSummary, 'reusedUsd'>): SweepTotals {
  const { agentCostUsd, userCostUsd, judgeCostUsd = 0, reusedUsd = 0 } = episode;
  const { knownCostUsd = (agentCostUsd ?? 0) + (userCostUsd ?? 0) + (judgeCostUsd ?? 0) } = episode;
  return {
    ...totals,
    knownCostUsd: totals.knownCostUsd + knownCostUsd - reusedUsd,
    unpriced: totals.unpriced + (costOfEpisode(episode) === null ? 1 : 0),
  };
}

/** Converts the totals of the run log to those at the start of a sweep. */
export function asResumed(totals: SweepTotals): SweepTotals {
  return { ...totals, resumed: totals.ended };
}

export function addTotals(a: SweepTotals, b: SweepTotals): SweepTotals {
  const outcomes: Partial<Record<OutcomeKind, number>> = { ...a.outcomes };
  for (const [kind, count] of Object.entries(b.outcomes) as [OutcomeKind, number][]) {
    outcomes[kind] = (outcomes[kind] ?? 0) + count;
  }
  return {
    ended: a.ended + b.ended,
    resumed: a.resumed + b.resumed,
    rewardSum: a.rewardSum + b.rewardSum,
    outcomes,
    steps: a.steps + b.steps,
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    knownCostUsd: a.knownCostUsd + b.knownCostUsd,
    unpriced: a.unpriced + b.unpriced,
    conditions: sumConditions(a.conditions, b.conditions),
  };
}

export interface RunInput extends Pick<
  SweepInput,
  'run' | 'config' | 'plan' | 'maxConcurrency' | 'maxCostUsd' | 'notes'
> {
  readonly workflowId: string;
  /** True if the run's episodes are in progress. @default false */
  readonly isUnderWay?: true;
}

export interface CloseRunInput extends RunInput {
  /** Status from the sweep, which does not read the records. */
  readonly status: Exclude<RunEnd, 'incomplete'>;
  /** Number of ended episodes, each of which must have a record. */
  readonly ended: number;
}
