/** The first screen of a report. Pure. */

import { formatTask } from '../../evaluation/index.ts';
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
import {
  describeExtent,
  describeRepeatedAttempts,
  describeSubject,
  formatTotal,
  hasScores,
  leaderboardBlocks,
} from './document.ts';
import type { EpisodeRow, RowOutcome } from '../../run-log/index.ts';
import { gateSection } from '../gates/index.ts';
import { conditionSection } from './conditions.ts';
import { LEADERBOARD_KS, findRowNote, type Report } from './report.ts';
import { averageFigure, passHatFigures } from './score-figures.ts';

/** Outcomes that are errors, not choices of the agent or the user. */
const ERRORS: ReadonlySet<string> = new Set<RowOutcome>(['agent_error', 'infrastructure_error', 'max_steps']);

/** Longest error message on the screen, in characters. */
const MAX_ERROR_CHARS = 300;

export function firstScreen(report: Report): Document {
  const { subject, metrics, problems } = report;
  const row = leaderboardBlocks(report);
  // The row already shows its note.
  const remarks = report.remarks.filter((remark) => row.length === 0 || remark !== findRowNote(subject.notes));
  return [
    heading(subject.runId, describeSubject(subject), describeExtent(report)),
    notes([...remarks, ...(problems.length === 0 ? [] : [`${formatAmount(problems.length, 'file')} left out.`])]),
    metrics.episodes + metrics.cancelled === 0
      ? paragraph('No episode has ended.')
      : figures([...(hasScores(report) ? scoreFigures(report) : []), ...countFigures(report), ...costFigures(report)]),
    conditionSection(report),
    gateSection(report.gates),
    ...row,
  ];
}

function* scoreFigures({ metrics, notes: bounds }: Report): Iterable<Figure> {
  const { successWithinTurns, turnScore, uncertainty } = metrics;
  const within = bounds === null ? '' : `; floor ${formatShare(bounds.floor)}, ceiling ${formatShare(bounds.ceiling)}`;
  yield averageFigure(metrics, within);
  yield* passHatFigures(metrics);
  if (turnScore !== null) {
    const shares = LEADERBOARD_KS.flatMap((k) => successWithinTurns.find((share) => share.k === k)?.within ?? []);
    yield {
      name: 'within 1–4 turns',
      value: formatShare(turnScore),
      meaning: `mean of the shares that succeeded within 1, 2, 3, 4 turns: ${shares.map(formatShare).join(', ')}; not pass^k`,
    };
  }
  if (uncertainty.mde !== null) {
    yield {
      name: 'MDE',
      value: formatShare(uncertainty.mde),
      meaning: 'the smallest difference that another such run could show, with 80 % power',
    };
  }
}

/**
 * Returns the most frequent error of a run, with its number of episodes. Messages that differ only in numbers are one
 * error.
 */
export function findFrequentError(
  episodes: readonly EpisodeRow[],
): { readonly message: string; readonly count: number } | null {
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

function* countFigures(report: Report): Iterable<Figure> {
  const { faults, userFaults: users, outcomes, repeated } = report.metrics;
  const errors = Object.entries(outcomes).filter(([outcome]) => ERRORS.has(outcome));
  yield {
    name: 'errors',
    value: String(errors.reduce((sum, [, n]) => sum + n, 0)),
    meaning: formatTally(Object.fromEntries(errors)),
  };
  const error = findFrequentError(report.episodes);
  if (error !== null) yield { name: 'most frequent error', value: String(error.count), meaning: error.message };
  yield users.analyzed === 0
    ? { name: 'suspect users', value: NONE, meaning: 'no conversation was checked' }
    : { name: 'suspect users', value: String(users.suspects), meaning: '' };
  if (repeated !== undefined) {
    const first = `; score of the first attempts ${formatShare(repeated.firstAttempts.averageReward)}`;
    yield {
      name: 'repeated',
      value: String(repeated.episodes),
      meaning: `${describeRepeatedAttempts(repeated)}${first}`,
    };
  }
  if (faults.failed > 0) {
    yield { name: 'failed', value: String(faults.failed), meaning: formatMostFrequent(faults.kinds) };
  }
  const failed = report.tasks.flatMap(({ taskId, taskName, passRate }) =>
    passRate === null || passRate === 1 ? [] : [{ taskId, taskName, passRate }],
  );
  if (failed.length === 0) return;
  const worst = pickWorstTasks(failed).map((task) => `${formatTask(task)} (${formatShare(task.passRate)})`);
  yield { name: 'tasks with failures', value: String(failed.length), meaning: `the worst: ${worst.join(', ')}` };
}

function* costFigures({ metrics: { costs } }: Report): Iterable<Figure> {
  if (costs.roles.length === 0 && costs.unpriced > 0) return;
  yield {
    name: 'cost',
    value: formatTotal(costs),
    meaning:
      `${formatUsd(costs.perEpisodeUsd)} per episode, ${formatUsd(costs.perSuccessUsd)} per success` +
      (costs.roles.length === 0 ? '' : `, ${formatAmount(costs.calls, 'model call')}`),
  };
}
