/** A regraded file for the terminal: a line per record, the reasons for different rewards, and the figures. Pure. */

import Table from 'cli-table3';
import { dumpJson, type PyValue } from '../../benchmarks/python/index.ts';
import { jsonPath, type FieldDiff } from '../../benchmarks/index.ts';
import { LOG_NOTE } from '../../benchmarks/results.ts';
import { NONE, formatAmount, formatReward } from '../../results/document/index.ts';
import {
  explainDifference,
  isSameReward,
  listReasons,
  type RegradeSummary,
  type RegradedFile,
  type RegradedRecord,
} from '../../results/regrade/index.ts';
import { createColors, cut, escapeControls, type Colors, type TerminalStyle } from '../terminal/style.ts';

/** Most fields of a record to show; `--json` has all. */
const MAX_FIELDS = 12;
const MAX_VALUE_CHARS = 48;
/** Most records with a changed reward to show in detail. */
const MAX_DETAILED = 20;

export function renderRegraded(regraded: RegradedFile, style: TerminalStyle): string {
  const colors = createColors(style);
  const { file, env, split, pack, form, records } = regraded;
  const note = form === 'log' ? `\n${LOG_NOTE}` : '';
  const different = records.filter((record) => !isSameReward(record));
  const blocks = [
    `${colors.bold(file)}\n${env} ${split} of the pack ${pack.name}; actions read from ${READ_FROM[form]}${note}`,
    records.length === 0 ? 'The file has no results.' : renderTable(records, style),
    ...different.slice(0, MAX_DETAILED).map((record) => renderDetails(record, style)),
    different.length > MAX_DETAILED
      ? `and ${different.length - MAX_DETAILED} rewards more that differ; see --json`
      : '',
    renderSummary(regraded.summary, colors),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const READ_FROM: Readonly<Record<RegradedFile['form'], string>> = {
  tools: 'tool calls',
  text: 'text (Action: …)',
  log: 'info.executed_actions',
};

const HEAD = ['#', 'Task', 'Trial', 'Recorded', 'Replayed', 'Steps', 'Why'];

/** Formats one line per record; the reasons are cut to the width of the terminal. */
function renderTable(records: readonly RegradedRecord[], style: TerminalStyle): string {
  const colors = createColors(style);
  const rows = records.map((record) => [
    String(record.index),
    String(record.taskId),
    record.trial === null ? NONE : String(record.trial),
    formatReward(record.recordedReward),
    formatReward(record.replayedReward),
    String(record.executedActions),
  ]);
  const widths = HEAD.slice(0, -1).map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const available = style.columns - widths.reduce((sum, width) => sum + width + 3, 1) - 3;
  const table = new Table({
    head: HEAD.map((head) => colors.bold(head)),
    colAligns: [...widths.map(() => 'right' as const), 'left'],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  records.forEach((record, at) => {
    const explanation = explainDifference(record) ?? listReasons(record).join('; ');
    const why = cut(escapeControls(explanation), Math.max(available, 20));
    const cells = [...(rows[at] ?? []), why];
    table.push(isSameReward(record) ? cells : cells.map((cell) => colors.red(cell)));
  });
  return table.toString();
}

/** Formats all facts about a record whose reward changed. */
function renderDetails(record: RegradedRecord, style: TerminalStyle): string {
  const { index, taskId, trial, recordedReward, replayedReward, mismatches, dataDiffs } = record;
  const of = `#${index} task ${taskId}${trial === null ? '' : ` trial ${trial}`}`;
  const rewards = `recorded ${formatReward(recordedReward)}, replayed ${formatReward(replayedReward)}`;
  const lines: IndentedText[] = listReasons(record)
    .filter((reason) => dataDiffs.length === 0 || !reason.startsWith('data: '))
    .map((reason) => [2, reason]);
  if (replayedReward === 1) lines.push([2, 'the data are right, and no output is missing']);
  for (const { table, id, fields } of dataDiffs) {
    lines.push(
      [2, `${table} ${id}`],
      ...fields.slice(0, MAX_FIELDS).map((field) => [4, describeField(field)] as const),
    );
    if (fields.length > MAX_FIELDS) lines.push([4, `and ${fields.length - MAX_FIELDS} fields more`]);
  }
  const [firstMismatch] = mismatches;
  if (firstMismatch !== undefined) {
    const { position, action, recorded, replayed } = firstMismatch;
    const from = Math.max(0, firstDifference(recorded, replayed) - MAX_VALUE_CHARS / 2);
    lines.push(
      [
        2,
        record.isOrdered
          ? `${formatAmount(mismatches.length, 'observation')} not as recorded, first that of action ${position} (${action}):`
          : `${formatAmount(mismatches.length, 'call')} not as logged, first call ${position + 1} of the log (${action}):`,
      ],
      [4, `recorded ${shownText(recorded, from)}`],
      [4, `replayed ${shownText(replayed, from)}`],
    );
  }
  if (record.taskChanges.length > 0) lines.push([2, `the task has changed since: ${record.taskChanges.join(', ')}`]);
  const body = lines.map(([indent, text]) => cut(' '.repeat(indent) + escapeControls(text), style.columns));
  return [createColors(style).bold(`${of}: ${rewards}`), ...body].join('\n');
}

type IndentedText = readonly [indent: number, text: string];

function describeField({ path, a, b }: FieldDiff): string {
  const where = path.length === 0 ? '' : `${jsonPath(path)}: `;
  return `${where}agent ${shownValue(a)}, ground truth ${shownValue(b)}`;
}

function shownValue(value: PyValue | undefined): string {
  return value === undefined ? 'nothing' : cut(dumpJson(value), MAX_VALUE_CHARS);
}

/** Returns the part of a long text that contains the difference. */
function shownText(text: string, from: number): string {
  return JSON.stringify(`${from > 0 ? '…' : ''}${cut(text.slice(from), 2 * MAX_VALUE_CHARS)}`);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function renderSummary(summary: RegradeSummary, colors: Colors): string {
  const { observationMismatches: mismatches } = summary;
  const average = (value: number | null) => (value === null ? NONE : value.toFixed(3));
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  const lines: [name: string, value: string][] = [
    ['records', String(summary.records)],
    ['successes', `${summary.reportedSuccesses} reported, ${summary.regradedSuccesses} regraded`],
    ['equal rewards', String(summary.rewardsEqual)],
    ['different rewards', String(summary.rewardsDiffer)],
    ['average recorded', average(summary.recordedAverage)],
    ['average replayed', average(summary.replayedAverage)],
    ['endings', counts(summary.endings)],
  ];
  if (summary.rightDataWithoutReward > 0) lines.push(['right data, reward 0', String(summary.rightDataWithoutReward)]);
  if (summary.numberSpellingOnly > 0) lines.push(['numbers spelt otherwise', String(summary.numberSpellingOnly)]);
  if (mismatches.records > 0) {
    lines.push([
      'not as recorded',
      `${formatAmount(mismatches.observations, 'observation')} of ${formatAmount(mismatches.records, 'record')}`,
    ]);
  }
  const { refusedWrites: refused } = summary;
  if (refused.records > 0) {
    lines.push([
      'logged, but refused',
      `${formatAmount(refused.calls, 'change')} of ${formatAmount(refused.records, 'record')} that the log says were made`,
    ]);
  }
  if (Object.keys(summary.taskChangedSince).length > 0) {
    lines.push(['tasks changed since', counts(summary.taskChangedSince)]);
  }
  const width = Math.max(...lines.map(([name]) => name.length));
  return [colors.bold('Summary'), ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join('\n');
}
