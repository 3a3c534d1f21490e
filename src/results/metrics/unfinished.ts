/** Work that a run was to do and has not done: named, so that no score is read without it. Pure. */

import type { UnfinishedWork } from '../../wire/index.ts';
import type { EpisodeRow, RunManifest } from '../log/index.ts';

export const NOTHING_UNFINISHED: UnfinishedWork = { infrastructureErrors: 0, cancelled: 0, missing: 0 };

/** @param planned episodes that the run was to have; null where that is not known */
export function unfinishedWork(rows: readonly EpisodeRow[], planned: number | null): UnfinishedWork {
  const count = (outcome: EpisodeRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return {
    infrastructureErrors: count('infrastructure_error'),
    cancelled: count('cancelled'),
    missing: planned === null ? 0 : Math.max(0, planned - rows.length),
  };
}

/** Episodes that the run was to have; null for a results file of which nothing else is known. */
export function plannedEpisodes(manifest: Pick<RunManifest, 'plan'> | null): number | null {
  return manifest === null ? null : manifest.plan.taskIds.length * manifest.plan.numTrials;
}

export function isUnfinished({ infrastructureErrors, cancelled, missing }: UnfinishedWork): boolean {
  return infrastructureErrors + cancelled + missing > 0;
}

/** `3 infrastructure errors, 5 not run`; empty when all was done. */
export function unfinishedWords({ infrastructureErrors, cancelled, missing }: UnfinishedWork): string {
  const errors = infrastructureErrors === 1 ? 'infrastructure error' : 'infrastructure errors';
  return [
    infrastructureErrors > 0 ? `${String(infrastructureErrors)} ${errors}` : '',
    cancelled > 0 ? `${String(cancelled)} cancelled` : '',
    missing > 0 ? `${String(missing)} not run` : '',
  ]
    .filter((words) => words !== '')
    .join(', ');
}
