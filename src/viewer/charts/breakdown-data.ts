/** How often what happened: outcomes, first faults, customers. Pure. */

import { CUSTOMER_KINDS, FAULT_KINDS, FAULT_TYPES } from '../../analysis/types.ts';
import type { PayloadEpisode } from '../../results/html/payload.ts';
import { isScored } from '../../results/metrics.ts';
import { isSuccess } from '../../results/pass-hat-k.ts';
import type { RowOutcome } from '../../results/rows.ts';
import { counted, percent } from './words.ts';

export interface Bar {
  readonly key: string;
  readonly title: string;
  readonly count: number;
  /** Of the breakdown's whole, in [0, 1]. */
  readonly share: number;
}

export interface Breakdown {
  /** The most frequent first; none without a count. */
  readonly bars: readonly Bar[];
  /** Episodes that the shares are of. */
  readonly whole: number;
}

const OUTCOME_TITLES: Readonly<Record<RowOutcome, string>> = {
  user_stop: 'the customer ended the conversation',
  transferred: 'handed over to a human agent',
  max_steps: 'out of steps',
  agent_error: 'the agent failed',
  infrastructure_error: 'infrastructure error',
  error: 'error',
  cancelled: 'cancelled',
  decision_only: 'decided only',
};

export function outcomeBreakdown(episodes: readonly PayloadEpisode[]): Breakdown {
  return breakdown(
    episodes.map(({ outcome }) => [outcome]),
    OUTCOME_TITLES,
  );
}

const NOT_ANALYSED = 'not_analysed';

/** What came first in each failed episode. */
export function faultBreakdown(episodes: readonly PayloadEpisode[]): Breakdown {
  return breakdown(
    failed(episodes).map(({ faults }) => [faults[0]?.kind ?? NOT_ANALYSED]),
    { ...FAULT_KINDS, [NOT_ANALYSED]: 'no fault was found' },
  );
}

const NOT_THE_AGENT = 'not_the_agent';

/** tau-bench's type of what came first in each failed episode. */
export function faultTypeBreakdown(episodes: readonly PayloadEpisode[]): Breakdown {
  const titles = Object.fromEntries(FAULT_TYPES.map((type) => [type, type.replaceAll('_', ' ')]));
  return breakdown(
    failed(episodes).flatMap(({ faults: [first] }) =>
      first === undefined ? [] : [[first.faultType ?? NOT_THE_AGENT]],
    ),
    { ...titles, [NOT_THE_AGENT]: 'not the agent’s fault' },
  );
}

/** An episode counts once for each kind of finding; the shares are of all episodes. */
export function customerBreakdown(episodes: readonly PayloadEpisode[]): Breakdown {
  return breakdown(
    episodes.map(({ customer }) => [...new Set(customer)]),
    CUSTOMER_KINDS,
  );
}

function failed(episodes: readonly PayloadEpisode[]): PayloadEpisode[] {
  return episodes.filter((episode) => isScored(episode) && !isSuccess(episode.reward));
}

/** @param keys an episode each, with what it counts for */
function breakdown(keys: readonly (readonly string[])[], titles: Readonly<Record<string, string>>): Breakdown {
  const counts = new Map<string, number>();
  for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const bars = [...counts]
    .map(([key, count]) => ({ key, title: titles[key] ?? key, count, share: count / keys.length }))
    .sort((a, b) => b.count - a.count || a.title.localeCompare(b.title));
  return { bars, whole: keys.length };
}

/** In one sentence; `thing` is what is counted, such as `failed episode`. */
export function breakdownSentence({ bars: [most], whole }: Breakdown, thing: string): string {
  if (whole === 0) return `There is no ${thing}.`;
  if (most === undefined) return `Of ${counted(whole, thing)}, none.`;
  return `Of ${counted(whole, thing)}, most often: ${most.title} (${String(most.count)}, ${percent(most.share)}).`;
}
