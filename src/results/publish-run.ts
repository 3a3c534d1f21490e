/** What a run leaves beside its records: tau-bench's results file, `metrics.json`, and `tasks.json`. */

import { SweepOrder } from '../bench/plan.ts';
import type { EpisodeKey } from '../wire/config.ts';
import { reportOfRun } from './report/load.ts';
import { metricsToJson } from './report/json.ts';
import type { Report } from './report/report.ts';
import type { RunLog } from './run-log.ts';
import type { RunManifest } from './run-manifest.ts';
import type { FindPack } from './task-notes/notes.ts';
import { ResultsAssembler } from './tau-bench/file.ts';

/**
 * Writing them again from the same log writes the same. A pack that is not to be had costs the notes on the tasks and
 * nothing else: they can be made later, where the pack is.
 */
export async function publishRun(log: RunLog, warn: (sentence: string) => void, findPack?: FindPack): Promise<Report> {
  const manifest = await log.readRun();
  await new ResultsAssembler(log, { order: planOrder(manifest) }).finish();
  const report = await reportOfRun(log, findPack && orTold(findPack, warn));
  report.problems.forEach(warn);
  if (report.notes !== null) await log.writeTaskNotes(report.notes);
  else if (manifest !== null && findPack !== undefined) warn(withoutNotes(manifest));
  await log.writeMetrics(metricsToJson(report));
  return report;
}

/** A disk that cannot be read must not keep a run from its end. */
function orTold(findPack: FindPack, warn: (sentence: string) => void): FindPack {
  return async (ref) => {
    try {
      return await findPack(ref);
    } catch (error) {
      warn(`the pack ${ref.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
}

function withoutNotes({ runId, config: { pack } }: RunManifest): string {
  return (
    `the floor and the ceiling of the run ${runId} are not known, because nothing here could audit its pack ` +
    `${pack.name}; \`npx tauflow report ${runId}\` works them out where the pack is`
  );
}

/** The order in which the reference lists results: trial by trial, the tasks of a trial as they were run. */
export function planOrder(manifest: RunManifest | null): EpisodeKey[] {
  if (manifest === null) return [];
  const order = new SweepOrder(manifest.plan, manifest.config.seed);
  return Array.from({ length: order.length }, (_, position) => order.at(position));
}
