/** Episodes as a flat table, one row per episode, and the CSV writer. Pure. */

import { stringify, type Options } from 'csv-stringify/sync';

import { firstFault, isScored, isSuccess, isSuspectRow } from '../metrics/index.ts';
import { allEpisodes, summarizeDefects, type Report } from '../report/index.ts';
import type { EpisodeNote, EpisodeRow, TaskDefect } from '../../run-log/index.ts';
import { episodeName } from '../../evaluation/index.ts';
import { BASE } from '../../benchmarks/index.ts';
import { sumCosts } from '../../episode/index.ts';

/** Value of a cell; null: an empty cell. */
type Cell = string | number | boolean | null;

interface Episode {
  readonly report: Report;
  readonly row: EpisodeRow;
  readonly defects: readonly TaskDefect[];
  readonly note: EpisodeNote | undefined;
}

/** Columns in order. New columns are added at the end, because scripts may rely on positions. */
const COLUMNS: Readonly<Record<string, (episode: Episode) => Cell>> = {
  run: ({ report }) => report.subject.runId,
  task: ({ row }) => row.taskId,
  trial: ({ row }) => row.trial,
  reward: ({ row }) => (isScored(row) ? row.reward : null),
  success: ({ row }) => (isScored(row) ? isSuccess(row.reward) : null),
  outcome: ({ row }) => row.outcome,
  steps: ({ row }) => row.steps,
  turns: ({ row }) => row.turns,
  cost_usd: ({ row }) => row.costUsd,
  agent_cost_usd: ({ row }) => sumRowCosts(row, 'agent'),
  user_cost_usd: ({ row }) => sumRowCosts(row, 'user'),
  calls: ({ row }) => sumFigure(row, 'calls'),
  prompt_tokens: ({ row }) => sumFigure(row, 'promptTokens'),
  completion_tokens: ({ row }) => sumFigure(row, 'completionTokens'),
  latency_ms: ({ row }) => sumFigure(row, 'latencyMs'),
  duration_ms: ({ row }) => row.durationMs,
  fault_kind: ({ row }) => firstFault(row)?.kind ?? null,
  fault_type: ({ row }) => firstFault(row)?.faultType ?? null,
  fault_step: ({ row }) => firstFault(row)?.step ?? null,
  fault: ({ row }) => firstFault(row)?.sentence ?? null,
  suspect: ({ row }) => (row.analysis === undefined ? null : isSuspectRow(row)),
  user_faults: ({ row }) => [...new Set(row.analysis?.user.map(({ kind }) => kind))].join(' ') || null,
  task_defects: ({ defects }) => (defects.length === 0 ? null : summarizeDefects(defects)),
  error: ({ row }) => row.error,
  workflow_id: ({ row }) => row.workflowId ?? null,
  labels: ({ note }) => note?.labels.join('; ') || null,
  note: ({ note }) => note?.text || null,
  task_name: ({ row }) => row.taskName ?? null,
};

export type TableRow = Readonly<Record<string, Cell>>;

/** @param hasConditions true for a run with conditions, whose rows have a column for them */
export function withCondition(columns: readonly string[], hasConditions: boolean): string[] {
  return hasConditions ? [...columns, 'condition'] : [...columns];
}

export const EPISODE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

export function episodeRows(report: Report, hasConditions = report.conditions.length > 0): TableRow[] {
  const notes = new Map(report.episodeNotes.map((note) => [episodeName(note), note]));
  const defects = new Map(report.tasks.map((task) => [task.taskId, task.defects]));
  return allEpisodes(report).map((row) => {
    const note = notes.get(episodeName(row));
    const episode = { report, row, defects: defects.get(row.taskId) ?? [], note };
    const cells = Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(episode)]));
    return hasConditions ? { ...cells, condition: row.condition ?? BASE } : cells;
  });
}

export function reportsToCsv(reports: readonly Report[]): string {
  const hasConditions = reports.some(({ conditions }) => conditions.length > 0);
  const columns = withCondition(EPISODE_COLUMNS, hasConditions);
  const rows = reports.flatMap((report) => episodeRows(report, hasConditions));
  return csvLines([Object.fromEntries(columns.map((name) => [name, name])), ...rows]);
}

const CSV: Options = {
  escape_formulas: true,
  // Without this option the library does not quote a text with a bare line feed, because rows end in CRLF.
  quoted_string: true,
  cast: { boolean: String },
  record_delimiter: '\r\n',
};

/**
 * Writes lines of RFC 4180. A text that begins with `=`, `+`, `-` or `@` gets a leading `'`, so that spreadsheets do
 * not execute a model's text.
 */
export function csvLines(rows: readonly TableRow[]): string {
  return stringify(
    rows.map((row) => Object.values(row)),
    CSV,
  );
}

/**
 * Sums the cost in USD over the calls of a role and its sub-roles; null if a price is unknown, or the source has no
 * calls.
 */
function sumRowCosts({ roles }: EpisodeRow, role: string): number | null {
  if (roles.length === 0) return null;
  const own = roles.filter((figures) => figures.role === role || figures.role.startsWith(`${role}/`));
  return sumCosts(own.map(({ costUsd }) => costUsd));
}

function sumFigure(
  { roles }: EpisodeRow,
  figure: 'calls' | 'promptTokens' | 'completionTokens' | 'latencyMs',
): number | null {
  return roles.length === 0 ? null : sumCosts(roles.map((figures) => figures[figure]));
}
