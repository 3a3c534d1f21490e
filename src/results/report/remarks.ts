/** Caveats on the figures of a report, one sentence each. Pure. */

import { episodeName, type EpisodeKey, type UnfinishedWork } from '../../evaluation/index.ts';
import { isRagged, type Metrics, type Spread } from '../metrics/index.ts';
import { formatAmount, formatUsd } from '../document/index.ts';
import type { ReportSubject } from './subject.ts';
import type { TaskNotes } from '../../run-log/index.ts';

const SCRIPTED_PROVIDER = 'scripted';

export const SCRIPTED_REMARK =
  'The model was scripted: it follows the ground truth, so these figures test the harness and measure no model.';

/** Most names in a sentence, before the number of further ones. */
const MOST_NAMES = 10;

/** Describes missing records: `2 episodes have no record (task-3.trial-0, task-5.trial-1)`. */
export function describeMissing(missing: readonly EpisodeKey[]): string {
  const names = missing.slice(0, MOST_NAMES).map(episodeName).join(', ');
  const more = missing.length > MOST_NAMES ? ` and ${String(missing.length - MOST_NAMES)} more` : '';
  return `${formatAmount(missing.length, 'episode has', 'episodes have')} no record (${names}${more})`;
}

interface RunExtent extends UnfinishedWork {
  /** True if episodes of `base` have no result. */
  readonly isPartial: boolean;
}

export function findRemarks(
  subject: ReportSubject,
  metrics: Metrics,
  unfinished: RunExtent,
  notes: TaskNotes | null,
): string[] {
  return [
    ...subjectRemarks(subject),
    ...wholeRemarks(subject, metrics, unfinished),
    ...extentRemarks(metrics),
    ...leftOutRemarks(subject, metrics),
    ...repairRemarks(subject, metrics),
    ...(notes === null ? [] : [...boundRemarks(metrics, notes), ...displayRemarks(notes)]),
    ...gradingRemarks(metrics),
    ...userRemarks(metrics),
  ];
}

function subjectRemarks({ agentProvider, userProvider, notes }: ReportSubject): string[] {
  // A note of the run may already say that.
  if (notes.some((note) => note.includes('scripted'))) return [];
  if (agentProvider === SCRIPTED_PROVIDER) return [SCRIPTED_REMARK];
  if (userProvider !== SCRIPTED_PROVIDER) return [];
  return ['The simulated user was scripted, so these figures do not compare with any published ones.'];
}

/** Yields remarks on planned episodes without a result. */
function* wholeRemarks(subject: ReportSubject, metrics: Metrics, { missing, isPartial }: RunExtent): Iterable<string> {
  const { status, planned, maxCostUsd, runId } = subject;
  if (status === 'running') {
    yield 'The run is in progress: the figures cover the episodes that have ended.';
  } else if (missing > 0 && planned !== null) {
    const isBudget = status === 'budget_reached' && maxCostUsd !== null;
    const why = isBudget ? ` because the budget of ${formatUsd(maxCostUsd)} is spent` : '';
    const flag = isBudget ? ' --max-cost USD' : '';
    const row = isPartial ? ', and there is no leaderboard row' : ', and those of base are whole';
    yield (
      `The run is incomplete: ${String(missing)} of ${String(planned)} planned episodes have no result${why}. The ` +
      `figures cover the others${row}. Run the missing episodes with ` +
      `\`npx tauflow resume ${runId}${flag}\`.`
    );
  }
  if (metrics.errorsAsFailures.episodes === 0 && (metrics.outcomes.infrastructure_error ?? 0) > 0) {
    yield 'No episode has a score: infrastructure errors ended all of them, so every figure is unknown.';
  }
}

function* extentRemarks({ cancelled, costs, countedAs, trialsPerTask, trials }: Metrics): Iterable<string> {
  if (cancelled > 0) yield `${wereEpisodes(cancelled)} canceled and left out of all figures except the costs.`;
  if (trialsPerTask !== null && isRagged({ countedAs, trialsPerTask, trials }))
    yield describeRagged(trialsPerTask, trials);
  if (costs.unpriced > 0 && costs.roles.length > 0) {
    yield `The cost of some calls is not known in ${formatAmount(costs.unpriced, 'episode')}: costs are lower bounds.`;
  }
}

