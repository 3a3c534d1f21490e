/** Cost against score, as lines and a sentence. Pure. */

import { NONE, formatCount, formatDuration, formatUsd } from '../document/index.ts';
import type { Line } from '../report/index.ts';
import type { Comparison } from './compare.ts';
import type { Spending } from './cost-difference.ts';

export function costLines({ costs }: Comparison): Line[] {
  const { before, after } = costs;
  const line = (name: string, figure: (side: Spending) => string, meaning: string): Line[] => {
    const [a, b] = [figure(before), figure(after)];
    return a === NONE && b === NONE ? [] : [{ name, value: `${a} → ${b}`, meaning }];
  };
  const figures = (name: string, of: (side: Spending) => number | null, words: (value: number | null) => string) =>
    line(name, (side) => words(of(side)), `per episode${changeWords(of(before), of(after))}`);
  return [
    ...(isFree(costs)
      ? []
      : [
          ...line('cost per episode', ({ perEpisodeUsd }) => formatUsd(perEpisodeUsd), costDeltaWords(costs)),
          ...line(
            'cost per success',
            ({ perSuccessUsd }) => formatUsd(perSuccessUsd),
            'the whole cost over the successes',
          ),
        ]),
    ...figures('tokens in', ({ promptTokens }) => promptTokens, tokens),
    ...figures('tokens out', ({ completionTokens }) => completionTokens, tokens),
    ...figures('duration', ({ durationMs }) => durationMs, formatDuration),
  ];
}

/** `, −12 %` */
function changeWords(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return '';
  const change = Math.round(((after - before) / before) * 100);
  return `, ${change > 0 ? '+' : change < 0 ? '−' : ''}${String(Math.abs(change))} %`;
}

function tokens(value: number | null): string {
  return value === null ? NONE : formatCount(Math.round(value));
}

/** `−$0.2000 (95 %: −$0.2500 to −$0.1500)` */
function costDeltaWords({ deltaUsd, interval }: Comparison['costs']): string {
  if (deltaUsd === null) return 'the difference is not known: a price is not known';
  const within = interval === null ? 'no interval' : `95 %: ${signedUsd(interval.low)} to ${signedUsd(interval.high)}`;
  return `${signedUsd(deltaUsd)}, mean over tasks (${within}), paired bootstrap`;
}

export function signedUsd(value: number | null): string {
  if (value === null || value === 0) return formatUsd(value);
  return `${value < 0 ? '−' : '+'}${formatUsd(Math.abs(value))}`;
}

/** Which run is worth its money; null where there is nothing to compare. */
export function tradeSentence({ costs, baseline, run, errorsLeftOut, verdict }: Comparison): string | null {
  if (baseline === null || errorsLeftOut.tasks === 0) return null;
  const [a, b] = [baseline.runId, run.runId];
  const { before, after, deltaUsd } = costs;
  const [paid, pays] = [before.perEpisodeUsd, after.perEpisodeUsd];
  const change = paid === null || pays === null || paid === 0 ? '' : ` by ${percent(Math.abs(pays - paid) / paid)}`;
  if (isFree(costs)) return 'Neither run cost anything.';
  switch (costs.trade) {
    case 'dominates':
      return `${b} is better and cheaper${change}: it dominates ${a}.`;
    case 'dominated':
      return `${b} is worse and dearer${change}: ${a} dominates it.`;
    case 'trade_off':
      return tradeOffSentence(b, deltaUsd ?? 0, errorsLeftOut.delta ?? 0, change);
    case 'cheaper':
      return `No difference of the scores is shown, and ${b} is cheaper${change}.`;
    case 'dearer':
      return `No difference of the scores is shown, and ${b} is dearer${change}.`;
    case 'score_only':
      return `${b} is ${verdict === 'regression' ? 'worse' : 'better'}, and no difference of the costs is shown.`;
    case 'neither':
      return 'Neither scores nor costs are shown to differ.';
    case 'not_known':
      return 'Which run is cheaper is not known: the price of a call is not known, or a results file does not tell it.';
  }
}

function isFree({ before, after }: Comparison['costs']): boolean {
  return before.perEpisodeUsd === 0 && after.perEpisodeUsd === 0;
}

function tradeOffSentence(run: string, deltaUsd: number, delta: number, change: string): string {
  const each = formatUsd(Math.abs(deltaUsd / delta));
  return delta > 0
    ? `${run} is better and dearer${change}: ${each} for each episode more that succeeds.`
    : `${run} is worse and cheaper${change}: ${each} saved for each episode less that succeeds.`;
}

function percent(part: number): string {
  return `${String(Math.round(part * 100))} %`;
}
