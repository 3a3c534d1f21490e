/** Documents on comparisons of two runs. Pure. */

import { FAULT_KINDS } from '../../analysis/index.ts';
import { formatTask } from '../../evaluation/index.ts';
import {
  NONE,
  figures,
  formatAmount,
  formatConfidence,
  formatCount,
  formatDuration,
  formatPValue,
  formatPercent,
  formatReward,
  formatRewards,
  formatShare,
  formatSigned,
  formatSignedUsd,
  formatUsd,
  heading,
  list,
  notes,
  paragraph,
  section,
  table,
  type Block,
  type Column,
  type Document,
  type Figure,
  type ListItem,
  type Text,
  type Tone,
} from '../document/index.ts';
import { gateSection } from '../gates/index.ts';
import { studySection } from './simulator-study.ts';
import {
  SIGNIFICANCE,
  isSuccess,
  unfinishedWords,
  type Difference,
  type Settling,
  type TrialTable,
} from '../metrics/index.ts';
import { conditionComparisonSection } from './conditions.ts';
import { splitHeadline, type Comparison } from './compare.ts';
import type { Spending, EpisodeLink, TaskFlip } from './evidence.ts';
import type { Concern, RunSide, SettingDifference } from './runs.ts';

export function comparisonDocument(comparison: Comparison): Document {
  const { verdict, settings, worse, better, warnings, baseline, run } = comparison;
  const [words, sentence] = splitHeadline(comparison);
  const tone = VERDICT_TONES[verdict];
  return [
    heading([tone === null ? words : { text: words, tone }, sentence]),
    notes(warnings, WARNING),
    gateSection(comparison.gates),
    table(
      SIDE_COLUMNS,
      [baseline, run].flatMap((side) => (side === null ? [] : [sideCells(side)])),
    ),
    section('Over the tasks of both runs', figures(differenceFigures(comparison))),
    studySection(comparison.study, comparison.errorsLeftOut),
    conditionComparisonSection(comparison.conditions),
    section('Cost against score', paragraph(tradeSentence(comparison) ?? ''), figures(costFigures(comparison))),
    ...settingSections(settings, ({ name, values }) => `${name}: ${values.join(', now ')}`),
    section('Worse', list(flipItems(worse, baseline?.runId ?? '', run.runId))),
    section('Better', list(flipItems(better, baseline?.runId ?? '', run.runId))),
    paragraph(...unpairedTasks(comparison).map((text): Text => [{ text, tone: 'warning' }])),
  ];
}

/** Describes the comparison in sentences, without figures. */
export function summarizeComparison(comparison: Comparison): string[] {
  const trade = tradeSentence(comparison);
  return [
    `${comparison.run.runId}: ${splitHeadline(comparison).join('')}.`,
    ...(trade === null ? [] : [trade]),
    ...comparison.warnings,
  ];
}

export const WARNING = 'warning: ';

const VERDICT_TONES: Readonly<Record<Comparison['verdict'], Tone | null>> = {
  regression: 'bad',
  improvement: 'good',
  unfinished: 'warning',
  incomparable: 'warning',
  first: null,
  no_difference: null,
};

const SIDE_COLUMNS: readonly Column[] = [
  { head: 'Run' },
  { head: 'Episodes', align: 'right' },
  { head: 'Average reward', align: 'right' },
  { head: 'pass^1', align: 'right' },
  { head: 'Cost', align: 'right' },
  { head: 'Unfinished' },
];

/** Formats figures over all episodes of the run. */
function sideCells({ runId, episodes, averageReward, passHat1, costUsd, unfinished }: RunSide): string[] {
  const open = unfinishedWords(unfinished) || NONE;
  return [runId, String(episodes), formatShare(averageReward), formatShare(passHat1), formatUsd(costUsd), open];
}

/** Fewest resampled tasks for a reliable interval; with fewer it is too narrow. */
const FEW_TASKS = 10;

