/**
 * Display of workflows in Temporal: search attributes, the options that a sweep is started with, summaries,
 * details and live transcripts.
 *
 * SQL visibility has columns for three Int, three Double and ten Keyword attributes in all; the set below takes two,
 * three and seven of them. `TauSweep` is on the sweep and on each of its episodes, so that one query finds both.
 */

import {
  SearchAttributeType,
  defineSearchAttributeKey,
  type SearchAttributePair,
  type SearchAttributeUpdatePair,
} from '@temporalio/common';
import {
  describeUser,
  sweepMemo,
  type EpisodeKey,
  type EvaluationConfig,
  type ForkOrigin,
  type RunRef,
  type SweepInput,
  episodeName,
  formatHeld,
  viewedUrl,
  type EpisodeInput,
  type EpisodeSummary,
  type SweepProgress,
} from '../src/wire/index.ts';
import type { CompletionRequest, TranscriptLine } from '../src/agents/index.ts';
import type { Action } from '../src/benchmark/index.ts';

export const TauEnv = defineSearchAttributeKey('TauEnv', SearchAttributeType.KEYWORD);
export const TauStrategy = defineSearchAttributeKey('TauStrategy', SearchAttributeType.KEYWORD);
/** The agent's model as its provider names it. */
export const TauModel = defineSearchAttributeKey('TauModel', SearchAttributeType.KEYWORD);
/** The sweep's workflow id. */
export const TauSweep = defineSearchAttributeKey('TauSweep', SearchAttributeType.KEYWORD);
/** Outcome of an episode: its `kind`. */
export const TauOutcome = defineSearchAttributeKey('TauOutcome', SearchAttributeType.KEYWORD);
export const TauTask = defineSearchAttributeKey('TauTask', SearchAttributeType.INT);
/** Counts from 0. */
const TauTrial = defineSearchAttributeKey('TauTrial', SearchAttributeType.INT);
export const TauReward = defineSearchAttributeKey('TauReward', SearchAttributeType.DOUBLE);
/** USD; absent when a price is unknown. */
export const TauCostUsd = defineSearchAttributeKey('TauCostUsd', SearchAttributeType.DOUBLE);

/** Of a fork: the workflow id of the episode that it was forked from. */
export const TauOrigin = defineSearchAttributeKey('TauOrigin', SearchAttributeType.KEYWORD);
/** Of a scheduled run: what its comparison with the run before has come to (`regression`, `improvement`, …). */
export const TauVerdict = defineSearchAttributeKey('TauVerdict', SearchAttributeType.KEYWORD);
/** Of a scheduled run: its average reward less that of the run before, paired over tasks. */
export const TauDelta = defineSearchAttributeKey('TauDelta', SearchAttributeType.DOUBLE);

/** The server's own, on what a schedule has started: the time that it was due. */
export const TemporalScheduledStartTime = defineSearchAttributeKey(
  'TemporalScheduledStartTime',
  SearchAttributeType.DATETIME,
);

/** All of them, as a server must know them before an episode starts. */
export const searchAttributeKeys = [
  TauEnv,
  TauStrategy,
  TauModel,
  TauSweep,
  TauOutcome,
  TauTask,
  TauTrial,
  TauReward,
  TauCostUsd,
  TauOrigin,
  TauVerdict,
  TauDelta,
] as const;

/**
 * Cost to the millionth of a dollar: sums have digits beyond that nobody wants to read in a list.
 * @param costUsd null: a price is not known
 */
export function costAttribute(costUsd: number | null): SearchAttributeUpdatePair {
  return { key: TauCostUsd, value: costUsd === null ? null : Number(costUsd.toFixed(6)) };
}

/** Search attributes of a sweep and its lanes. */
export function sweepAttributes(run: RunRef, config: EvaluationConfig): SearchAttributePair[] {
  return [
    { key: TauEnv, value: config.env },
    { key: TauStrategy, value: config.strategy },
    { key: TauModel, value: config.agentModel.model },
    { key: TauSweep, value: run.runId },
  ];
}

