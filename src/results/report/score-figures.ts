/** Figures of a report: scores, their bounds, and their uncertainty. Pure. */

import { contents } from '../../benchmarks/contents.ts';
import type { Interval } from '../../stats/index.ts';
import {
  NONE,
  formatAmount,
  formatCount,
  formatInterval,
  formatMean,
  formatPercent,
  formatShare,
  type Figure,
} from '../document/index.ts';
import type { TaskNotes } from '../../run-log/index.ts';
import {
  isRagged,
  leavesErrorsOut,
  leftOutWords,
  type Metrics,
  type PassHat,
  type RewardReading,
  type Spread,
} from '../metrics/index.ts';
import { LEADERBOARD_KS, type Report } from './report.ts';
import type { ReportSubject } from './subject.ts';

export function scoreFigures({ subject, metrics, notes }: Report): Figure[] {
  const {
    errorsAsFailures: all,
    infrastructureErrorsLeftOut: blameless,
    withoutSuspects,
    userFaults: users,
    repeated,
  } = metrics;
  const score = metrics.overallScore;
  return [
    averageFigure(metrics, leavesErrorsOut(metrics) ? '' : ', errors counted as failures'),
    ...boundFigures(subject, notes),
    ...passHatFigures(metrics),
    {
      name: 'overall score',
      value: formatShare(score?.value ?? null),
      meaning: score === null ? 'no episode has a score' : describeOverall(score.ks),
    },
    ...(blameless.episodes !== all.episodes || isRagged(metrics)
      ? readingFigures(blameless, leftOutWords(metrics))
      : []),
    ...(users.suspects > 0 ? readingFigures(withoutSuspects, 'suspect users left out') : []),
    ...(repeated === undefined ? [] : readingFigures(repeated.firstAttempts, 'first attempts')),
    ...turnFigures(metrics),
    spreadFigure('steps to success', metrics.stepsToSuccess, 'environment steps of the successful episodes'),
    spreadFigure('success turn', metrics.successTurn, 'user turn in which the successful episodes ended'),
  ];
}

/** @param further text that follows the number of successes */
export function averageFigure(metrics: Metrics, further: string): Figure {
  const { errorsAsFailures: all, countedAs, outcomes } = metrics;
  const title = contents.find(({ name }) => name === countedAs)?.title ?? countedAs;
  const errors = leavesErrorsOut(metrics) ? (outcomes.infrastructure_error ?? 0) : 0;
  const leftOut =
    errors === 0 ? '' : `; ${formatAmount(errors, 'infrastructure error')} left out, as ${title}'s metrics do`;
  return {
    name: 'average reward',
    value: formatShare(all.averageReward),
    meaning:
      all.episodes === 0
        ? 'no episode has a score'
        : `${String(all.successes)} of ${formatAmount(all.episodes, 'episode')} succeeded${leftOut}${further}`,
  };
}

/** Returns figures of pass^k with their intervals; the first one explains the estimator. */
export function passHatFigures({ errorsAsFailures, uncertainty }: Metrics): Figure[] {
  const intervals = new Map(uncertainty.passHatK.map(({ k, interval }) => [k, interval]));
  return readPassHats(errorsAsFailures, '').map(({ k, ...figure }) => ({
    ...figure,
    interval: formatBounds(intervals.get(k) ?? null),
  }));
}

/** Names the figures of a mean: `mean of pass^1, pass^2`. */
function describeOverall(ks: readonly number[]): string {
  const names = ks.map((k) => `pass^${String(k)}`).join(', ');
  return ks.length === 1 ? `${names} alone: tasks have one trial` : `mean of ${names}`;
}

/** Returns figures of success within k and in exactly k turns, for the k of a leaderboard. */
function turnFigures({ successWithinTurns: byTurns }: Metrics): Figure[] {
  const figure = (name: string, share: 'within' | 'exactly', adverb: string) =>
    LEADERBOARD_KS.map((k, at) => ({
      name: `success ${name} ${formatAmount(k, 'turn')}`,
      value: formatShare(byTurns.find((entry) => entry.k === k)?.[share] ?? null),
      meaning: `${at === 0 ? 'share of episodes that succeeded with the agent speaking ' : ''}${adverb}${k === 1 ? 'once' : `${String(k)} times`}`,
    }));
  return [...figure('within', 'within', 'at most '), ...figure('in exactly', 'exactly', '')];
}

/** Returns the shares of tasks that an agent solves by doing nothing, and of tasks that can be solved. */
function boundFigures({ pack }: ReportSubject, notes: TaskNotes | null): Figure[] {
  if (notes === null) {
    const why = pack === null ? 'name the tasks of a file with --env and --pack' : 'the pack is not here to be audited';
    return [{ name: 'floor and ceiling', value: NONE, meaning: `not known: ${why}` }];
  }
  const errors = notes.defects.filter(({ severity }) => severity === 'wrong');
  const wrong = new Set(errors.map(({ taskId }) => taskId)).size;
  return [
    {
      name: 'floor',
      value: formatShare(notes.floor),
      meaning: `an agent that does and says nothing solves ${formatAmount(notes.doNothing.length, 'task')}`,
    },
    {
      name: 'ceiling',
      value: formatShare(notes.ceiling),
      meaning:
        wrong === 0
          ? 'no known error in a ground truth'
          : `${formatAmount(wrong, 'task')} with an error in the ground truth`,
    },
  ];
}

