/** A comparison in one sentence. Pure. */

import type { Verdict } from '../../wire/nightly.ts';
import { share } from '../figures.ts';
import type { Comparison } from './compare.ts';
import type { Difference } from './difference.ts';
import { unfinishedWords } from './unfinished.ts';

type Facts = Omit<Comparison, 'verdict' | 'sentence'>;

export function sentenceOf(verdict: Verdict, facts: Facts): string {
  const { run, baseline, incomparable, errorsLeftOut } = facts;
  const unfinished = unfinishedWords(run.unfinished);
  const lacking = unfinished === '' ? '' : `; unfinished: ${unfinished}`;
  const than = baseline === null ? '' : ` than ${baseline.runId}`;
  switch (verdict) {
    case 'regression':
      return `worse${than}: ${differenceWords(errorsLeftOut)}${lacking}`;
    case 'improvement':
      return `better${than}: ${differenceWords(errorsLeftOut)}`;
    case 'no_difference':
      return `no difference to ${baseline?.runId ?? ''} can be told: ${differenceWords(errorsLeftOut)}`;
    case 'first':
      return `the first of its schedule: average reward ${share(run.averageReward)}`;
    case 'incomparable':
      return `not comparable with ${baseline?.runId ?? ''}: ${incomparable ?? 'they have no task in common'}`;
    case 'unfinished': {
      const why = unfinished === '' ? `the run has ${run.status ?? 'not ended'}` : unfinished;
      return `unfinished: ${why}${overWhatBothHave(facts)}`;
    }
  }
}

function overWhatBothHave({ baseline, incomparable, errorsLeftOut }: Facts): string {
  if (baseline === null) return '';
  if (incomparable !== null) return `; not comparable with ${baseline.runId}: ${incomparable}`;
  if (errorsLeftOut.tasks === 0) return `; no task in common with ${baseline.runId}`;
  return `; over what ${baseline.runId} has too: ${differenceWords(errorsLeftOut)}`;
}

/** `0.833 → 0.611 over 20 tasks, −0.222 (95 %: −0.350 to −0.100)` */
export function differenceWords(difference: Difference): string {
  const { before, after, delta, tasks } = difference;
  const over = tasks === 1 ? '1 task' : `${String(tasks)} tasks`;
  return `${share(before)} → ${share(after)} over ${over}, ${signed(delta)} ${intervalWords(difference)}`;
}

/** With its sign, and a minus that is as wide as the plus. */
export function signed(value: number | null): string {
  if (value === null) return share(null);
  const text = share(Math.abs(value));
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** `(95 %: −0.350 to −0.100)` */
export function intervalWords({ interval }: Pick<Difference, 'interval'>): string {
  if (interval === null) return '(no interval)';
  const percent = Math.round(interval.level * 100);
  return `(${String(percent)} %: ${signed(interval.low)} to ${signed(interval.high)})`;
}