/** Search attributes of an episode from its start; its results are added when it ends. */
export function episodeAttributes(run: RunRef, config: EvaluationConfig, episode: EpisodeKey): SearchAttributePair[] {
  return [
    ...sweepAttributes(run, config),
    { key: TauTask, value: episode.taskId },
    { key: TauTrial, value: episode.trial },
  ];
}

/** Search attributes of a fork, without its sweep's, so that the run's own counts do not include it. */
export function forkAttributes(
  config: EvaluationConfig,
  episode: EpisodeKey,
  origin: ForkOrigin,
): SearchAttributePair[] {
  return [
    { key: TauEnv, value: config.env },
    { key: TauStrategy, value: config.strategy },
    { key: TauModel, value: config.agentModel.model },
    { key: TauTask, value: episode.taskId },
    { key: TauTrial, value: episode.trial },
    { key: TauOrigin, value: origin.workflowId },
  ];
}

/**
 * A cold replay of a long sweep takes some seconds, and on a busy machine more than the default of 10 s. A worker that is
 * killed keeps the task that it has for so long.
 */
export const WORKFLOW_TASK_TIMEOUT = '30 seconds';

/** @param program the version of the program, for the sweep's memo */
export function sweepOptions(input: SweepInput, program?: string) {
  const { run, config, plan, indexed } = input;
  return {
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    staticSummary: `${config.strategy}, ${config.agentModel.model}: ${plan.taskIds.length} tasks × ${plan.numTrials}`,
    staticDetails: startDetails(input),
    memo: sweepMemo(input, program),
    ...(indexed ? { typedSearchAttributes: sweepAttributes(run, config) } : {}),
  } as const;
}

function startDetails({ run, config, plan, maxConcurrency }: SweepInput): string {
  const { agentModel, pack } = config;
  return [
    `- **agent**: ${config.strategy} with ${agentModel.provider}/${agentModel.model}`,
    `- **user**: ${describeUser(config)}`,
    `- **tasks**: ${plan.taskIds.length} of ${config.env} ${config.split}, ${plan.numTrials} trial(s) each`,
    `- **pack**: ${pack.name} \`${pack.digest.slice(0, 12)}\``,
    `- **at once**: ${maxConcurrency}`,
    `- **run log**: \`${run.logDir}\``,
    `- **watch it**: ${viewed(run)}`,
  ].join('\n');
}

/** Temporal keeps 200 bytes of a summary; four bytes a character at worst. */
const SUMMARY_CHARS = 100;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** A text as Markdown that shows it: the UI's takes tags for its own, and what is between two dollars for a formula. */
export function asMarkdown(text: string): string {
  return text.trim().replaceAll('<', '&lt;').replaceAll('$', '&#36;');
}

/**
 * `step 5: cancel_pending_order #W0000000`: the first text argument says most.
 * @param isKept true if a fork replays it
 */
export function stepSummary(index: number, action: Action, isKept = false): string {
  return cut(`${isKept ? 'kept ' : ''}step ${index}: ${actionText(action)}`, SUMMARY_CHARS);
}

/** Of a step that is taken again on the data that the episode started with. */
export function initialStepSummary(index: number, action: Action): string {
  return cut(`step ${index} shown on the initial data: ${actionText(action)}`, SUMMARY_CHARS);
}

function actionText({ name, kwargs }: Action): string {
  const first = [...kwargs.values()].find((value) => typeof value === 'string' && value !== '');
  return typeof first === 'string' ? `${name} ${first}` : name;
}

/** @param count numbers the calls of the agent, or of the user, from 1 */
export function callSummary({ role, summary }: CompletionRequest, count: number): string {
  return cut(summary ?? `${role} call ${count}`, SUMMARY_CHARS);
}