function readingFigures(reading: RewardReading, which: string): Figure[] {
  return [
    {
      name: `average reward, ${which}`,
      value: formatShare(reading.averageReward),
      interval: formatBounds(reading.interval),
      meaning: `${String(reading.successes)} of ${formatAmount(reading.episodes, 'episode')} succeeded`,
    },
    ...readPassHats(reading, `, ${which}`).map(({ k: _, ...figure }) => figure),
  ];
}

function readPassHats(reading: RewardReading, which: string): (Figure & Pick<PassHat, 'k'>)[] {
  const shown = shownPassHats(reading);
  return shown.map((passHat, at) => ({
    k: passHat.k,
    name: `pass^${String(passHat.k)}${which}`,
    value: formatShare(passHat.value),
    meaning: passHatMeaning(passHat, shown[at - 1]),
  }));
}

/** Returns pass^1 … pass^4 and, with more trials, the last one. */
function shownPassHats(reading: RewardReading): readonly PassHat[] {
  const last = reading.passHatK.at(-1);
  const shown = reading.passHatK.filter((passHat) => passHat.k <= 4);
  return last !== undefined && last.k > 4 ? [...shown, last] : shown;
}

function passHatMeaning({ k, tasks, trials }: PassHat, before: PassHat | undefined): string {
  const event = k === 1 ? 'one trial succeeds' : `${String(k)} trials of a task all succeed`;
  const n = trials === null ? 'n differs by task' : `n = ${String(trials)}`;
  const over = `${n}, ${formatAmount(tasks, 'task')}`;
  if (before === undefined) return `${event}; pass^k is the mean of C(c,k)/C(n,k), ${over}`;
  return before.tasks === tasks && before.trials === trials ? event : `${event}, ${over}`;
}

function formatBounds(bounds: Interval | null): string | undefined {
  return bounds === null ? undefined : formatInterval(bounds);
}

function spreadFigure(name: string, spread: Spread | null, meaning: string): Figure {
  if (spread === null) return { name, value: NONE, meaning };
  const { median, min, max } = spread;
  return {
    name,
    value: formatMean(spread.mean),
    meaning: `mean ${meaning}; median ${formatMean(median)}, ${String(min)} to ${String(max)}`,
  };
}

/** Yields the figures of uncertainty; none without an episode that has a score. */
export function* uncertaintyFigures({ metrics }: Report): Iterable<Figure> {
  const { uncertainty, errorsAsFailures } = metrics;
  const { wilson, flips, variance, mde, trialsNeeded } = uncertainty;
  if (errorsAsFailures.episodes === 0) return;
  // With one trial per task, all variance counts as between trials.
  const atMost = variance === null ? 'at most: ' : '';
  if (wilson !== null) {
    yield {
      name: isRagged(metrics) ? 'successes by Wilson' : 'pass^1 by Wilson',
      value: formatShare(errorsAsFailures.successes / errorsAsFailures.episodes),
      interval: formatInterval(wilson),
      meaning:
        `${formatPercent(wilson.level)} CI if every episode were independent, n = ` +
        `${formatCount(errorsAsFailures.episodes)}; the other intervals are over tasks`,
    };
  }
  yield {
    name: 'flip rate',
    value: formatShare(flips.rate),
    meaning:
      flips.disagreement === null
        ? 'no task has two trials'
        : `${String(flips.flipped)} of ${formatAmount(flips.tasks, 'task')} solved in some trials and not in others; two ` +
          `trials of a task disagree in ${formatPercent(flips.disagreement)} of cases`,
  };
  if (variance !== null && variance.taskShare !== null) {
    yield {
      name: 'variance between tasks',
      value: formatPercent(variance.taskShare),
      meaning:
        `${variance.betweenTasks.toFixed(3)} between tasks, ${variance.betweenTrials.toFixed(3)} between trials of ` +
        'a task; more trials reduce only the latter',
    };
  }
  yield {
    name: 'MDE',
    value: formatShare(mde),
    meaning:
      mde === null
        ? 'minimum detectable effect: not known, because nothing varied, or larger than any possible difference'
        : `${atMost}minimum detectable effect: the smallest difference that a comparison with another such run shows with 80 % power`,
  };
  for (const { difference, trials } of trialsNeeded) {
    if (trials === null) continue;
    const name = `trials to show ${String(difference)}`;
    yield { name, value: formatCount(trials), meaning: `${atMost}per task, in each of two runs` };
  }
}
