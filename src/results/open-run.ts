/** Opens a run log, once: whoever comes first writes `run.json`, everyone after finds it. */

import type { RunInput } from '../wire/activities.ts';
import type { RunLog } from './run-log.ts';
import type { RunManifest } from './run-manifest.ts';
import { MANIFEST_FORMAT_VERSION } from './run-manifest.schema.ts';

/** What the one who opens the run knows beyond the sweep's input. */
export interface RunFacts {
  readonly label: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly temporal: RunManifest['temporal'];
  /** What a reader of the figures has to know, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Marks the run as running; an earlier manifest keeps its start and its configuration.
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
    plan: { ...plan, taskIds: [...plan.taskIds] },
    versions: { ...facts.versions },
    notes: [...facts.notes],
    ...before,
    temporal: facts.temporal ?? before?.temporal ?? null,
    maxConcurrency,
    maxCostUsd,
    status: 'running',
    endedAt: null,
  };
  await log.writeRun(manifest);
  return manifest;
}
