/** What a comparison says, as lines and rows; the terminal and Markdown lay them out. Pure. */

import { NONE, formatCount, formatShare, formatUsd } from '../document/index.ts';
import { unfinishedWords } from '../metrics/index.ts';
import { tasksWord, type Line } from '../report/index.ts';
import type { Comparison } from './compare.ts';
import { SIGNIFICANCE } from './decision.ts';
import type { Difference } from './difference.ts';
import type { Settling } from './more-trials.ts';
import type { RunSide } from './run.ts';
import { intervalWords, pWords, signed } from './sentence.ts';
import type { Concern, SettingDifference } from './settings.ts';
import type { TrialTable } from './trials.ts';

export const SIDES_HEAD = ['Run', 'Episodes', 'Average reward', 'pass^1', 'Cost', 'Unfinished'] as const;

/** The two runs as `report` has them: each over all its own episodes. */
export function sideRows({ baseline, run }: Comparison): string[][] {
  return [baseline, run].flatMap((side) => (side === null ? [] : [sideRow(side)]));
}

function sideRow({ runId, episodes, averageReward, passHat1, costUsd, unfinished }: RunSide): string[] {
  const words = unfinishedWords(unfinished);
  return [
    runId,
    String(episodes),
    formatShare(averageReward),
    formatShare(passHat1),
    formatUsd(costUsd),
    words === '' ? NONE : words,
  ];
}

/** Where few tasks are resampled, an interval is narrower than it should be. */
const FEW_TASKS = 10;

export function differenceLines(comparison: Comparison): Line[] {
  const { errorsLeftOut, errorsAsFailures, trials, settling } = comparison;
  const isSame = JSON.stringify(errorsLeftOut) === JSON.stringify(errorsAsFailures);
  const lines = readingLines(errorsLeftOut, isSame ? '' : ', errors left out');
  if (!isSame) {
    const { delta, tasks, permutation } = errorsAsFailures;
    const p = permutation === null ? '' : `, ${pWords(permutation.p)}`;
    lines.push({
      name: 'errors as failures',
      value: signed(delta),
      meaning: `(${intervalWords(errorsAsFailures)}${p}) over ${tasksWord(tasks)}, as tau-bench counts`,
    });
  }
  lines.push(...testLines(errorsLeftOut));
  if (errorsLeftOut.mcNemar === null && trials !== null) lines.push(trialLine(trials, errorsLeftOut.tasks));
  lines.push(...powerLines(errorsLeftOut));
  if (settling !== null) lines.push(settlingLine(settling, errorsLeftOut));
  return lines;
}

function readingLines(reading: Difference, which: string): Line[] {
  const { before, after, delta, tasks, interval } = reading;
  return [
    {
      name: 'average reward',
      value: `${formatShare(before)} → ${formatShare(after)}`,
      meaning: `mean over the ${tasks === 1 ? 'one task' : tasksWord(tasks)} that both have${which}`,
    },
    {
      name: 'difference',
      value: signed(delta),
      meaning:
        interval === null
          ? `no interval: ${tasks < 2 ? 'it takes two tasks' : 'all tasks differ by the same'}`
          : `(${intervalWords(reading)}), paired bootstrap over tasks${tasks < FEW_TASKS ? '; few tasks: rather wider' : ''}`,
    },
  ];
}

function testLines({ permutation, mcNemar }: Difference): Line[] {
  if (permutation === null) return [];
  const { p, method, resamples } = permutation;
  const how = method === 'exact' ? 'exact' : `${formatCount(resamples)} draws`;
  const lines: Line[] = [
    {
      name: 'permutation test',
      value: pWords(p),
      meaning: `decides at ${String(SIGNIFICANCE)}: the tasks’ differences with random signs, paired, ${how}`,
    },
  ];
  if (mcNemar !== null) {
    const { worse, better } = mcNemar;
    lines.push({
      name: 'McNemar’s exact test',
      value: pWords(mcNemar.p),
      meaning: `${tasksWord(worse)} solved only before, ${String(better)} only after; one trial each, so the same test`,
    });
  }
  return lines;
}

function trialLine({ both, onlyBefore, onlyAfter, neither }: TrialTable, tasks: number): Line {
  const isRepeated = both + onlyBefore + onlyAfter + neither > tasks;
  return {
    name: 'trial by trial',
    value: `${String(onlyBefore)} lost, ${String(onlyAfter)} gained`,
    meaning:
      `${String(both)} solved in both, ${String(neither)} in neither; a description only: ` +
      (isRepeated
        ? 'trials of one task are not independent, so McNemar’s test does not hold for them'
        : 'rewards between 0 and 1 count as not solved here, and as they are in the permutation test'),
  };
}

function powerLines({ detectable }: Difference): Line[] {
  if (detectable === null) return [];
  return [
    {
      name: 'can be shown',
      value: formatShare(detectable),
      meaning: 'the smallest true difference that so many tasks of this spread show in 80 of 100 cases',
    },
  ];
}

function settlingLine({ difference, trials, tasks }: Settling, { tasks: present, mcNemar }: Difference): Line {
  const more = `${formatCount(tasks)} such tasks instead of ${formatCount(present)} would`;
  return trials === null
    ? {
        name: 'to settle it',
        value: 'more tasks',
        meaning: `${more} show a true difference of ${formatShare(difference)} in 80 of 100 cases`,
      }
    : {
        name: 'to settle it',
        value: `${formatCount(trials)} trial${trials === 1 ? '' : 's'} a task`,
        meaning:
          `in each run would show a true difference of ${formatShare(difference)} on these tasks in 80 of 100 cases` +
          `${mcNemar === null ? '' : ', at best: one trial does not tell chance from change'}; or ${more}`,
      };
}

const CONCERN_WORDS: Readonly<Record<Concern, string>> = {
  agent: 'agent',
  conditions: 'conditions, which should be the same',
  sample: 'sample',
};

export interface TitledItems {
  readonly title: string;
  readonly items: readonly string[];
}

/**
 * What is compared apart from what should not differ.
 * @param words of a setting. @default as of two runs: `seed: 10, now 11`
 */
export function settingGroups(
  settings: readonly SettingDifference[],
  words: (setting: SettingDifference) => string = settingWords,
): TitledItems[] {
  return (Object.keys(CONCERN_WORDS) as Concern[])
    .map((concern) => ({
      title: `Different ${CONCERN_WORDS[concern]}`,
      items: settings.filter((setting) => setting.concern === concern).map(words),
    }))
    .filter(({ items }) => items.length > 0);
}

function settingWords({ name, values }: SettingDifference): string {
  return `${name}: ${values.join(', now ')}`;
}

/** Tasks that only one of the runs has, in a sentence each. */
export function strayLines({ baseline, run, onlyBaseline, onlyRun }: Comparison): string[] {
  const line = (side: RunSide | null, tasks: readonly number[]) =>
    side === null || tasks.length === 0
      ? []
      : [`${tasks.length === 1 ? '1 task' : `${String(tasks.length)} tasks`} only in ${side.runId}: left out`];
  return [...line(baseline, onlyBaseline), ...line(run, onlyRun)];
}
