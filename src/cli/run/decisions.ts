/** `--decision-only`: what the agent planned to do, as JSON, in place of scores that do not exist. */

import { dumpJson } from '../../bench/python/json.ts';
import type { Action } from '../../bench/types.ts';
import { reportToJson } from '../../results/report-json.ts';
import type { Report } from '../../results/report.ts';
import type { RunLog } from '../../results/run-log.ts';
import type { CliContext } from '../context.ts';

/** What was decided in one episode, in the order in which it was. Arguments keep the spelling of their numbers. */
export interface Decision {
  readonly task_id: number;
  readonly trial: number;
  readonly actions: readonly Action[];
}

/** The decisions of all episodes that came to their end, trial by trial, tasks ascending. */
export async function readDecisions(log: RunLog): Promise<Decision[]> {
  const { episodes } = await log.listEpisodes();
  const decisions: Decision[] = [];
  // A damaged record is among the report's problems already.
  for await (const record of log.records(episodes, () => undefined)) {
    if (record.outcome.kind !== 'decision_only') continue;
    decisions.push({ task_id: record.task_id, trial: record.trial, actions: record.actions });
  }
  return decisions;
}

/** Prints the decisions alone, or within the report's document with `json`; what goes with them is told on stderr. */
export async function printDecisions(report: Report, log: RunLog, json: boolean, context: CliContext): Promise<void> {
  const decisions = await readDecisions(log);
  for (const sentence of [...report.remarks, ...report.problems]) context.log(sentence);
  if (!json) context.log(`run log  ${log.paths.folder}`);
  const files = { results: log.paths.results, run_log: log.paths.folder };
  context.out(dumpJson(json ? { ...reportToJson(report), decisions, files } : decisions, { indent: 2 }));
}
