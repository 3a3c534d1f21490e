/** Scheduled runs of a log folder as trends: figures of each run, and its comparison with the previous one. */

import { ResultsError, RunLog } from '../../run-log/index.ts';
import { byScheduledTime, parseScheduledRunId, type ScheduledRun } from '../../evaluation/index.ts';
import type { ListedRun, ScheduleTrend, ScheduleTrends, TrendPoint } from '../data/api.ts';
import { VersionedCache, readStamp, type ViewedPlace } from './folder.ts';

/** Result of a comparison that was made when a run ended; all fields are null without a comparison. */
type TrendComparison = Pick<TrendPoint, 'verdict' | 'baseline' | 'sentence'>;

const NOT_COMPARED: TrendComparison = { verdict: null, baseline: null, sentence: null };

/** Most runs whose figures stay in memory, more than a folder usually has. */
const MOST_KEPT = 5_000;

export class TrendReader {
  readonly #place: ViewedPlace;
  readonly #compared = new VersionedCache<TrendComparison>(MOST_KEPT);

  constructor(place: ViewedPlace) {
    this.#place = place;
  }

  /** @param runs all runs of the folder */
  async read(runs: readonly ListedRun[]): Promise<{ readonly trends: ScheduleTrends; readonly version: string }> {
    const bySchedule = new Map<string, { readonly scheduled: ScheduledRun; readonly run: ListedRun }[]>();
    for (const run of runs) {
      const scheduled = run.schedule === null ? null : parseScheduledRunId(run.schedule, run.id);
      if (run.schedule === null || scheduled === null) continue;
      bySchedule.set(run.schedule, [...(bySchedule.get(run.schedule) ?? []), { scheduled, run }]);
    }
    const versions: string[] = [];
    const schedules: ScheduleTrend[] = [];
    for (const [schedule, found] of bySchedule) {
      found.sort((a, b) => byScheduledTime(a.scheduled, b.scheduled));
      const points = found.map(async ({ scheduled, run }): Promise<TrendPoint> => {
        const log = new RunLog({ runId: run.id, logDir: this.#place.logDir }, this.#place.folder);
        const { version } = readStamp([log.paths.comparison]);
        versions.push(`${run.id} ${version}`);
        return toPoint(scheduled, run, await this.#compared.get(run.id, version, () => readCompared(log)));
      });
      schedules.push({ schedule, runs: await Promise.all(points) });
    }
    schedules.sort((a, b) => a.schedule.localeCompare(b.schedule));
    return { trends: { schedules }, version: versions.join('\n') };
  }
}

function toPoint({ runId, at }: ScheduledRun, run: ListedRun, compared: TrendComparison): TrendPoint {
  const { subject, episodes, errors, passHatK, interval, costUsd } = run;
  const { status } = subject;
  return { runId, at, status, episodes, errors, passHat1: passHatK[0] ?? null, interval, costUsd, ...compared };
}

/**
 * Reads a run's comparison. The error of a damaged comparison replaces its sentence, because the run's own figures
 * remain valid.
 */
async function readCompared(log: RunLog): Promise<TrendComparison> {
  try {
    const comparison = await log.readComparison();
    if (comparison === null) return NOT_COMPARED;
    const { verdict, baseline, sentence } = comparison;
    return { verdict, baseline: baseline?.runId ?? null, sentence };
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    return { ...NOT_COMPARED, sentence: error.message };
  }
}
