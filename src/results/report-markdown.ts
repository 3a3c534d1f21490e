/** A report as Markdown, to be pasted into an issue or a wiki. */

import { meanCount, outcomes, rewardsPerTrial, share, usd } from './figures.ts';
import { LEADERBOARD_HEADER } from './leaderboard.ts';
import { escapeCell, markdownTable } from './markdown.ts';
import {
  aggregateLines,
  costLines,
  countLines,
  extentLine,
  hasScores,
  roleTable,
  subjectLine,
  type Line,
} from './report-lines.ts';
import type { Report } from './report.ts';

export function reportToMarkdown(report: Report): string {
  const { subject, tasks, metrics } = report;
  const roles = roleTable(report);
  const counts = countLines(report);
  const sections = [
    `# ${escapeCell(subject.runId)}`,
    [subjectLine(subject), extentLine(report)]
      .filter((line) => line !== '')
      .map(escapeCell)
      .join('  \n'),
    report.remarks.map((remark) => `> ${remark}`).join('\n>\n'),
    hasScores(report) ? `## Results\n\n${lineTable(aggregateLines(report))}` : '',
    report.leaderboardRow === null
      ? ''
      : `## Leaderboard row\n\n${[...LEADERBOARD_HEADER, report.leaderboardRow].join('\n')}`,
    `## Costs\n\n${lineTable(costLines(report))}`,
    roles === null ? '' : `## Model calls by role\n\n${markdownTable(roles.head, roles.rows)}`,
    counts.length === 0 ? '' : `## Counts\n\n${lineTable(counts)}`,
    `## Outcomes\n\n${outcomes(metrics.outcomes) || 'No episode has ended.'}`,
    `## Tasks\n\n${markdownTable(
      ['Task', 'Trials', 'Rewards', 'Pass rate', 'Steps', 'Steps to success', 'Success turn', 'Cost', 'Outcome'],
      tasks.map((task) => [
        String(task.taskId),
        String(task.trials),
        rewardsPerTrial(task.rewards),
        share(task.passRate),
        meanCount(task.steps),
        meanCount(task.stepsToSuccess),
        meanCount(task.successTurn),
        usd(task.costUsd),
        outcomes(task.outcomes),
      ]),
    )}`,
    report.problems.length === 0 ? '' : `## Files left out\n\n${report.problems.map((line) => `- ${line}`).join('\n')}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function lineTable(lines: readonly Line[]): string {
  return markdownTable(
    ['', '', ''],
    lines.map((line) => [line.name, line.value, line.meaning]),
  );
}
