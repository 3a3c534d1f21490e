/** A comparison in one sentence, and the words that its tables share. Pure. */

import type { RegressionVerdict } from '../../wire/index.ts';
import { formatShare } from '../document/index.ts';
import { unfinishedWords } from '../metrics/index.ts';
import type { Comparison } from './compare.ts';
import { disagreement, SIGNIFICANCE } from './decision.ts';
import type { Difference } from './difference.ts';

type Facts = Omit<Comparison, 'verdict' | 'sentence'>;

export function sentenceOf(verdict: RegressionVerdict, facts: Facts): string {
  const { run, baseline, incomparable, errorsLeftOut } = facts;
  const unfinished = unfinishedWords(run.unfinished);
  const lacking = unfinished === '' ? '' : `; unfinished: ${unfinished}`;
  const than = baseline === null ? '' : ` than ${baseline.runId}`;
  switch (verdict) {
    case 'regression':
      return `worse${than}: ${differenceWords(errorsLeftOut)}${but(errorsLeftOut)}${lacking}`;
    case 'improvement':
      return `better${than}: ${differenceWords(errorsLeftOut)}${but(errorsLeftOut)}`;
    case 'no_difference':
      return (
        `no difference shown against ${baseline?.runId ?? ''}: ${differenceWords(errorsLeftOut)}` +
        `${but(errorsLeftOut)}${wouldShow(errorsLeftOut)}`
      );
    case 'first':
      return `the first of its schedule: average reward ${formatShare(run.averageReward)}`;
    case 'incomparable':
      return `not comparable with ${baseline?.runId ?? ''}: ${incomparable ?? 'they have no task in common'}`;
    case 'unfinished': {
      const why = unfinished === '' ? `the run is ${run.status ?? 'not known to have ended'}` : unfinished;
      return `unfinished: ${why}${overWhatBothHave(facts)}`;
    }
  }
}

/** The verdict in a word or two, and the sentence, where that does not begin with the same. */
export function headline({ verdict, sentence }: Pick<Comparison, 'verdict' | 'sentence'>): readonly [string, string] {
  const words = VERDICT_WORDS[verdict];
  return [words, sentence.startsWith(words) ? sentence.slice(words.length) : `: ${sentence}`];
}

export const VERDICT_WORDS: Readonly<Record<RegressionVerdict, string>> = {
  first: 'first',
  regression: 'regression',
  improvement: 'improvement',
  no_difference: 'no difference shown',
  incomparable: 'incomparable',
  unfinished: 'unfinished',
};

function but(difference: Difference): string {
  const words = disagreement(difference);
  return words === null ? '' : `; ${words}`;
}

function wouldShow({ detectable }: Difference): string {
  return detectable === null
    ? ''
    : `; a difference of ${formatShare(detectable)} would have been shown in 80 of 100 cases`;
}

function overWhatBothHave({ baseline, incomparable, errorsLeftOut }: Facts): string {
  if (baseline === null) return '';
  if (incomparable !== null) return `; not comparable with ${baseline.runId}: ${incomparable}`;
  if (errorsLeftOut.tasks === 0) return `; no task in common with ${baseline.runId}`;
  return `; over what ${baseline.runId} has too: ${differenceWords(errorsLeftOut)}`;
}

/** `0.833 → 0.611 over 20 tasks, −0.222 (95 %: −0.350 to −0.100, p = 0.012)` */
export function differenceWords(difference: Difference): string {
  const { before, after, delta, tasks } = difference;
  const over = tasks === 1 ? '1 task' : `${String(tasks)} tasks`;
  return `${formatShare(before)} → ${formatShare(after)} over ${over}, ${signed(delta)} (${evidenceWords(difference)})`;
}

/** With its sign, and a minus that is as wide as the plus. */
export function signed(value: number | null): string {
  if (value === null) return formatShare(null);
  const text = formatShare(Math.abs(value));
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** `95 %: −0.350 to −0.100, p = 0.012` */
function evidenceWords({ interval, permutation }: Difference): string {
  const p = permutation === null ? '' : `, ${pWords(permutation.p)}`;
  return `${intervalWords({ interval })}${p}`;
}

/** `95 %: −0.350 to −0.100` */
export function intervalWords({ interval }: Pick<Difference, 'interval'>): string {
  if (interval === null) return 'no interval';
  const percent = Math.round(interval.level * 100);
  return `${String(percent)} %: ${signed(interval.low)} to ${signed(interval.high)}`;
}

/** `p = 0.012`, `p < 0.001` */
export function pWords(p: number): string {
  const figure = pFigure(p);
  return figure.startsWith('<') ? `p ${figure}` : `p = ${figure}`;
}

export function pFigure(p: number): string {
  if (p < 0.001) return '< 0.001';
  const figure = p < 0.1 ? p.toFixed(3) : p.toFixed(2);
  // Rounded up to the level it would seem to decide otherwise.
  return p < SIGNIFICANCE && Number(figure) >= SIGNIFICANCE ? `< ${figure}` : figure;
}
