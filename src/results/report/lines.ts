/** The report's aggregates as labelled lines: one wording for the terminal and for Markdown. Pure. */

import { NONE, formatCount, formatDuration, formatInterval, formatMean, formatShare } from '../document/index.ts';
import { isRagged, leftOutWords, type PassHat, type RewardReading, type Spread } from '../metrics/index.ts';
import type { Interval } from '../../stats/index.ts';
import { LEADERBOARD_KS } from './leaderboard.ts';
import type { Report, ReportSubject } from './report.ts';
import type { TaskDefect, TaskNotes } from '../log/index.ts';

/** A name, a figure, and what the figure is. */
export interface Line {
  readonly name: string;
  readonly value: string;
  /** `[0.74, 0.89]`; absent: the figure has none. */
  readonly interval?: string;
  readonly meaning: string;
}

/** @returns true if any episode has a reward; what was only decided has none */
export function hasScores({ metrics }: Report): boolean {
  return metrics.decided === 0 || metrics.decided < metrics.episodes;
}

/** The figures of the rewards. */
export function aggregateLines({ subject, metrics, notes }: Report): Line[] {
  const { errorsAsFailures: all, infrastructureErrorsLeftOut: blameless, withoutSuspects, customer } = metrics;
  const intervals = new Map(metrics.uncertainty.passHatK.map(({ k, interval: bounds }) => [k, bounds]));
  const lines: Line[] = [
    {
      name: 'average reward',
      value: formatShare(all.averageReward),
      meaning:
        all.episodes === 0
          ? 'no episode has a score'
          : `${String(all.successes)} of ${episodes(all.episodes)} succeeded, errors counted as failures`,
    },
    ...boundLines(subject, notes),
    ...shownPassHats(all).map((passHat) => ({
      name: `pass^${String(passHat.k)}`,
      value: formatShare(passHat.value),
      ...withInterval(intervals.get(passHat.k) ?? null),
      meaning: passHatMeaning(passHat),
    })),
  ];
  const score = metrics.overallScore;
  lines.push({
    name: 'overall score',
    value: formatShare(score?.value ?? null),
    meaning:
      score === null ? 'no episode has a score' : `mean of ${score.ks.map((k) => `pass^${String(k)}`).join(', ')}`,
  });
  if (blameless.episodes !== all.episodes || isRagged(metrics)) {
    lines.push(...readingLines(blameless, leftOutWords(metrics)));
  }
  if (customer.suspects > 0) lines.push(...readingLines(withoutSuspects, 'suspect customers left out'));
  for (const k of LEADERBOARD_KS) {
    const turn = metrics.successWithinTurns.find((entry) => entry.k === k);
    lines.push({
      name: `success within ${String(k)} turn${k === 1 ? '' : 's'}`,
      value: formatShare(turn?.within ?? null),
      meaning: `share of episodes that succeeded with the agent speaking at most ${k === 1 ? 'once' : `${String(k)} times`}`,
    });
  }
  lines.push(
    spreadLine('steps to success', metrics.stepsToSuccess, 'environment steps of the successful episodes'),
    spreadLine('success turn', metrics.successTurn, 'user turn in which the successful episodes ended'),
  );
  return lines;
}

/** Between what the average reward lies: what the tasks give for nothing, and what they can give at most. */
function boundLines({ pack }: ReportSubject, notes: TaskNotes | null): Line[] {
  if (notes === null) {
    const why = pack === null ? '--env and --pack say what a file was run on' : 'the pack is not here to be audited';
    return [{ name: 'floor and ceiling', value: NONE, meaning: `not known: ${why}` }];
  }
  const wrong = new Set(notes.defects.filter(isWrong).map(({ taskId }) => taskId)).size;
  return [
    {
      name: 'floor',
      value: formatShare(notes.floor),
      meaning: `an agent that does and says nothing solves ${tasksWord(notes.doNothing.length)}`,
    },
    {
      name: 'ceiling',
      value: formatShare(notes.ceiling),
      meaning:
        wrong === 0 ? 'no ground truth is known to be wrong' : `${tasksWord(wrong)} with a ground truth that is wrong`,
    },
  ];
}

function readingLines(reading: RewardReading, what: string): Line[] {
  return [
    {
      name: `average reward, ${what}`,
      value: formatShare(reading.averageReward),
      ...withInterval(reading.interval),
      meaning: `${String(reading.successes)} of ${episodes(reading.episodes)} succeeded`,
    },
    ...shownPassHats(reading).map((passHat) => ({
      name: `pass^${String(passHat.k)}, ${what}`,
      value: formatShare(passHat.value),
      meaning: passHatMeaning(passHat),
    })),
  ];
}

/** What was run, as one line: `retail (test), tool-calling, gpt-4o, no policy; user gpt-4o (llm); pack shop (1a2b…)`. */
export function subjectLine(subject: ReportSubject): string {
  const agent = [
    subject.env === null ? null : `${subject.env}${subject.split === null ? '' : ` (${subject.split})`}`,
    subject.strategy,
    subject.agentModel,
    ...subject.variants,
  ];
  const user = subject.userModel === null ? null : `user ${subject.userModel} (${subject.userStrategy ?? 'llm'})`;
  const pack = subject.pack === null ? null : `pack ${subject.pack}`;
  return [agent.filter((part) => part !== null).join(', '), user, pack].filter(Boolean).join('; ');
}

/** How much was run and how long it took: `115 tasks × 4 trials: 460 episodes in 12 min 5 s`. */
export function extentLine({ metrics, subject }: Report): string {
  const tasks = `${String(metrics.tasks)} task${metrics.tasks === 1 ? '' : 's'}`;
  const trials = `${String(metrics.trials)} trial${metrics.trials === 1 ? '' : 's'}`;
  const took =
    subject.startedAt === null || subject.endedAt === null
      ? ''
      : ` in ${formatDuration(Date.parse(subject.endedAt) - Date.parse(subject.startedAt))}`;
  return `${tasks} × ${trials}: ${episodes(metrics.episodes)}${took}`;
}

/** pass^1 … pass^4 and, where there were more trials, the last. */
function shownPassHats(reading: RewardReading): readonly PassHat[] {
  const last = reading.passHatK.at(-1);
  const shown = reading.passHatK.filter((passHat) => passHat.k <= 4);
  return last !== undefined && last.k > 4 ? [...shown, last] : shown;
}

function passHatMeaning({ k, tasks, trials }: PassHat): string {
  const what = k === 1 ? 'one trial succeeds' : `${String(k)} trials of a task all succeed`;
  const n = trials === null ? 'n differs by task' : `n = ${String(trials)}`;
  return `${what}: mean of C(c,k)/C(n,k), k = ${String(k)}, ${n}, ${String(tasks)} task${tasks === 1 ? '' : 's'}`;
}

function withInterval(bounds: Interval | null): Pick<Line, 'interval'> {
  return bounds === null ? {} : { interval: formatInterval(bounds) };
}

function isWrong({ severity }: TaskDefect): boolean {
  return severity === 'wrong';
}

/** `1 task`, `3 tasks` */
export function tasksWord(n: number): string {
  return n === 1 ? '1 task' : `${String(n)} tasks`;
}

function spreadLine(name: string, spread: Spread | null, what: string): Line {
  if (spread === null) return { name, value: NONE, meaning: what };
  const { median, min, max } = spread;
  return {
    name,
    value: formatMean(spread.mean),
    meaning: `mean ${what}; median ${formatMean(median)}, ${String(min)} to ${String(max)}`,
  };
}

export function episodes(n: number): string {
  return `${formatCount(n)} episode${n === 1 ? '' : 's'}`;
}
