/** A report as Markdown, to be pasted into an issue or a wiki. */

import { customerLines, defectLines, defectMark, faultLines, faultTypeLines } from './fault-lines.ts';
import { formatMean, formatRewards, formatShare, formatTally, formatUsd } from '../document/index.ts';
import { LEADERBOARD_HEADER, rowNote } from './leaderboard.ts';
import { escapeCell, markdownTable } from './markdown-table.ts';
import { costLines, countLines, roleTable } from './cost-lines.ts';
import { aggregateLines, extentLine, hasScores, subjectLine, type Line } from './lines.ts';
import type { Report } from './report.ts';
import type { TaskRow } from './task-rows.ts';
import { uncertaintyLines } from './uncertainty-lines.ts';

export function reportToMarkdown(report: Report): string {
  const { subject, tasks, metrics } = report;
  const roles = roleTable(report);
  const section = (title: string, lines: readonly Line[]) =>
    lines.length === 0 ? '' : `## ${title}\n\n${lineTable(lines)}`;
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `## ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
  const sections = [
    `# ${escapeCell(subject.runId)}`,
    [subjectLine(subject), extentLine(report)]
      .filter((line) => line !== '')
      .map(escapeCell)
      .join('  \n'),
    report.remarks.map((remark) => `> ${remark}`).join('\n>\n'),
    hasScores(report) ? section('Results', aggregateLines(report)) : '',
    section('Uncertainty', uncertaintyLines(report)),
    report.leaderboardRow === null
      ? ''
      : `## Leaderboard row\n\n${[...LEADERBOARD_HEADER, report.leaderboardRow].join('\n')}${rowRemark(subject.notes)}`,
    section('Why episodes failed', faultLines(report)),
    section("Fault types (tau-bench's)", faultTypeLines(report)),
    section('Customers', customerLines(report)),
    section('Costs', costLines(report)),
    roles === null ? '' : `## Model calls by role\n\n${markdownTable(roles.head, roles.rows)}`,
    section('Counts', countLines(report)),
    `## Outcomes\n\n${formatTally(metrics.outcomes) || 'No episode has ended.'}`,
    `## Tasks\n\n${taskTable(tasks)}`,
    list('Known defects of tasks (! wrong, ? suspicious)', defectLines(report).map(escapeCell)),
    list('Files left out', report.problems),
  ];
  return `${sections.filter((part) => part !== '').join('\n\n')}\n`;
}

function rowRemark(notes: readonly string[]): string {
  const note = rowNote(notes);
  return note === null ? '' : `\n\n> ${note}`;
}

const TASK_HEAD = 'Task,Trials,Rewards,Pass rate,Steps,Steps to success,Success turn,Cost,Outcome,Fault,Suspect'.split(
  ',',
);

function taskTable(tasks: readonly TaskRow[]): string {
  return markdownTable(
    TASK_HEAD,
    tasks.map((task) => [
      `${defectMark(task.defects)}${String(task.taskId)}`,
      String(task.trials),
      formatRewards(task.rewards),
      formatShare(task.passRate),
      formatMean(task.steps),
      formatMean(task.stepsToSuccess),
      formatMean(task.successTurn),
      formatUsd(task.costUsd),
      formatTally(task.outcomes),
      formatTally(task.faults),
      task.suspects === 0 ? '' : String(task.suspects),
    ]),
  );
}

function lineTable(lines: readonly Line[]): string {
  return markdownTable(
    ['', '', ''],
    lines.map(({ name, value, interval, meaning }) => [
      name,
      interval === undefined ? value : `${value} ${interval}`,
      meaning,
    ]),
  );
}
