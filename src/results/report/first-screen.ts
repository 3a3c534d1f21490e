/** The first screen of a report: what to know first, and what to show to a colleague. Pure. */

import {
  NONE,
  figures,
  formatAmount,
  formatMostFrequent,
  formatShare,
  formatTally,
  formatUsd,
  pickWorstTasks,
  heading,
  notes,
  paragraph,
  type Document,
  type Figure,
} from '../document/index.ts';
import { describeExtent, describeSubject, formatTotal, hasScores, leaderboardBlocks } from './document.ts';
import type { RowOutcome } from '../../run-log/index.ts';
import { LEADERBOARD_KS, findRowNote, type Report } from './report.ts';
import type { Metrics } from '../metrics/index.ts';
import { averageFigure, passHatFigures } from './score-figures.ts';

/** Ends of episodes that neither side of the conversation chose. */
const ERRORS: ReadonlySet<string> = new Set<RowOutcome>(['agent_error', 'infrastructure_error', 'max_steps']);

/** Longest message of an error on the screen. */
const MAX_ERROR_CHARS = 300;

export function firstScreen(report: Report): Document {
  const { subject, metrics, problems } = report;
  const row = leaderboardBlocks(report);
  // What is said under the row is not said twice.
  const remarks = report.remarks.filter((remark) => row.length === 0 || remark !== findRowNote(subject.notes));
  return [
    heading(subject.runId, describeSubject(subject), describeExtent(report)),
    notes([...remarks, ...(problems.length === 0 ? [] : [`${formatAmount(problems.length, 'file')} left out.`])]),
    metrics.episodes + metrics.cancelled === 0
      ? paragraph('No episode has ended.')
      : figures([...(hasScores(report) ? scoreFigures(report) : []), ...countFigures(report), ...costFigures(report)]),
    ...row,
  ];
}

/** The other reading of pass^k, by turns instead of trials, under its own name. */
function turnFigure({ successWithinTurns, turnScore }: Metrics): Figure[] {
  const shares = LEADERBOARD_KS.flatMap((k) => successWithinTurns.find((share) => share.k === k)?.within ?? []);
  if (turnScore === null) return [];
  return [
    {
      name: 'within 1–4 turns',
      value: formatShare(turnScore),
      meaning: `mean of the shares that succeeded within 1, 2, 3, 4 turns: ${shares.map(formatShare).join(', ')}; not pass^k`,
    },
  ];
}

function scoreFigures({ metrics, notes: bounds }: Report): Figure[] {
  const { uncertainty } = metrics;
  const within = bounds === null ? '' : `; floor ${formatShare(bounds.floor)}, ceiling ${formatShare(bounds.ceiling)}`;
  return [
    averageFigure(metrics, within),
    ...passHatFigures(metrics),
    ...turnFigure(metrics),
    ...(uncertainty.mde === null
      ? []
      : [
          {
            name: 'MDE',
            value: formatShare(uncertainty.mde),
            meaning: 'the smallest difference that another such run could show, with 80 % power',
          },
        ]),
  ];
}

/** The most frequent error of a run, with its number of episodes. Numbers in a message, such as ids, make no other error. */
export function findFrequentError({ episodes }: Report): { readonly message: string; readonly count: number } | null {
  const counts = new Map<string, { message: string; count: number }>();
  for (const { error } of episodes) {
    if (error === null) continue;
    const [line = ''] = error.slice(0, MAX_ERROR_CHARS).split('\n', 1);
    const key = line.replace(/\d+/g, '0');
    counts.set(key, { message: counts.get(key)?.message ?? line, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].reduce<{ message: string; count: number } | null>(
    (most, each) => (most === null || each.count > most.count ? each : most),
    null,
  );
}

function errorFigures(report: Report): Figure[] {
  const error = findFrequentError(report);
  if (error === null) return [];
  return [{ name: 'most frequent error', value: String(error.count), meaning: error.message }];
}

function countFigures(report: Report): Figure[] {
  const { metrics } = report;
  const { faults, userFaults: users, outcomes } = metrics;
  const errors = Object.entries(outcomes).filter(([outcome]) => ERRORS.has(outcome));
  return [
    {
      name: 'errors',
      value: String(errors.reduce((sum, [, n]) => sum + n, 0)),
      meaning: formatTally(Object.fromEntries(errors)),
    },
    ...errorFigures(report),
    {
      name: 'suspect users',
      value: users.analyzed === 0 ? NONE : String(users.suspects),
      meaning: users.analyzed === 0 ? 'no conversation was checked' : '',
    },
    ...(faults.failed === 0
      ? []
      : [
          {
            name: 'failed',
            value: String(faults.failed),
            meaning: formatMostFrequent(faults.kinds),
          },
        ]),
    ...worstTasks(report),
  ];
}

/** Tasks that were solved in the fewest of their trials; none where all trials were. */
function worstTasks({ tasks }: Report): Figure[] {
  const failed = tasks.flatMap((task) =>
    task.passRate === null || task.passRate === 1 ? [] : [{ ...task, passRate: task.passRate }],
  );
  if (failed.length === 0) return [];
  const worst = pickWorstTasks(failed).map(({ taskId, passRate }) => `${String(taskId)} (${formatShare(passRate)})`);
  return [{ name: 'tasks with failures', value: String(failed.length), meaning: `the worst: ${worst.join(', ')}` }];
}

function costFigures({ metrics: { costs } }: Report): Figure[] {
  if (costs.roles.length === 0 && costs.unpriced > 0) return [];
  return [
    {
      name: 'cost',
      value: formatTotal(costs),
      meaning:
        `${formatUsd(costs.perEpisodeUsd)} per episode, ${formatUsd(costs.perSuccessUsd)} per success, ` +
        formatAmount(costs.calls, 'model call'),
    },
  ];
}