export function* differenceFigures(comparison: Comparison): Iterable<Figure> {
  const { errorsLeftOut, errorsAsFailures, trials, settling } = comparison;
  const isSame = JSON.stringify(errorsLeftOut) === JSON.stringify(errorsAsFailures);
  yield* readingFigures(errorsLeftOut, isSame ? '' : ', errors left out');
  if (!isSame) yield asFailuresFigure(errorsAsFailures);
  yield* testFigures(errorsLeftOut);
  if (errorsLeftOut.mcNemar === null && trials !== null) yield trialFigure(trials, errorsLeftOut.tasks);
  if (errorsLeftOut.mde !== null) {
    yield {
      name: 'MDE',
      value: formatShare(errorsLeftOut.mde),
      meaning: `minimum detectable effect: the smallest true difference that so many tasks of this spread show with ${POWER}`,
    };
  }
  if (settling !== null) yield settlingFigure(settling, errorsLeftOut);
}

const POWER = '80 % power';

function readingFigures(reading: Difference, which: string): Figure[] {
  const { before, after, delta, tasks, interval } = reading;
  return [
    {
      name: 'average reward',
      value: `${formatShare(before)} → ${formatShare(after)}`,
      meaning: `mean over ${tasks === 1 ? 'the only task' : `the ${formatAmount(tasks, 'task')}`} of both runs${which}`,
    },
    {
      name: 'difference',
      value: formatSigned(delta),
      meaning:
        interval === null
          ? `no CI: ${tasks < 2 ? 'it needs two tasks' : 'all tasks differ by the same'}`
          : `(${formatConfidence(interval)}), paired bootstrap over tasks${tasks < FEW_TASKS ? '; few tasks: the true interval is wider' : ''}`,
    },
  ];
}

function asFailuresFigure({ delta, tasks, interval, permutation }: Difference): Figure {
  const p = permutation === null ? '' : `, ${formatPValue(permutation.p)}`;
  return {
    name: 'errors as failures',
    value: formatSigned(delta),
    meaning: `(${formatConfidence(interval)}${p}) over ${formatAmount(tasks, 'task')}, as in tau-bench`,
  };
}

function* testFigures({ permutation, dealtP, mcNemar }: Difference): Iterable<Figure> {
  if (permutation === null) return;
  const { p, method, resamples } = permutation;
  const how = method === 'exact' ? 'exact' : `${formatCount(resamples)} draws`;
  yield {
    name: 'permutation test',
    value: formatPValue(p),
    meaning:
      `decides at ${String(SIGNIFICANCE)}: paired, random signs of the tasks’ differences, ${how}` +
      (dealtP === null
        ? ''
        : '; because tasks have more trials in one run than in the other, p is at least that of the test that deals ' +
          `each task’s trials to the runs at random, ${dealtP.toFixed(3)}`),
  };
  if (mcNemar === null) return;
  yield {
    name: 'McNemar’s exact test',
    value: formatPValue(mcNemar.p),
    meaning:
      `${formatAmount(mcNemar.worse, 'task')} solved only before, ${String(mcNemar.better)} only after; ` +
      'with one trial each it is the same test',
  };
}

function trialFigure({ both, onlyBefore, onlyAfter, neither }: TrialTable, tasks: number): Figure {
  const isRepeated = both + onlyBefore + onlyAfter + neither > tasks;
  return {
    name: 'trial by trial',
    value: `${String(onlyBefore)} lost, ${String(onlyAfter)} gained`,
    meaning:
      `${String(both)} solved in both, ${String(neither)} in neither; descriptive only: ` +
      (isRepeated
        ? 'trials of one task are not independent, so McNemar’s test does not apply'
        : 'rewards between 0 and 1 count as not solved here, and in full in the permutation test'),
  };
}

function settlingFigure(
  { difference, trials, trialsRange, tasks }: Settling,
  { tasks: present, mcNemar }: Difference,
): Figure {
  const shows = `a true difference of ${formatShare(difference)} with ${POWER}`;
  const more = `${formatCount(tasks)} such tasks instead of ${formatCount(present)}`;
  return trials === null
    ? { name: 'to settle it', value: 'more tasks', meaning: `${more} would show ${shows}` }
    : {
        name: 'to settle it',
        value: `${formatAmount(trials, 'trial')} per task`,
        meaning:
          `${formatRange(trialsRange)}in each run would show ${shows} on these tasks` +
          `${mcNemar === null ? '' : ', at best: one trial cannot separate chance from change'}; so would ${more}`,
      };
}

