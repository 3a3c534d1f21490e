/** Opens a run log, once: whoever comes first writes `run.json`, everyone after finds it. And marks it as ended. */

import type { CloseRunInput, RunInput } from '../wire/activities.ts';
import type { SweepPlan } from '../wire/sweep.ts';
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
  await log.writeRun(manifest);
  return manifest;
}

/**
 * Marks the run as ended, with the plan and the limits that it had at its end; a run log without `run.json` stays so.
 * @throws ResultsError
 */
export async function endRun(log: RunLog, { plan, maxConcurrency, maxCostUsd, status }: CloseRunInput): Promise<void> {
  const before = await log.readRun();
  if (before === null) return;
  const endedAt = new Date().toISOString();
  await log.writeRun({ ...before, plan: planOf(before, plan), maxConcurrency, maxCostUsd, status, endedAt });
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
