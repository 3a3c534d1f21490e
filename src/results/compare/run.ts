/** The runs that are compared: what is known of one, and what a comparison tells of it. Pure. */

import type { UnfinishedWork } from '../../wire/index.ts';
import {
  averageReward,
  passHatK,
  plannedEpisodes,
  scoredRows,
  summarizeCosts,
  unfinishedWork,
} from '../metrics/index.ts';
import type { EpisodeRow, RunManifest, RunStatus } from '../log/index.ts';

/** A run as it is on disk. */
export interface ComparedRun {
  readonly runId: string;
  readonly rows: readonly EpisodeRow[];
  /** null for a results file of which nothing else is known. */
  readonly manifest: RunManifest | null;
  /** How the run stands; null where that is not known. @default the manifest's */
  readonly status?: RunStatus | null;
  /** Episodes that it was to have; null where that is not known. @default the manifest's */
  readonly planned?: number | null;
  /** Whether it has a record for each episode, which links can lead to. @default whether it has a manifest */
  readonly hasRecords?: boolean;
  /** Where the Temporal UI of its server is; null where that is not known. @default null */
  readonly uiUrl?: string | null;
}

/** One of the runs, as a comparison tells of it. */
export interface RunSide {
  readonly runId: string;
  readonly status: RunStatus | null;
  readonly episodes: number;
  /** Errors counted as failures, as `report` has it; null without any episode. */
  readonly averageReward: number | null;
  readonly passHat1: number | null;
  /** USD; null when a price is unknown. */
  readonly costUsd: number | null;
  readonly unfinished: UnfinishedWork;
}

export function sideOf(run: ComparedRun): RunSide {
  const { runId, rows, manifest } = run;
  const scored = scoredRows(rows);
  const { status = manifest?.status ?? null, planned = plannedEpisodes(manifest) } = run;
  return {
    runId,
    status,
    episodes: rows.filter(({ outcome }) => outcome !== 'cancelled').length,
    averageReward: averageReward(scored),
    passHat1: passHatK(scored)[0]?.value ?? null,
    costUsd: summarizeCosts(rows).totalUsd,
    unfinished: unfinishedWork(rows, planned),
  };
}
