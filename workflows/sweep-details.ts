/** How far a sweep is, as Temporal UI shows it while it runs: Markdown, made of what the sweep knows anyway. */

import { formatHeld, type EpisodeSummary, type SweepProgress } from '../src/wire/index.ts';
import { asMarkdown } from './details.ts';

/** An episode that did not come to an end of its own. */
export interface SeenFailure {
  /** `task-<id>.trial-<n>`. */
  readonly name: string;
  readonly outcome: EpisodeSummary['outcome'];
  readonly error: string | null;
}

/** What a failure was of; the other outcomes are none. */
export function failureOf(name: string, { outcome, error }: EpisodeSummary): SeenFailure | null {
  const isFailure = outcome === 'infrastructure_error' || outcome === 'cancelled' || outcome === 'agent_error';
  return isFailure ? { name, outcome, error } : null;
}

/** @param failures newest first */
export function sweepDetails(progress: SweepProgress, failures: readonly SeenFailure[]): string {
  return [
    `**${STATUS[progress.status]}**`,
    ...haltLine(progress),
    ...(progress.held ?? []).map((held) => asMarkdown(formatHeld(held, null))),
    figures(progress),
    ...progress.lanes.map((lane) => `- lane open: \`${lane}\`, its figures come with its end`),
    ...(progress.open.length === 0 ? [] : [`**open**: ${named(progress.open, progress.running)}`]),
    ...(progress.recent.length === 0 ? [] : [`**ended, newest first**: ${named(progress.recent, 0)}`]),
    ...(failures.length === 0 ? [] : [`**failures, newest first**\n\n${failures.map(failureLine).join('\n')}`]),
  ].join('\n\n');
}

const STATUS = {
  running: 'running',
  paused: 'paused: open episodes go on to their end, no further one is opened',
  budget_reached: 'the budget is used up: no further episode is opened',
  ended: 'ended',
} as const satisfies Record<SweepProgress['status'], string>;

/** What a person has to see to. */
function haltLine({ pausedFor = null, status }: SweepProgress): string[] {
  return pausedFor === null || status === 'ended'
    ? []
    : [`**paused, because the provider refuses or is away**: ${asMarkdown(pausedFor)}`];
}

function figures(progress: SweepProgress): string {
  const { ended, total, resumed, running, maxConcurrency, rewardSum, calls, knownCostUsd, unpriced } = progress;
  const { maxCostUsd = null } = progress;
  const rows = [
    ['episodes ended', `${ended} of ${total}${resumed === 0 ? '' : `, ${resumed} of them in earlier runs`}`],
    ['open', `${running} (${maxConcurrency} at once)`],
    ['solved', ended === 0 ? '–' : `${round(rewardSum, 2)} (${round((100 * rewardSum) / ended, 1)} %)`],
    ...Object.entries(progress.outcomes).map(([outcome, count]) => [`ended as ${outcome}`, String(count)]),
    ['model calls', String(calls)],
    [
      'cost',
      `${knownCostUsd.toFixed(4)} USD${maxCostUsd === null ? '' : ` of ${maxCostUsd}`}${unpriced === 0 ? '' : `, without ${unpriced} episode(s) of unknown price`}`,
    ],
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

/** @param all how many there are, when the names are only the first of them */
function named(names: readonly string[], all: number): string {
  const rest = all - names.length;
  return names.map((name) => `\`${name}\``).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function failureLine({ name, outcome, error }: SeenFailure): string {
  return `- \`${name}\`, ${outcome}${error === null ? '' : `: ${asMarkdown(error.replace(/\s+/g, ' '))}`}`;
}

function round(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
