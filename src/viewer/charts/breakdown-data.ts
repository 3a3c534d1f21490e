/** Frequencies as bars: outcomes, first faults, findings about users, verdicts. Pure. */

import { USER_FAULT_KINDS, FAULT_KINDS } from '../../analysis/index.ts';
import { formatCount as written } from '../../results/document/index.ts';
import type { CustomerBreakdown, FaultBreakdown, Metrics } from '../../results/metrics/index.ts';
import type { PayloadEpisode } from '../../results/page/index.ts';
import type { RowOutcome } from '../../results/log/index.ts';
import { counted, spoken } from '../words.ts';
import { percent } from './words.ts';

interface Bar {
  readonly title: string;
  readonly count: number;
  /** Of the breakdown's whole, in [0, 1]. */
  readonly share: number;
}

export interface Breakdown {
  /** The most frequent first; none without a count. */
  readonly bars: readonly Bar[];
  /** In one sentence. */
  readonly sentence: string;
}

const OUTCOME_TITLES: Readonly<Record<RowOutcome, string>> = {
  user_stop: 'the user ended the conversation',
  transferred: 'handed over to a human agent',
  max_steps: 'out of steps',
  agent_error: 'the agent failed',
  infrastructure_error: 'infrastructure error',
  error: 'error',
  unknown: 'not recorded how it ended',
  cancelled: 'cancelled',
  decision_only: 'decided only',
};

export function outcomeBars({ outcomes }: Metrics): Breakdown {
  const counts = entries(outcomes).map(([kind, count]) => ({ title: OUTCOME_TITLES[kind], count }));
  const whole = counts.reduce((sum, { count }) => sum + count, 0);
  return breakdown(counts, whole, `Of ${counted(whole, 'episode')}`);
}

/** First fault of each failed episode. */
export function faultBars({ failed, notAnalyzed, unexplained, kinds }: FaultBreakdown): Breakdown {
  const counts = entries(kinds).map(([kind, count]) => ({ title: FAULT_KINDS[kind], count }));
  const lacking = notAnalyzed === 0 ? '' : `, ${written(notAnalyzed)} of them not analysed`;
  return breakdown(
    [...counts, { title: 'no fault was found', count: unexplained }],
    failed - notAnalyzed,
    `Of ${counted(failed, 'failed episode')}${lacking}`,
  );
}

/** The same in tau-bench's types, which are for faults of the agent. */
export function faultTypeBars({ faultTypes }: FaultBreakdown): Breakdown {
  const counts = entries(faultTypes).map(([type, count]) => ({ title: spoken(type), count }));
  const whole = counts.reduce((sum, { count }) => sum + count, 0);
  return breakdown(counts, whole, `Of ${counted(whole, 'episode')} that failed by a fault of the agent`);
}

/** An episode counts once for each kind of finding; the shares are of all that were looked at. */
export function customerBars({ analyzed, suspects, kinds }: CustomerBreakdown): Breakdown {
  const counts = entries(kinds).map(([kind, { episodes }]) => ({ title: USER_FAULT_KINDS[kind], count: episodes }));
  const of = `Of ${counted(analyzed, 'user')} checked, ${written(suspects)} suspect`;
  return breakdown(counts, analyzed, suspects === 0 || analyzed === 0 ? of : `${of} (${percent(suspects / analyzed)})`);
}

/** Whose fault, as the judge sees it; null where it was not asked. */
export function verdictBars(episodes: readonly PayloadEpisode[]): Breakdown | null {
  const verdicts = episodes.flatMap(({ verdict }) => verdict ?? []);
  if (verdicts.length === 0) return null;
  const titles = verdicts.map(({ author, faultType }) =>
    faultType === null ? `the ${author}’s` : `the ${author}’s: ${spoken(faultType)}`,
  );
  const counts = [...new Set(titles)].map((title) => ({ title, count: titles.filter((one) => one === title).length }));
  return breakdown(counts, verdicts.length, `Of ${counted(verdicts.length, 'episode')} judged`);
}

/** @param of the sentence's beginning, what the shares are of */
function breakdown(counts: readonly Omit<Bar, 'share'>[], whole: number, of: string): Breakdown {
  const bars = counts
    .filter(({ count }) => count > 0)
    .map((bar) => ({ ...bar, share: bar.count / whole }))
    .sort((a, b) => b.count - a.count || a.title.localeCompare(b.title));
  const [most] = bars;
  const often =
    most === undefined ? '' : `; most often: ${most.title} (${written(most.count)}, ${percent(most.share)})`;
  return { bars, sentence: `${of}${often}.` };
}

function entries<K extends string, V>(counts: Readonly<Partial<Record<K, V>>>): [K, V][] {
  return Object.entries(counts) as [K, V][];
}
