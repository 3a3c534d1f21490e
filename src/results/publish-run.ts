/** What a run leaves beside its records: tau-bench's results file and `metrics.json`. */

import { SweepOrder } from '../bench/plan.ts';
import type { EpisodeKey } from '../wire/config.ts';
import { reportOfRun } from './load-report.ts';
import { metricsToJson } from './report-json.ts';
import type { Report } from './report.ts';
import type { RunLog } from './run-log.ts';
import type { RunManifest } from './run-manifest.ts';
import { ResultsAssembler } from './tau-bench-file.ts';

/** Writes the results file and `metrics.json`; writing them again from the same log writes the same. */
export async function publishRun(log: RunLog, warn: (sentence: string) => void): Promise<Report> {
  const manifest = await log.readRun();
  await new ResultsAssembler(log, { order: planOrder(manifest) }).finish();
  const report = await reportOfRun(log);
  report.problems.forEach(warn);
  await log.writeMetrics(metricsToJson(report));
  return report;
}

/** The order in which the reference lists results: trial by trial, the tasks of a trial as they were run. */
export function planOrder(manifest: RunManifest | null): EpisodeKey[] {
  if (manifest === null) return [];
  const order = new SweepOrder(manifest.plan, manifest.config.seed);
  return Array.from({ length: order.length }, (_, position) => order.at(position));
}