/** Formats a range of trials: `(95 % CI 120 to 900) `, `(95 % CI 120 or more) `. */
function formatRange(range: Settling['trialsRange']): string {
  if (range === null) return '';
  const { low, high } = range;
  return `(95 % CI ${formatCount(low)} ${high === null ? 'or more' : `to ${formatCount(high)}`}) `;
}

function costFigures({ costs }: Comparison): Figure[] {
  const { before, after } = costs;
  const line = (name: string, figure: (side: Spending) => string, meaning: string): Figure[] => {
    const [a, b] = [figure(before), figure(after)];
    return a === NONE && b === NONE ? [] : [{ name, value: `${a} → ${b}`, meaning }];
  };
  const perEpisode = (name: string, of: (side: Spending) => number | null, format: (value: number | null) => string) =>
    line(name, (side) => format(of(side)), `per episode${formatChange(of(before), of(after))}`);
  return [
    ...(isFree(costs)
      ? []
      : [
          ...line('cost per episode', ({ perEpisodeUsd }) => formatUsd(perEpisodeUsd), describeCostDelta(costs)),
          ...line('cost per success', ({ perSuccessUsd }) => formatUsd(perSuccessUsd), 'total cost / successes'),
        ]),
    ...perEpisode('tokens in', ({ promptTokens }) => promptTokens, formatTokens),
    ...perEpisode('tokens out', ({ completionTokens }) => completionTokens, formatTokens),
    ...perEpisode('duration', ({ durationMs }) => durationMs, formatDuration),
  ];
}

function isFree({ before, after }: Comparison['costs']): boolean {
  return before.perEpisodeUsd === 0 && after.perEpisodeUsd === 0;
}

/** Formats a relative change: `, −12 %`. */
function formatChange(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return '';
  const change = (after - before) / before;
  const percent = formatPercent(Math.abs(change));
  const sign = percent === '0 %' ? '' : change > 0 ? '+' : '−';
  return `, ${sign}${percent}`;
}

function formatTokens(value: number | null): string {
  return value === null ? NONE : formatCount(Math.round(value));
}

function describeCostDelta({ deltaUsd, interval }: Comparison['costs']): string {
  if (deltaUsd === null) return 'the difference is not known: a price is not known';
  const within = formatConfidence(interval, formatSignedUsd);
  return `${formatSignedUsd(deltaUsd)}, mean over tasks (${within}), paired bootstrap`;
}

/** Relates costs to scores in a sentence; null if there is nothing to compare. */
export function tradeSentence({ costs, baseline, run, errorsLeftOut, verdict }: Comparison): string | null {
  if (baseline === null || errorsLeftOut.tasks === 0) return null;
  const [a, b] = [baseline.runId, run.runId];
  const { before, after, deltaUsd } = costs;
  const [paid, pays] = [before.perEpisodeUsd, after.perEpisodeUsd];
  const by = paid === null || pays === null || paid === 0 ? '' : ` by ${formatPercent(Math.abs(pays - paid) / paid)}`;
  if (isFree(costs)) return 'Neither run cost anything.';
  switch (costs.trade) {
    case 'dominates':
      return `${b} is better and cheaper${by}: it dominates ${a}.`;
    case 'dominated':
      return `${b} is worse and more expensive${by}: ${a} dominates it.`;
    case 'trade_off': {
      const delta = errorsLeftOut.delta ?? 0;
      const each = formatUsd(Math.abs((deltaUsd ?? 0) / delta));
      return delta > 0
        ? `${b} is better and more expensive${by}: ${each} for each additional success.`
        : `${b} is worse and cheaper${by}: ${each} saved for each lost success.`;
    }
    case 'cheaper':
      return `No difference of the scores is shown, and ${b} is cheaper${by}.`;
    case 'dearer':
      return `No difference of the scores is shown, and ${b} is more expensive${by}.`;
    case 'score_only':
      return `${b} is ${verdict === 'regression' ? 'worse' : 'better'}, and no difference of the costs is shown.`;
    case 'neither':
      return 'No difference is shown, neither of the scores nor of the costs.';
    case 'not_known':
      return 'The difference of the costs is not known: a price is not known, or a results file has no costs.';
  }
}

