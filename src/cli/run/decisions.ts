/** `--decision-only` and `--decisions stdio`: lists of decisions, because such runs have no scores. */

import { dumpJson } from '../../benchmarks/python/index.ts';
import type { Action } from '../../benchmarks/index.ts';
import { reportToJson, type Report } from '../../results/report/index.ts';
import type { RunLog } from '../../run-log/index.ts';
import type { CliContext } from '../context.ts';
import { escapeControls } from '../terminal/style.ts';
import { OUTSIDE } from '../../agents/users/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { RawRunOptions } from '../../run-setup/options/index.ts';
import { refuseGates, type RunOptions } from '../../run-setup/index.ts';

/**
 * Returns the options of a run whose actions come from an outside harness, which also answers for the user.
 * @param typed options on the command line
 * @throws UsageError for an option that does not apply to such a run
 */
export function withDecisions(options: RunOptions, typed: RawRunOptions): RunOptions {
  if (options.decisions !== 'stdio') return options;
  if (typed.userStrategy !== undefined) {
    throw new UsageError('--decisions stdio has the harness answer for the user; leave --user-strategy out.');
  }
  refuseGates(options, '--decisions stdio');
  if (options.json && !options.dryRun) {
    throw new UsageError('--decisions stdio prints JSON lines, and --json one document; leave one of them out.');
  }
  return { ...options, userStrategy: OUTSIDE, decisionOnly: false };
}

/** Decisions of one episode, in their order. Arguments keep the spelling of their numbers. */
interface EpisodeDecisions {
  readonly task_id: number;
  readonly trial: number;
  readonly actions: readonly Action[];
}

/**
 * Reads the decisions of all complete episodes, trial by trial, tasks ascending, and a sentence for each incomplete
 * episode.
 */
async function readDecisions(log: RunLog): Promise<{ decisions: EpisodeDecisions[]; problems: string[] }> {
  const { episodes } = await log.listEpisodes();
  const decisions: EpisodeDecisions[] = [];
  const problems: string[] = [];
  // The report's problems already name damaged records.
  for await (const record of log.records(episodes, () => undefined)) {
    const { taskId: task_id, trial, outcome, actions } = record;
    if (outcome.kind === 'decision_only') decisions.push({ task_id, trial, actions });
    else {
      const reason = 'message' in outcome ? outcome.message : outcome.kind;
      problems.push(`task ${task_id}, trial ${trial} came to no decision: ${reason}`);
    }
  }
  return { decisions, problems };
}

/**
 * Prints the decisions alone, or within the report's document with `json`; notes and problems go to stderr. With
 * `--decisions stdio` it prints no decisions, because the outside harness has received them.
 */
export async function printDecisions(
  report: Report,
  log: RunLog,
  { json, decisions: form }: Pick<RunOptions, 'json' | 'decisions'>,
  context: CliContext,
): Promise<void> {
  const { decisions, problems } = await readDecisions(log);
  for (const sentence of [...report.remarks, ...report.problems, ...problems]) context.log(escapeControls(sentence));
  if (!json) context.log(`run log  ${log.shown.folder}`);
  if (form === 'stdio') return;
  const files = { results: log.shown.results, run_log: log.shown.folder };
  context.out(dumpJson(json ? { ...reportToJson(report), decisions, files } : decisions, { indent: 2 }));
}
