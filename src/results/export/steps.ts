/** Environment steps as a flat table, one row per step. Pure. */

import { dumpJson } from '../../benchmarks/python/index.ts';
import { BASE, RESPOND } from '../../benchmarks/index.ts';
import type { EpisodeRecord } from '../../run-log/index.ts';
import { episodeOfRecord, formOfRecord } from '../regrade/index.ts';
import type { TableRow } from './csv.ts';

interface Step {
  readonly record: EpisodeRecord;
  /** Position of the step, from 0. */
  readonly at: number;
  readonly taken: ReturnType<typeof episodeOfRecord>['steps'][number];
  readonly metric: EpisodeRecord['steps'][number] | undefined;
}

/** Columns in order. New columns are added at the end, because scripts may rely on positions. */
const COLUMNS: Readonly<Record<string, (step: Step) => TableRow[string]>> = {
  run: ({ record }) => record.runId,
  task: ({ record }) => record.taskId,
  trial: ({ record }) => record.trial,
  step: ({ at }) => at + 1,
  action: ({ taken }) => taken.action.name,
  kwargs: ({ taken }) => dumpJson(taken.action.kwargs),
  observation: ({ taken }) => taken.observation,
  to_user: ({ taken }) => taken.action.name === RESPOND,
  changed_data: ({ metric }) => metric?.changed ?? null,
  duration_ms: ({ metric }) => metric?.durationMs ?? null,
  think_ms: ({ metric }) => metric?.thinkMs ?? null,
  calls: ({ metric }) => metric?.calls ?? null,
  prompt_tokens: ({ metric }) => metric?.promptTokens ?? null,
  completion_tokens: ({ metric }) => metric?.completionTokens ?? null,
  cost_usd: ({ metric }) => metric?.costUsd ?? null,
};

export const STEP_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** @param hasConditions true for a run with conditions, whose rows have a column for them */
export function stepRows(record: EpisodeRecord, hasConditions = false): TableRow[] {
  const { steps } = episodeOfRecord(record, formOfRecord(record));
  return steps.map((taken, at) => {
    const step: Step = { record, at, taken, metric: record.steps[at] };
    const cells = Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(step)]));
    return hasConditions ? { ...cells, condition: record.condition ?? BASE } : cells;
  });
}