/** Returns remarks on request fields that a model refused. */
function leftOutRemarks(subject: ReportSubject, { costs }: Metrics): string[] {
  return costs.roles.flatMap(({ role, leftOut = [] }) => {
    if (leftOut.length === 0) return [];
    const none = leftOut.length === 1 ? 'it was' : 'they were';
    return [`${modelOfRole(subject, role)} (${role}) refused ${leftOut.join(', ')}: ${none} left out of its requests.`];
  });
}

/** Returns remarks on replies that had to be repaired. */
function repairRemarks(subject: ReportSubject, { costs }: Metrics): string[] {
  return costs.roles.flatMap(({ role, repairs = [] }) => {
    if (repairs.length === 0) return [];
    const kinds = repairs.map(({ what, replies }) => `${what} (${formatAmount(replies, 'reply', 'replies')})`);
    return [`${modelOfRole(subject, role)} (${role}) sent ${kinds.join('; ')}.`];
  });
}

function modelOfRole(subject: ReportSubject, role: string): string {
  if (role === 'agent') return `${subject.agentProvider ?? ''}/${subject.agentModel ?? ''}`;
  return role === 'user' ? `${subject.userProvider ?? ''}/${subject.userModel ?? ''}` : `The model of ${role}`;
}

/** Describes missing trials and their effect: see docs/reports.md. */
export function describeRagged({ min, max }: Spread, trials: number): string {
  const many = min === max ? String(min) : `${String(min)} to ${String(max)}`;
  return (
    `Tasks have ${many} of ${String(trials)} trials: pass^k counts a missing trial as a failure, as tau-bench does; ` +
    'the average reward is over the existing episodes.'
  );
}

/** Returns remarks on the average reward beside its floor and its ceiling. */
function boundRemarks({ errorsAsFailures, infrastructureErrorsLeftOut, uncertainty }: Metrics, notes: TaskNotes) {
  const { averageReward: average } = errorsAsFailures;
  const { floor, ceiling } = notes;
  // A run with infrastructure errors only shows nothing about the agent.
  if (average === null || infrastructureErrorsLeftOut.episodes === 0) return [];
  const start = `The average reward ${average.toFixed(3)} is`;
  const idle = `that of an agent that does and says nothing, ${floor.toFixed(3)}`;
  if (average > ceiling) {
    return [
      `${start} above the ceiling of ${ceiling.toFixed(3)}: a task was solved whose ground truth has an error, which is ` +
        'suspicious.',
    ];
  }
  if (average <= floor) return [`${start} no better than ${idle}.`];
  if (uncertainty.wilson === null || uncertainty.wilson.low > floor) return [];
  return [`${start} not shown to be better than ${idle}: with so few episodes the difference may be chance.`];
}

/** Returns remarks on displays that show a few-shot agent the solutions of its own tasks. */
function displayRemarks({ displays }: TaskNotes): string[] {
  if (displays === undefined) return [];
  const { total, own, leftOut } = displays;
  if (own.length === 0) return [`None of the ${String(total)} displays is about the user or the records of a task.`];
  const most = own.reduce((max, { count }) => Math.max(max, count), 0);
  const tasks = formatAmount(own.length, 'task');
  const many = `For ${tasks}, up to ${String(most)} of the ${String(total)} displays are about the user or the records of the task`;
  return [`${many}: they were ${leftOut ? '' : 'not '}left out.`];
}

function* gradingRemarks({ numberSpellingOnly, wouldHavePassed, outcomes }: Metrics): Iterable<string> {
  const { max_steps: cut = 0 } = outcomes;
  if (numberSpellingOnly > 0) {
    yield (
      `${wereEpisodes(numberSpellingOnly)} graded 0 only for the spelling of a number (such as 131.0 for 131), ` +
      'which the benchmark counts as wrong.'
    );
  }
  if (cut > 0) {
    yield (
      `${formatAmount(cut, 'episode')} ran out of steps (--max-steps), which the benchmark counts as a failure; ` +
      `in ${wouldHavePassed === 0 ? 'none' : String(wouldHavePassed)} of them everything was correct by then.`
    );
  }
}

/** Returns a remark if at least half of the episodes have a suspect user. */
function userRemarks({ userFaults: { analyzed, suspects } }: Metrics): string[] {
  if (suspects === 0 || 2 * suspects < analyzed) return [];
  const many = `${String(suspects)} of ${formatAmount(analyzed, 'episode has', 'episodes have')} a suspect user`;
  return [`${many}: this run says little about the agent. Take another model for the user, or read what it says.`];
}

function wereEpisodes(count: number): string {
  return formatAmount(count, 'episode was', 'episodes were');
}