const CONCERN_TITLES: Readonly<Record<Concern, string>> = {
  agent: 'Different agent',
  conditions: 'Different conditions, which should be the same',
  sample: 'Different sample',
};

/** Returns sections on the different settings, by concern. */
export function settingSections(
  settings: readonly SettingDifference[],
  format: (setting: SettingDifference) => string,
): Block[] {
  return (Object.keys(CONCERN_TITLES) as Concern[]).map((concern) =>
    section(CONCERN_TITLES[concern], list(settings.filter((setting) => setting.concern === concern).map(format))),
  );
}

/** Returns a sentence for each run with tasks that the other run lacks. */
function unpairedTasks({ baseline, run, onlyBaseline, onlyRun }: Comparison): string[] {
  const line = (side: RunSide | null, tasks: readonly number[]) =>
    side === null || tasks.length === 0
      ? []
      : [`${formatAmount(tasks.length, 'task')} only in ${side.runId}: left out`];
  return [...line(baseline, onlyBaseline), ...line(run, onlyRun)];
}

/** Most changed tasks to list, before the number of further ones. */
const MOST_FLIPS = 20;

export function flipItems(flips: readonly TaskFlip[], before: string, after: string): ListItem[] {
  const items = flips.slice(0, MOST_FLIPS).map((flip) => ({
    text: describeFlip(flip),
    details: [
      ...(flip.fault === null ? [] : [[`${flip.fault.runId}: ${onOneLine(flip.fault.fault.sentence)}`]]),
      [`${before}: `, ...episodeSpans(flip.episodesBefore)],
      [`${after}: `, ...episodeSpans(flip.episodesAfter)],
    ],
  }));
  const more = flips.length - items.length;
  return more > 0 ? [...items, { text: `and ${String(more)} more`, details: [] }] : items;
}

/**
 * Describes a changed task:
 * `task 3: 1.000 → 0.250 (1 1 1 1 → 1 0 0 0), the steps ran out, step 30 of b/task-3/trial-1`.
 */
function describeFlip(flip: TaskFlip): string {
  const { before, after, episodesBefore, episodesAfter } = flip;
  const rewards = (episodes: readonly EpisodeLink[]) => formatRewards(episodes.map((episode) => episode.reward));
  const isRepeated = episodesBefore.length > 1 || episodesAfter.length > 1;
  const trials = isRepeated ? ` (${rewards(episodesBefore)} → ${rewards(episodesAfter)})` : '';
  return `task ${formatTask(flip)}: ${formatShare(before)} → ${formatShare(after)}${trials}${describePlace(flip)}`;
}

/** Names the first fault with its episode, otherwise the first failed episode. */
function describePlace({ fault, before, after, episodesBefore, episodesAfter }: TaskFlip): string {
  const episodes = after < before ? episodesAfter : episodesBefore;
  const failed = episodes.find(({ trial, reward }) => (fault === null ? !isSuccess(reward) : trial === fault.trial));
  const episode = failed?.workflowId ?? null;
  if (fault === null) return episode === null ? '' : `, see ${episode}`;
  const { kind, step } = fault.fault;
  const place = [step === null ? null : `step ${String(step)}`, episode].filter((part) => part !== null).join(' of ');
  return `, ${FAULT_KINDS[kind]}${place === '' ? '' : `, ${place}`}`;
}

/** Formats episodes with their links: `trial 0: 1 [b/task-3/trial-0](http://…) ([record](b/episodes/…))`. */
function episodeSpans(episodes: readonly EpisodeLink[]): Exclude<Text, string> {
  return episodes.flatMap(({ trial, reward, outcome, workflowId, url, record }, at) => [
    `${at === 0 ? '' : '; '}trial ${String(trial)}: ${formatReward(reward)}`,
    outcome === 'user_stop' ? '' : ` (${outcome})`,
    ...(workflowId === null ? [] : [' ', url === null ? workflowId : { text: workflowId, href: url }]),
    ...(record === null ? [] : [' (', { text: 'record', href: encodeURI(record) }, ')']),
  ]);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
}
