/** A report for the terminal: the per-task table, the aggregates, costs, outcomes and the leaderboard row. Pure. */

import Table from 'cli-table3';

import {
  aggregateLines,
  costLines,
  countLines,
  customerLines,
  defectLines,
  defectMark,
  extentLine,
  faultLines,
  faultTypeLines,
  hasScores,
  roleTable,
  rowNote,
  subjectLine,
  uncertaintyLines,
  type Line,
  type Report,
  type TaskRow,
} from '../../results/report/index.ts';
import {
  NONE,
  formatMean,
  formatReward,
  formatRewards,
  formatShare,
  formatTally,
  formatUsd,
} from '../../results/document/index.ts';
import { isSuccess } from '../../results/metrics/index.ts';
import { colorsOf, cut, printable, type Colors, type TerminalStyle } from './style.ts';

/** Errors, and defects, that are told below the table; the rest are counted. */
const MAX_SHOWN = 10;

export function renderReport(report: Report, style: TerminalStyle): string {
  const colors = colorsOf(style);
  const { subject, metrics } = report;
  const section = (title: string, lines: readonly Line[]) =>
    lines.length === 0 ? '' : titled(title, renderLines(lines, style), colors);
  const heading = [colors.bold(subject.runId), subjectLine(subject), extentLine(report)].filter((line) => line !== '');
  const blocks = [
    heading.join('\n'),
    report.remarks.map((remark) => colors.yellow(remark)).join('\n'),
    report.tasks.length === 0 ? 'No episode has ended.' : renderTaskTable(report.tasks, style),
    renderDefects(report, style),
    renderErrors(report.tasks, style),
    hasScores(report) ? section('Results', aggregateLines(report)) : '',
    section('Uncertainty', uncertaintyLines(report)),
    section('Why episodes failed', faultLines(report)),
    section("Fault types (tau-bench's)", faultTypeLines(report)),
    section('Customers', customerLines(report)),
    section('Costs', costLines(report)),
    renderRoles(report, style),
    section('Counts', countLines(report)),
    titled('Outcomes', `  ${formatTally(metrics.outcomes) || NONE}`, colors),
    report.leaderboardRow === null
      ? ''
      : titled('Leaderboard row', noted(report.leaderboardRow, rowNote(subject.notes), colors), colors),
    report.problems.map((problem) => colors.yellow(printable(problem))).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function noted(row: string, note: string | null, colors: Colors): string {
  return note === null ? row : `${row}\n${colors.yellow(note)}`;
}

interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cell: (task: TaskRow) => string;
  /** Columns go in this order when the terminal is too narrow; those without stay. */
  readonly expendable?: number;
  /** Cut to this many columns where even fewer columns do not fit. */
  readonly least?: number;
  readonly paint?: (text: string, task: TaskRow, colors: Colors) => string;
}

const COLUMNS: readonly Column[] = [
  { head: 'Task', align: 'right', cell: (task) => `${defectMark(task.defects)}${String(task.taskId)}` },
  { head: 'Trials', align: 'right', cell: (task) => String(task.trials), expendable: 1 },
  { head: 'Rewards', align: 'left', cell: (task) => formatRewards(task.rewards), paint: paintRewards },
  { head: 'Pass rate', align: 'right', cell: (task) => formatShare(task.passRate) },
  { head: 'Steps', align: 'right', cell: (task) => formatMean(task.steps), expendable: 4 },
  { head: 'Steps to success', align: 'right', cell: (task) => formatMean(task.stepsToSuccess), expendable: 2 },
  { head: 'Success turn', align: 'right', cell: (task) => formatMean(task.successTurn), expendable: 3 },
  { head: 'Cost', align: 'right', cell: (task) => formatUsd(task.costUsd), expendable: 5 },
  { head: 'Outcome', align: 'left', cell: (task) => formatTally(task.outcomes), least: 7 },
  { head: 'Fault', align: 'left', cell: faultCell, least: 14 },
];

/** Why trials failed, and whose customer is under suspicion. */
function faultCell({ faults, suspects }: TaskRow): string {
  const words = suspects === 0 ? '' : `${String(suspects)} suspect`;
  return [formatTally(faults), words].filter((part) => part !== '').join('; ');
}

/** One row a task; columns are left out, then faults and outcomes are cut, until it fits the terminal. */
export function renderTaskTable(tasks: readonly TaskRow[], style: TerminalStyle): string {
  const colors = colorsOf(style);
  const texts = new Map(COLUMNS.map((column) => [column, tasks.map(column.cell)]));
  const widthOf = (column: Column) =>
    (texts.get(column) ?? []).reduce((width, text) => Math.max(width, text.length), column.head.length);
  // Each column has a border and a space on both sides of its text, and the table one border more.
  const total = (columns: readonly Column[]) => columns.reduce((sum, column) => sum + widthOf(column) + 3, 1);
  let columns = COLUMNS.filter(({ head, cell }) => head !== 'Fault' || tasks.some((task) => cell(task) !== ''));
  while (total(columns) > style.columns) {
    const next = nextToGo(columns);
    if (next === undefined) break;
    columns = columns.filter((column) => column !== next);
  }
  let excess = Math.max(0, total(columns) - style.columns);
  const room = new Map<Column, number>();
  for (const column of [...columns].reverse()) {
    if (column.least === undefined) continue;
    const width = Math.max(Math.min(widthOf(column), column.least), widthOf(column) - excess);
    excess -= widthOf(column) - width;
    room.set(column, width);
  }
  const table = new Table({
    head: columns.map((column) => colors.bold(column.head)),
    colAligns: columns.map((column) => column.align),
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  tasks.forEach((task, row) => {
    table.push(
      columns.map((column) => {
        const text = texts.get(column)?.[row] ?? '';
        const width = room.get(column);
        if (width !== undefined) return cut(text, width);
        return column.paint === undefined ? text : column.paint(text, task, colors);
      }),
    );
  });
  return table.toString();
}

function nextToGo(columns: readonly Column[]): Column | undefined {
  return columns
    .filter((column) => column.expendable !== undefined)
    .sort((a, b) => (a.expendable ?? 0) - (b.expendable ?? 0))[0];
}

/** No line between rows: one task, one line. */
export const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const;

function paintRewards(text: string, task: TaskRow, colors: Colors): string {
  if (text !== task.rewards.map((value) => (value === null ? NONE : formatReward(value))).join(' ')) return text;
  return task.rewards
    .map((value) => {
      if (value === null) return colors.dim(NONE);
      return isSuccess(value) ? colors.green(formatReward(value)) : colors.red(formatReward(value));
    })
    .join(' ');
}

/** `name  value  meaning`, the meaning wrapped beside the other two, or below them in a narrow terminal. */
export function renderLines(lines: readonly Line[], style: TerminalStyle): string {
  const colors = colorsOf(style);
  const nameWidth = lines.reduce((width, line) => Math.max(width, line.name.length), 0);
  const valueWidth = lines.reduce((width, line) => Math.max(width, line.value.length), 0);
  const intervalWidth = lines.reduce((width, line) => Math.max(width, (line.interval?.length ?? -1) + 1), 0);
  const indent = 2 + nameWidth + 2 + valueWidth + intervalWidth + 2;
  const isNarrow = style.columns - indent < 24;
  return lines
    .map((line) => {
      const bounds = line.interval === undefined ? '' : ` ${line.interval}`;
      const value = `${colors.bold(line.value.padStart(valueWidth))}${bounds.padEnd(isNarrow ? 0 : intervalWidth)}`;
      const figure = `  ${line.name.padEnd(nameWidth)}  ${value}`;
      const [hang, room] = isNarrow ? [4, style.columns - 4] : [indent, style.columns - indent];
      const meaning = wrap(line.meaning, Math.max(20, room)).map((part) => colors.dim(part));
      const glue = `\n${' '.repeat(hang)}`;
      return `${figure}${isNarrow ? glue : '  '}${meaning.join(glue)}`;
    })
    .join('\n');
}

/** Model calls by role: without borders, and without its last columns, so that it fits a narrow terminal. */
function renderRoles(report: Report, style: TerminalStyle): string {
  const table = roleTable(report);
  if (table === null) return '';
  const colors = colorsOf(style);
  const widths = table.head.map((head, i) => Math.max(head.length, ...table.rows.map((row) => row[i]?.length ?? 0)));
  while (widths.reduce((sum, width) => sum + width + 2, 0) > style.columns) widths.pop();
  const line = (cells: readonly string[]) =>
    `  ${widths.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width))).join('  ')}`;
  return titled('Model calls by role', [colors.dim(line(table.head)), ...table.rows.map(line)].join('\n'), colors);
}

/** What is known to be wrong with the tasks themselves: their trials count, and their scores say less. */
function renderDefects(report: Report, style: TerminalStyle): string {
  const lines = defectLines(report);
  if (lines.length === 0) return '';
  const shown = lines.slice(0, MAX_SHOWN).map((line) => cut(`  ${printable(line)}`, style.columns));
  if (shown.length < lines.length) shown.push(`  and ${String(lines.length - shown.length)} more`);
  return titled('Known defects of tasks (! wrong, ? suspicious)', shown.join('\n'), colorsOf(style));
}

function renderErrors(tasks: readonly TaskRow[], style: TerminalStyle): string {
  const failed = tasks.flatMap(({ taskId, error }) => (error === null ? [] : [{ taskId, error }]));
  if (failed.length === 0) return '';
  const lines = failed
    .slice(0, MAX_SHOWN)
    .map(({ taskId, error }) => cut(`  task ${String(taskId)}: ${printable(error)}`, style.columns));
  const more = failed.length - lines.length;
  if (more > 0) lines.push(`  and ${String(more)} tasks more`);
  return titled('Errors', lines.join('\n'), colorsOf(style));
}

export function titled(title: string, body: string, colors: Colors): string {
  return `${colors.bold(title)}\n${body}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
