/** What a reader has to know before trusting a run's figures, one sentence each. Pure. */

import { episodeName, type EpisodeKey, type UnfinishedWork } from '../../wire/index.ts';
import { isRagged, type Metrics, type Spread } from '../metrics/index.ts';
import { formatUsd } from '../document/index.ts';
import type { ReportSubject } from './report.ts';
import type { TaskNotes } from '../log/index.ts';

export const SCRIPTED_PROVIDER = 'scripted';

export const SCRIPTED_REMARK =
  'The model was scripted: it plays from the ground truth, so these figures show that the harness works and say ' +
  'nothing about any model.';

/** Names that a sentence lists; the rest are counted. */
const MOST_NAMES = 10;

/** `2 episodes have no record (task-3.trial-0, task-5.trial-1)` */
export function missingSentence(missing: readonly EpisodeKey[]): string {
  const names = missing.slice(0, MOST_NAMES).map(episodeName).join(', ');
  const more = missing.length > MOST_NAMES ? ` and ${String(missing.length - MOST_NAMES)} more` : '';
  return `${missing.length === 1 ? '1 episode has' : `${String(missing.length)} episodes have`} no record (${names}${more})`;
}

export function remarksOn(
  subject: ReportSubject,
  metrics: Metrics,
  unfinished: UnfinishedWork,
  notes: TaskNotes | null,
): string[] {
  return [
    ...subjectRemarks(subject),
    ...wholeRemarks(subject, metrics, unfinished),
    ...extentRemarks(metrics),
    ...(notes === null ? [] : [...boundRemarks(metrics, notes), ...displayRemarks(subject, notes)]),
    ...gradingRemarks(metrics),
  ];
}

function subjectRemarks(subject: ReportSubject): string[] {
  const remarks: string[] = [];
  // The one who started the run may have noted it already, in words of his own.
  const isNoted = subject.notes.some((note) => note.includes('scripted'));
  if (subject.agentProvider === SCRIPTED_PROVIDER && !isNoted) remarks.push(SCRIPTED_REMARK);
  else if (subject.userProvider === SCRIPTED_PROVIDER && !isNoted) {
    remarks.push('The simulated user was scripted, so these figures do not compare with any published ones.');
  }
  return remarks;
}

/** Whether the figures are of the whole run. */
function wholeRemarks(subject: ReportSubject, metrics: Metrics, { missing }: UnfinishedWork): string[] {
  const remarks: string[] = [];
  const { status, planned, maxCostUsd, runId } = subject;
  if (status === 'running') {
    remarks.push('The run is still in progress: the figures are of the episodes that have ended.');
  } else if (missing > 0 && planned !== null) {
    const isBudget = status === 'budget_reached' && maxCostUsd !== null;
    const why = isBudget ? ` because the budget of ${formatUsd(maxCostUsd)} is spent` : '';
    const flag = isBudget ? ' --max-cost USD' : '';
    remarks.push(
      `The run is incomplete: ${String(missing)} of ${String(planned)} planned episodes have no result${why}. The ` +
        'figures are of the others, and there is no leaderboard row. Run the rest with ' +
        `\`npx tauflow run --run-id ${runId}${flag}\`.`,
    );
  }
  if (metrics.errorsAsFailures.episodes === 0 && (metrics.outcomes.infrastructure_error ?? 0) > 0) {
    remarks.push('No episode has a score: infrastructure errors ended all of them, so every figure is unknown.');
  }
  return remarks;
}

function extentRemarks({ cancelled, costs, trialsPerTask, trials }: Metrics): string[] {
  const remarks: string[] = [];
  if (cancelled > 0) remarks.push(`${episodes(cancelled)} cancelled and left out of every figure but the costs.`);
  if (trialsPerTask !== null && isRagged({ trialsPerTask, trials })) {
    remarks.push(raggedRemark(trialsPerTask, trials));
  }
  if (costs.unpriced > 0 && costs.roles.length > 0) {
    remarks.push(`The price of a model is not known in ${String(costs.unpriced)} episodes: costs are lower bounds.`);
  }
  return remarks;
}

/** The rule for tasks that lack trials: see docs/reports.md. */
export function raggedRemark({ min, max }: Spread, trials: number): string {
  const many = min === max ? String(min) : `${String(min)} to ${String(max)}`;
  return (
    `Tasks have ${many} of ${String(trials)} trials: pass^k counts a trial that a task lacks as a failure, as tau-bench ` +
    'does; the average reward is over the episodes that there are.'
  );
}

/** The score beside what the tasks give for nothing, and what they can give at most. */
function boundRemarks({ errorsAsFailures, infrastructureErrorsLeftOut, uncertainty }: Metrics, notes: TaskNotes) {
  const { averageReward: average } = errorsAsFailures;
  const { floor, ceiling } = notes;
  // What infrastructure spoilt altogether says nothing of the agent.
  if (average === null || infrastructureErrorsLeftOut.episodes === 0) return [];
  if (average > ceiling) {
    return [
      `The average reward ${average.toFixed(3)} is above what the ground truths allow, ${ceiling.toFixed(3)}: that is ` +
        'suspicious, for then a task was solved whose ground truth cannot be right.',
    ];
  }
  if (average <= floor) {
    return [
      `The average reward ${average.toFixed(3)} is no better than that of an agent that does and says nothing, ` +
        `${floor.toFixed(3)}.`,
    ];
  }
  if (uncertainty.wilson !== null && uncertainty.wilson.low <= floor) {
    return [
      `The average reward ${average.toFixed(3)} is not shown to be better than that of an agent that does and says ` +
        `nothing, ${floor.toFixed(3)}: with so few episodes the difference may be chance.`,
    ];
  }
  return [];
}

/** Whether the solutions of its own tasks were among what a few-shot agent was shown. */
function displayRemarks(subject: ReportSubject, { displays }: TaskNotes): string[] {
  if (displays === undefined) return [];
  const { total, own, leftOut } = displays;
  if (own.length === 0) return [`None of the ${String(total)} displays is about a task's own customer or records.`];
  const most = own.reduce((max, { count }) => Math.max(max, count), 0);
  const tasks = own.length === 1 ? '1 task' : `${String(own.length)} tasks`;
  const many = `For ${tasks} some of the ${String(total)} displays, ${String(most)} at most, are about their own customer or records`;
  return [leftOut ? `${many}: these were left out.` : `${many}: these were not left out.`];
}

function gradingRemarks({ numberSpellingOnly, wouldHavePassed }: Metrics): string[] {
  const remarks: string[] = [];
  if (numberSpellingOnly > 0) {
    remarks.push(
      `${episodes(numberSpellingOnly)} graded 0 only for how a number is spelt (such as 131.0 for 131), ` +
        'which the benchmark counts as wrong.',
    );
  }
  if (wouldHavePassed > 0) {
    remarks.push(
      `${episodes(wouldHavePassed)} out of steps with everything right, which the benchmark counts as wrong.`,
    );
  }
  return remarks;
}

function episodes(count: number): string {
  return count === 1 ? '1 episode was' : `${String(count)} episodes were`;
}