/** Reason why an episode shows as failed: its name, what happened, and how to run it again. */
export function failureText({ run, episode, fork }: EpisodeInput, reason: string): string {
  const name = episodeName(episode);
  const remedy = fork === undefined ? `\`tauflow retry ${run.runId} ${name}\` runs it again` : 'fork it again';
  return `${name} could not be brought to its end (${reason.replace(/\.$/, '')}); ${remedy}`;
}

export function episodeSummary({ episode, config }: EpisodeInput): string {
  const { strategy, agentModel } = config;
  return cut(`task ${episode.taskId}, trial ${episode.trial}: ${strategy}, ${agentModel.model}`, SUMMARY_CHARS);
}

/** An episode that did not come to an end of its own. */
export interface SeenFailure {
  /** `task-<id>.trial-<n>`. */
  readonly name: string;
  readonly outcome: EpisodeSummary['outcome'];
  readonly error: string | null;
}

/** The failure of an episode; null for outcomes that are none. */
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

/** Problem that the user has to solve. */
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

/** Names the place where the episode can be watched, on the machine that has the run's folder. A fork is no part of its run. */
export function viewLink({ run, episode, fork }: EpisodeInput): string {
  return fork === undefined ? `Watch it: ${viewed(run, episode)}` : `Its run: ${viewCommand(run)}`;
}

function viewed(run: RunRef, episode?: EpisodeKey): string {
  const url = viewedUrl(run.runId, episode);
  return `${viewCommand(run)}, then [${url}](${url})`;
}

function viewCommand({ logDir }: RunRef): string {
  const folder = /^[\w./+@:-]+$/.test(logDir) ? logDir : `'${logDir.replaceAll("'", String.raw`'\''`)}'`;
  return code(`npx tauflow view --log-dir ${folder}`);
}

/** Temporal keeps 20 kB of details. */
const DETAILS_BYTES = 12_000;
const LINE_CHARS = 600;

/**
 * The conversation of an open episode in Markdown, the newest part that fits. Lines that can no longer be shown are not
 * kept either.
 */
export class LiveTranscript {
  readonly #paragraphs: string[] = [];
  readonly #head: readonly string[];
  #bytes = 0;
  #isCut = false;

  /** @param head stays above the conversation */
  constructor(...head: readonly string[]) {
    this.#head = head;
  }

  /** @param label @default what the line is */
  add({ what, text }: TranscriptLine, label: string = what): void {
    const shown = text.length <= LINE_CHARS ? text : `${text.slice(0, LINE_CHARS - 1)}…`;
    const paragraph = `**${label}**: ${CODE.has(what) ? code(shown) : words(shown)}`;
    this.#paragraphs.push(paragraph);
    this.#bytes += sizeOf(paragraph);
    while (this.#bytes > DETAILS_BYTES) {
      this.#bytes -= sizeOf(this.#paragraphs.shift() ?? '');
      this.#isCut = true;
    }
  }

  toMarkdown(): string {
    return [...this.#head, ...(this.#isCut ? ['…'] : []), ...this.#paragraphs].join('\n\n');
  }
}

/** Texts with tags and braces, which Markdown would take for its own. */
const CODE: ReadonlySet<TranscriptLine['what']> = new Set(['command', 'step', 'observation']);

/** On one line, between more back-ticks than the text has in a row. */
function code(text: string): string {
  const longest = Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || text === '' ? ' ' : '';
  return `${fence}${padding}${text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))}${padding}${fence}`;
}

/** A text of several lines is quoted, so that it stays together. */
function words(text: string): string {
  const escaped = asMarkdown(text);
  return escaped.includes('\n') ? `\n> ${escaped.replaceAll('\n', '\n> ')}` : escaped;
}

/** Bytes in UTF-8 with the empty line before; a bound for what is outside the first plane. */
function sizeOf(paragraph: string): number {
  let bytes = 2;
  for (let i = 0; i < paragraph.length; i++) {
    const unit = paragraph.charCodeAt(i);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }
  return bytes;
}
