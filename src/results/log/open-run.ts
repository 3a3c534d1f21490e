/**
 * Opens a run log, once: whoever comes first writes `run.json`, everyone after finds it. And marks it as ended, by what
 * its records show.
 */

import { SweepOrder } from '../../benchmark/index.ts';
import {
  episodeName,
  type CloseRunInput,
  type EpisodeKey,
  type RunEnd,
  type RunInput,
  type SweepPlan,
} from '../../wire/index.ts';
import type { RunLog } from './run-log.ts';
import type { RunManifest } from './run-manifest.ts';
import { MANIFEST_FORMAT_VERSION, type RunEndpoint } from './run-manifest.schema.ts';

/** What the one who opens the run knows beyond the sweep's input. */
export interface RunFacts {
  readonly label: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly temporal: RunManifest['temporal'];
  /** What a reader of the figures has to know, one sentence each. */
  readonly notes: readonly string[];
  /** Where the models are called, as far as the one who starts the run says it. @default nothing known */
  readonly endpoints?: readonly RunEndpoint[];
}

/**
 * Marks the run as running; an earlier manifest keeps its start and its configuration, and its plan unless the only
 * difference is more trials.
 * @throws ResultsError
 */
export async function openRun(log: RunLog, input: RunInput, facts: RunFacts): Promise<RunManifest> {
  const { config, plan, maxConcurrency, maxCostUsd } = input;
  const before = await log.readRun();
  const manifest: RunManifest = {
    formatVersion: MANIFEST_FORMAT_VERSION,
    runId: log.runId,
    startedAt: new Date().toISOString(),
    label: facts.label,
    config: { ...config, pack: { ...config.pack } },
    versions: { ...facts.versions },
    notes: [...facts.notes],
    ...before,
    ...endpointsOf(before, facts),
    plan: planOf(before, plan),
    temporal: facts.temporal ?? before?.temporal ?? null,
    maxConcurrency,
    maxCostUsd,
    status: 'running',
    endedAt: null,
  };
  await log.removeStale();
  await log.writeRun(manifest);
  return manifest;
}

/** What is known of a run when it ends. */
export type RunEnding = Pick<CloseRunInput, 'plan' | 'maxConcurrency' | 'maxCostUsd' | 'status' | 'ended'>;

/** The manifest of a run that has ended, with the plan and the limits that it had then, and with what is recorded. */
export function endedManifest(before: RunManifest, ending: RunEnding, recorded: readonly EpisodeKey[]): RunManifest {
  const { plan, maxConcurrency, maxCostUsd } = ending;
  const ended = { ...before, plan: planOf(before, plan), maxConcurrency, maxCostUsd };
  return { ...ended, status: endStatus(ended, ending, recorded), endedAt: new Date().toISOString() };
}

/** A run that was cancelled or has failed lacks episodes anyway, and is resumed as well. */
function endStatus(manifest: RunManifest, { status, ended }: RunEnding, recorded: readonly EpisodeKey[]): RunEnd {
  const planned = manifest.plan.taskIds.length * manifest.plan.numTrials;
  const has = planned - missingEpisodes(manifest, recorded).length;
  switch (status) {
    case 'completed':
      return has < planned ? 'incomplete' : status;
    case 'budget_reached':
      return has < (ended ?? 0) ? 'incomplete' : status;
    case 'cancelled':
    case 'failed':
      return status;
  }
}

/** Episodes of a run's plan without a readable record, in the plan's order. */
export function missingEpisodes(
  { plan, config }: Pick<RunManifest, 'plan' | 'config'>,
  recorded: readonly EpisodeKey[],
): EpisodeKey[] {
  const names = new Set(recorded.map(episodeName));
  return planOrder(plan, config.seed).filter((key) => !names.has(episodeName(key)));
}

/** The order in which the reference lists results: trial by trial, the tasks of a trial as they were run. */
export function planOrder(plan: SweepPlan, seed: number): EpisodeKey[] {
  const order = new SweepOrder(plan, seed);
  return Array.from({ length: order.length }, (_, position) => order.at(position));
}

/** A run that was resumed with other addresses has them all. */
function endpointsOf(before: RunManifest | null, facts: RunFacts): Pick<RunManifest, 'endpoints'> {
  const all = [...(before?.endpoints ?? []), ...(facts.endpoints ?? [])];
  const distinct = new Map(all.map((endpoint) => [`${endpoint.provider} ${endpoint.address}`, { ...endpoint }]));
  return distinct.size === 0 ? {} : { endpoints: [...distinct.values()] };
}

function planOf(before: RunManifest | null, plan: SweepPlan): RunManifest['plan'] {
  const asked = { ...plan, taskIds: [...plan.taskIds] };
  return before === null || isExtended(before.plan, plan) ? asked : before.plan;
}

/** Whether the only difference is more trials, which leaves every episode that was planned where it is. */
function isExtended(before: SweepPlan, plan: SweepPlan): boolean {
  const isSame =
    before.shuffle === plan.shuffle &&
    before.taskIds.length === plan.taskIds.length &&
    before.taskIds.every((taskId, index) => taskId === plan.taskIds[index]);
  return isSame && plan.numTrials > before.numTrials;
}
