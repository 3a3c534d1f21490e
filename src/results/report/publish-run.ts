/** What a run leaves beside its records: tau-bench's results file, `metrics.json`, and `tasks.json`. */

import { endedManifest, planOrder, type RunEnding, type RunLog, type RunManifest } from '../log/index.ts';
import { reportOfRun } from './load.ts';
import { metricsToJson } from './json.ts';
import type { Report } from './report.ts';
import type { FindPack } from '../task-notes/index.ts';
import { ResultsAssembler } from '../tau-bench/index.ts';

/** What `publishRun` may know or find beyond the run log. */
export interface PublishOptions {
  /** Finds the run's pack. @default there are no notes on the tasks */
  readonly findPack?: FindPack | undefined;
  /** Given by the sweep that ends the run: `run.json` is brought up to date as well. @default the run goes on */
  readonly ending?: RunEnding;
}

/**
 * Writing them again from the same log writes the same. A pack that is not to be had costs the notes on the tasks and
 * nothing else: they can be made later, where the pack is.
 */
export async function publishRun(
  log: RunLog,
  warn: (sentence: string) => void,
  { findPack, ending }: PublishOptions = {},
): Promise<Report> {
  const manifest = await log.readRun();
  const order = manifest === null ? [] : planOrder(manifest.plan, manifest.config.seed);
  await new ResultsAssembler(log, { order }).finish();
  const report = await reportOfRun(log, findPack && orTold(findPack, warn), ending);
  report.problems.forEach(warn);
  if (report.notes !== null) await log.writeTaskNotes(report.notes);
  else if (manifest !== null && findPack !== undefined) warn(withoutNotes(manifest));
  await log.writeMetrics(metricsToJson(report));
  // Last, so that a run which is said to have ended has its results.
  if (manifest !== null && ending !== undefined) {
    await log.removeStale();
    await log.writeRun(endedManifest(manifest, ending, report.episodes));
  }
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
