/** Texts for people in Temporal UI: summaries of activities and episodes, and the details of a sweep. */

import {
  HALT_CAUSE,
  PAUSE_EFFECT,
  describeAgent,
  describeConditions,
  describeEpisode,
  describeUser,
  episodeName,
  heldLines,
  summarizeAgent,
  totalsByCondition,
  type AlertOutcome,
  type EpisodeSummary,
  type RunComparison,
  type SweepInput,
  type SweepProgress,
} from '../evaluation/index.ts';
import { asMarkdown, cut, formatWatchCommand, SUMMARY_CHARS, type EpisodeInput } from '../episode/index.ts';

/** Returns the reason why an episode shows as failed: its name, the cause, and the remedy. */
export function failureText({ run, episode, fork }: EpisodeInput, reason: string): string {
  const name = episodeName(episode);
  const remedy = fork === undefined ? `\`tauflow retry ${run.runId} ${name}\` runs it again` : 'fork it again';
  return `${name} could not be brought to its end (${reason.replace(/\.$/, '')}); ${remedy}`;
}

export function episodeSummary({ episode, config }: EpisodeInput): string {
  return cut(`${describeEpisode(episode)}: ${summarizeAgent(config)}`, SUMMARY_CHARS);
}

/** An episode that failed or was canceled. */
export interface SeenFailure {
  /** Name of the episode: `task-<id>.trial-<n>`. */
  readonly name: string;
  readonly outcome: EpisodeSummary['outcome'];
  readonly error: string | null;
}

/** Returns the failure of an episode; null for other outcomes. */
export function toSeenFailure(name: string, { outcome, error }: EpisodeSummary): SeenFailure | null {
  const isFailure = outcome === 'infrastructure_error' || outcome === 'cancelled' || outcome === 'agent_error';
  return isFailure ? { name, outcome, error } : null;
}

/** @param failures newest first */
export function sweepDetails(progress: SweepProgress, failures: readonly SeenFailure[]): string {
  return [
    `**${STATUS[progress.status]}**`,
    ...haltLine(progress),
    ...(progress.held ?? []).flatMap((held) => heldLines(held, null).map(asMarkdown)),
    figures(progress),
    ...progress.lanes.map((lane) => `- lane open: \`${lane}\`, its figures come with its end`),
    ...(progress.open.length === 0 ? [] : [`**open**: ${listNamed(progress.open, progress.running)}`]),
    ...(progress.recent.length === 0 ? [] : [`**ended, newest first**: ${listNamed(progress.recent, 0)}`]),
    ...(failures.length === 0 ? [] : [`**failures, newest first**\n\n${failures.map(failureLine).join('\n')}`]),
  ].join('\n\n');
}

const STATUS = {
  running: 'running',
  paused: `paused: ${PAUSE_EFFECT}`,
  budget_reached: 'the budget is used up: no further episode is opened',
  ended: 'ended',
} as const satisfies Record<SweepProgress['status'], string>;

/** Returns the line with the problem that the user has to solve. */
function haltLine({ pausedFor = null, status }: SweepProgress): string[] {
  return pausedFor === null || status === 'ended'
    ? []
    : [`**paused, because ${HALT_CAUSE}**: ${asMarkdown(pausedFor)}`];
}

function figures(progress: SweepProgress): string {
  const { ended, total, resumed, running, maxConcurrency, calls } = progress;
  const conditions = totalsByCondition(progress);
  const rows = [
    ['episodes ended', `${ended} of ${total}${resumed === 0 ? '' : `, ${resumed} of them in earlier runs`}`],
    ['open', `${running} (${maxConcurrency} at once)`],
    ...conditions.map((each) => [
      conditions.length === 1 ? 'solved' : `solved, ${each.name}`,
      each.ended === 0 ? '–' : `${round(each.rewardSum, 2)} (${round((100 * each.rewardSum) / each.ended, 1)} %)`,
    ]),
    ...Object.entries(progress.outcomes).map(([outcome, count]) => [`ended as ${outcome}`, String(count)]),
    ['model calls', String(calls)],
    ['cost', formatCost(progress)],
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

/** Formats the cost; an unknown cost is not shown as zero. */
function formatCost({ knownCostUsd, unpriced, maxCostUsd = null }: SweepProgress): string {
  if (knownCostUsd === 0 && unpriced > 0) return 'not known';
  const limit = maxCostUsd === null ? '' : ` of ${maxCostUsd}`;
  return `${knownCostUsd.toFixed(4)} USD${limit}${unpriced === 0 ? '' : `, without ${unpriced} episode(s) of unknown price`}`;
}

/** @param all number of all names, if `names` are only the first of them */
function listNamed(names: readonly string[], all: number): string {
  const rest = all - names.length;
  return names.map((name) => `\`${name}\``).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Returns the first few of many names, for a sentence. */
export function firstNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length <= 5 ? shown : `${shown} and ${names.length - 5} more`;
}

function failureLine({ name, outcome, error }: SeenFailure): string {
  return `- \`${name}\`, ${outcome}${error === null ? '' : `: ${asMarkdown(error.replace(/\s+/g, ' '))}`}`;
}

function round(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

export function startDetails({ run, config, plan, maxConcurrency }: SweepInput): string {
  const { pack } = config;
  const conditions = describeConditions(config);
  return [
    `- **agent**: ${describeAgent(config)}`,
    `- **user**: ${describeUser(config)}`,
    `- **tasks**: ${plan.taskIds.length} of ${config.env} ${config.split}, ${plan.numTrials} trial(s) each`,
    ...(conditions === null ? [] : [`- **conditions**: ${conditions}`]),
    `- **pack**: ${pack.name} \`${pack.digest.slice(0, 12)}\``,
    `- **at once**: ${maxConcurrency}`,
    `- **run log**: \`${run.logDir}\``,
    `- **watch it**: ${formatWatchCommand(run)}`,
  ].join('\n');
}

/** Returns the details of a scheduled run that was compared. */
export function scheduledRunDetails(
  { runId, verdict, sentence, baseline }: RunComparison,
  alert: AlertOutcome,
): string {
  return [
    `**${verdict.replace('_', ' ')}**: ${sentence}`,
    `- **run**: ${runId}`,
    `- **compared with**: ${baseline ?? 'nothing yet'}`,
    ...(alert.kind === 'sent' ? ['- **alert**: sent'] : []),
    ...(alert.kind === 'failed' ? [`- **alert**: not sent, ${alert.message}`] : []),
  ].join('\n');
}
