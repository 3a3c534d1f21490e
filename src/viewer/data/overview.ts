/** The overview of a run, as the report page and the view show it: from its report and the rows of its episodes. Pure. */

import { isSuspectRow, type ConditionFigures } from '../../results/metrics/index.ts';
import { byTrialThenTask, type EpisodeRow } from '../../run-log/index.ts';
import type { Verdict } from '../../results/judge/index.ts';
import type { Report } from '../../results/report/index.ts';
import { episodeName } from '../../evaluation/index.ts';
import type { PayloadCondition, PayloadEpisode, PayloadRun } from './payload.ts';

/** @param verdicts of the judge on these episodes, by `episodeName` */
export function overviewOfRun(
  report: Report,
  rows: readonly EpisodeRow[],
  verdicts: ReadonlyMap<string, Verdict>,
): PayloadRun {
  const { subject, metrics, conditions, remarks, problems, leaderboardRow, notes } = report;
  const sorted = [...rows].sort(byTrialThenTask);
  return {
    ...{ subject, metrics, remarks, problems, leaderboardRow, notes },
    conditions: conditions.length === 0 ? undefined : conditions.map(toPayloadCondition),
    ...overviewOfEpisodes(sorted, verdicts),
  };
}

function toPayloadCondition(figures: ConditionFigures): PayloadCondition {
  const { name, metrics, difference, p, decision, cost, steps, worseTasks } = figures;
  const { delta, interval } = difference;
  return {
    ...{ name, p, decision, cost, steps },
    passHat1: metrics.errorsAsFailures.passHatK[0]?.value ?? null,
    difference: { delta, interval },
    worseTasks: worseTasks.map(({ taskId, before, after }) => ({ taskId, before, after })),
  };
}

/** Returns the episodes as lists show them, and the names of the tools that they called. */
export function overviewOfEpisodes(
  rows: readonly EpisodeRow[],
  verdicts: ReadonlyMap<string, Verdict>,
): Pick<PayloadRun, 'tools' | 'episodes'> {
  const tools = [...new Set(rows.flatMap((row) => row.tools ?? []))].sort();
  const places = new Map(tools.map((tool, place) => [tool, place]));
  return {
    tools,
    episodes: rows.map((row) => toPayloadEpisode(row, places, verdicts.get(episodeName(row)))),
  };
}

function toPayloadEpisode(
  row: EpisodeRow,
  places: ReadonlyMap<string, number>,
  verdict: Verdict | undefined,
): PayloadEpisode {
  const { taskId, taskName, trial, condition, reward, outcome, steps, turns, costUsd, durationMs, error, analysis, countedAs } = row;
  return {
    ...{ taskId, taskName, trial, condition, reward, outcome, steps, turns, costUsd, durationMs, error },
    ...(countedAs === undefined ? {} : { countedAs }),
    faults: (analysis?.faults ?? []).map(({ kind, faultType, step }) => ({ kind, faultType, step })),
    userFaults: (analysis?.user ?? []).map(({ kind }) => kind),
    isSuspect: isSuspectRow(row),
    verdict: verdict === undefined ? null : { author: verdict.author, faultType: verdict.faultType },
    tools: (row.tools ?? []).flatMap((tool) => places.get(tool) ?? []),
  };
}
