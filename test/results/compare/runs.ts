/** Runs of these tests: rewards by task and trial, with the manifest that such a run has. */

import type { ComparedRun } from '../../../src/results/compare/index.ts';
import type { EpisodeRow, RunManifest } from '../../../src/run-log/index.ts';
import type { EvaluationConfig } from '../../../src/evaluation/index.ts';
import { CONFIG, row } from '../fixtures.ts';

export function manifest(
  runId: string,
  config: Partial<EvaluationConfig> = {},
  changes: Partial<RunManifest> = {},
): RunManifest {
  return {
    formatVersion: 1,
    runId,
    status: 'completed',
    startedAt: '2026-11-21T02:00:00.000Z',
    endedAt: null,
    label: 'TC',
    config: { ...CONFIG, ...config },
    plan: { taskIds: Array.from({ length: 20 }, (_, id) => id), numTrials: 1, shuffle: false },
    maxConcurrency: 1,
    maxCostUsd: null,
    versions: { tauflow: '0.1.0' },
    temporal: null,
    notes: [],
    ...changes,
  };
}

export function run(
  runId: string,
  rows: readonly EpisodeRow[],
  known: RunManifest | null = manifest(runId),
): ComparedRun {
  return { runId, rows, manifest: known };
}

/** Twenty tasks, one trial each; those below `solved` are solved. */
export function twenty(solved: number, changes: Partial<EpisodeRow> = {}): EpisodeRow[] {
  return Array.from({ length: 20 }, (_, id) => row(id, 0, id < solved ? 1 : 0, changes));
}

export const quick = { resamples: 500 };
