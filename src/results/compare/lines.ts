/** What a comparison says, as lines and rows; the terminal and Markdown lay them out. Pure. */

import { NONE, share, usd } from '../figures.ts';
import type { Line } from '../report-lines.ts';
import type { Comparison, RunSide } from './compare.ts';
import type { Difference } from './difference.ts';
import type { TaskPair } from './pairs.ts';
import { intervalWords, signed } from './sentence.ts';
import { unfinishedWords } from './unfinished.ts';

export const VERDICT_WORDS: Readonly<Record<Comparison['verdict'], string>> = {
  first: 'first',
  regression: 'regression',
  improvement: 'improvement',
  no_difference: 'no difference',
  incomparable: 'incomparable',
  unfinished: 'unfinished',
};

export const SIDES_HEAD = ['Run', 'Episodes', 'Average reward', 'pass^1', 'Cost', 'Unfinished'] as const;

/** The two runs as `report` has them: each over all its own episodes. */
export function sideRows({ baseline, run }: Comparison): string[][] {
  return [baseline, run].flatMap((side) => (side === null ? [] : [sideRow(side)]));
}

function sideRow({ runId, episodes, averageReward, passHat1, costUsd, unfinished }: RunSide): string[] {
  const words = unfinishedWords(unfinished);
  return [runId, String(episodes), share(averageReward), share(passHat1), usd(costUsd), words === '' ? NONE : words];
}

/** Where few tasks are resampled, an interval is narrower than it should be. */
const FEW_TASKS = 10;

export function differenceLines({ errorsLeftOut, errorsAsFailures }: Comparison): Line[] {
  const isSame = JSON.stringify(errorsLeftOut) === JSON.stringify(errorsAsFailures);
  const lines = readingLines(errorsLeftOut, isSame ? '' : ', errors left out');
  if (!isSame) {
    const { delta, tasks } = errorsAsFailures;
    lines.push({
      name: 'errors as failures',
      value: signed(delta),
      meaning: `${intervalWords(errorsAsFailures)} over ${String(tasks)} tasks, as tau-bench counts`,
    });
  }
  return [...lines, ...evidenceLines(errorsLeftOut)];
}

function readingLines(reading: Difference, which: string): Line[] {
  const { before, after, delta, tasks, interval } = reading;
  return [
    {
      name: 'average reward',
      value: `${share(before)} → ${share(after)}`,
      meaning: `mean over the ${String(tasks)} tasks that both have${which}`,
    },
    {
      name: 'difference',
      value: signed(delta),
      meaning:
        interval === null
          ? 'no interval: it takes two tasks'
          : `${intervalWords(reading)}, paired bootstrap over tasks${tasks < FEW_TASKS ? '; few tasks: rather wider' : ''}`,
    },
  ];
}

function evidenceLines({ mcNemar, detectable }: Difference): Line[] {
  const lines: Line[] = [];
  if (mcNemar !== null) {
    const { worse, better, p } = mcNemar;
    lines.push({
      name: 'McNemar’s exact test',
      value: `p = ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}`,
      meaning: `${String(worse)} tasks solved only before, ${String(better)} only after`,
    });
  }
  if (detectable !== null) {
    lines.push({
      name: 'can be shown',
      value: share(detectable),
      meaning: 'the smallest true difference that so many tasks of this spread show in 80 of 100 cases',
    });
  }
  return lines;
}

const MOST_FLIPS = 20;

/** `task 3: 1.000 → 0.250`, the largest changes first; the rest are counted. */
export function flipLines(pairs: readonly TaskPair[]): string[] {
  const lines = pairs
    .slice(0, MOST_FLIPS)
    .map(({ taskId, before, after }) => `task ${String(taskId)}: ${share(before)} → ${share(after)}`);
  const more = pairs.length - lines.length;
  return more > 0 ? [...lines, `and ${String(more)} more`] : lines;
}

/** Tasks that only one of the runs has, in a sentence each. */
export function strayLines({ baseline, run, onlyBaseline, onlyRun }: Comparison): string[] {
  const line = (side: RunSide | null, tasks: readonly number[]) =>
    side === null || tasks.length === 0
      ? []
      : [`${tasks.length === 1 ? '1 task' : `${String(tasks.length)} tasks`} only in ${side.runId}: left out`];
  return [...line(baseline, onlyBaseline), ...line(run, onlyRun)];
}
