/** Opens the run to export, and reads its records. */

import { UsageError } from '../../errors/index.ts';
import { reportOfRun, type Report } from '../../results/report/index.ts';
import type { EpisodeRecord, RunLog, RunManifest } from '../../run-log/index.ts';
import type { CliContext } from '../context.ts';
import { packFinder } from '../find-run.ts';
import { findReadable } from '../run-log.ts';

export interface ExportSource {
  readonly log: RunLog;
  readonly manifest: RunManifest;
  readonly report: Report;
}

/** @throws UsageError for a results file, and for a run that has not started */
export async function openExported(subject: string, logDir: string, context: CliContext): Promise<ExportSource> {
  const found = await findReadable(subject, logDir, context);
  if (found.kind === 'file') {
    throw new UsageError(`${subject} is a results file, and only a run log has what is exported; name a run.`);
  }
  const { log } = found;
  const manifest = await log.readRun();
  if (manifest === null) throw new UsageError(`the run ${log.runId} has no run.json yet; wait until it has started.`);
  return { log, manifest, report: await reportOfRun(log, packFinder(context)) };
}

/** Reads records task by task. */
export async function* readLogRecords(
  log: RunLog,
  onProblem: (problem: string) => void,
  withConditions: boolean,
): AsyncGenerator<EpisodeRecord, void, undefined> {
  const { episodes, problems } = await log.listEpisodes();
  for (const problem of problems) onProblem(problem);
  yield* log.records(
    episodes
      .filter(({ condition }) => withConditions || condition === undefined)
      .sort((a, b) => a.taskId - b.taskId || a.trial - b.trial),
    onProblem,
  );
}
