/** What a comparison of several runs says, as rows and sentences. Pure. */

import { NONE, formatShare, formatUsd } from '../document/index.ts';
import { unfinishedWords, type PassHat } from '../metrics/index.ts';
import type { ManyComparison, PairDecision, RankedRun } from './many.ts';
import type { Decision } from './decision.ts';
import { settingGroups, type TitledItems } from './lines.ts';
import { intervalWords, pFigure, pWords, signed } from './sentence.ts';

/** Columns of pass^k that any run has; pass^1 is the score. */
function passKs({ runs }: ManyComparison): number[] {
  const last = Math.max(0, ...runs.map(({ passHatK }) => passHatK.length));
  return [2, 3, 4].filter((k) => k <= last);
}

export function runHead(comparison: ManyComparison): string[] {
  const passes = passKs(comparison).map((k) => `pass^${String(k)}`);
  return ['Run', 'Episodes', 'Score', '95 %', 'Group', ...passes, 'Cost/episode', 'Cost/success', 'Unfinished'];
}

export function runRows(comparison: ManyComparison): string[][] {
  const ks = passKs(comparison);
  return comparison.runs.map((run) => [
    run.runId,
    String(run.episodes),
    formatShare(run.score),
    rangeWords(run),
    run.letters,
    ...ks.map((k) => formatShare(passHat(run.passHatK, k))),
    formatUsd(run.perEpisodeUsd),
    formatUsd(run.perSuccessUsd),
    unfinishedWords(run.unfinished) || NONE,
  ]);
}

function passHat(passHats: readonly PassHat[], k: number): number | null {
  return passHats.find((entry) => entry.k === k)?.value ?? null;
}

function rangeWords({ interval }: RankedRun): string {
  return interval === null ? NONE : `${formatShare(interval.low)} to ${formatShare(interval.high)}`;
}

export const PAIR_HEAD = ['Pair', 'Tasks', 'Difference', 'p', 'p, corrected', 'Decision'] as const;

/** The clearest difference first. */
export function pairRows({ pairs }: ManyComparison): string[][] {
  return [...pairs]
    .sort((a, b) => (a.difference.permutation?.p ?? 1) - (b.difference.permutation?.p ?? 1))
    .map(({ before, after, difference, adjustedP, decision }) => [
      `${before} → ${after}`,
      String(difference.tasks),
      `${signed(difference.delta)} (${intervalWords(difference)})`,
      difference.permutation === null ? NONE : pFigure(difference.permutation.p),
      adjustedP === null ? NONE : pFigure(adjustedP),
      DECISION_WORDS[decision],
    ]);
}

const DECISION_WORDS: Readonly<Record<Decision, string>> = {
  worse: 'worse',
  better: 'better',
  no_difference: 'no difference shown',
};

/** What is shown, in a few sentences: the first sums it up. */
export function manySentences(comparison: ManyComparison): string[] {
  const { runs, pairs, groups, tasks } = comparison;
  if (comparison.incomparable !== null) return [`The runs cannot be compared: ${comparison.incomparable}.`];
  const shown = pairs.filter(({ decision }) => decision !== 'no_difference');
  const over = `${String(runs.length)} runs over ${tasks === 1 ? '1 task' : `${String(tasks)} tasks`} that all have`;
  const sentences = [
    shown.length === 0
      ? `${over}: no two of them can be told apart.`
      : `${over}: ${String(shown.length)} of ${String(pairs.length)} pairs differ.`,
  ];
  sentences.push(...shown.map(pairSentence));
  if (shown.length > 0) {
    const together = groups.filter((group) => group.length > 1);
    sentences.push(...together.map((group) => `Not told apart: ${group.join(', ')}.`));
  }
  return sentences;
}

function pairSentence({ before, after, difference, adjustedP, decision }: PairDecision): string {
  const p = adjustedP === null ? '' : `, corrected ${pWords(adjustedP)}`;
  return `${after} is ${decision} than ${before}: ${signed(difference.delta)} (${intervalWords(difference)}${p}).`;
}

/** What differs, apart from what should not: `user_model.model: gpt-4o (a, b); gpt-4o-mini (c)`. */
export function manySettingGroups({ runs, settings }: ManyComparison): TitledItems[] {
  const given = [...runs].sort((a, b) => a.place - b.place).map(({ runId }) => runId);
  return settingGroups(settings, ({ name, values }) => {
    const byValue = new Map<string, string[]>();
    values.forEach((value, place) => {
      byValue.set(value, [...(byValue.get(value) ?? []), given[place] ?? '']);
    });
    return `${name}: ${Array.from(byValue, ([value, ids]) => `${value} (${ids.join(', ')})`).join('; ')}`;
  });
}
