/** All that a run's report says, as data; the terminal, Markdown and JSON only lay it out. Pure. */

import type { PackRef } from '../../packs/index.ts';
import type { EpisodeKey, UnfinishedWork } from '../../wire/index.ts';
import { leaderboardRow } from './leaderboard.ts';
import { computeMetrics, plannedEpisodes, unfinishedWork, type Metrics } from '../metrics/index.ts';
import { byTrialThenTask, variantsOf, type EpisodeRow, type RunManifest, type TaskNotes } from '../log/index.ts';
import { missingSentence, remarksOn } from './remarks.ts';
import { taskRows, type TaskRow } from './task-rows.ts';
import { judgeFigures, type Verdict } from '../judge/index.ts';

/** What the figures are about. Fields are null where only a results file is known. */
export interface ReportSubject {
  readonly runId: string;
  readonly env: string | null;
  readonly split: string | null;
  readonly strategy: string | null;
  /** The strategy's name on a leaderboard. */
  readonly label: string | null;
  readonly agentModel: string | null;
  readonly agentProvider: string | null;
  readonly userModel: string | null;
  readonly userProvider: string | null;
  readonly userStrategy: string | null;
  /** Name and the start of its digest. */
  readonly pack: string | null;
  /** What sets the run apart from a plain one, in a few words each. */
  readonly variants: readonly string[];
  readonly status: RunManifest['status'] | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Episodes that the run is to have. */
  readonly planned: number | null;
  /** USD; null as well without a bound. */
  readonly maxCostUsd: number | null;
  readonly notes: readonly string[];
}

export interface Report {
  readonly subject: ReportSubject;
  readonly tasks: readonly TaskRow[];
  /** Trial by trial, tasks ascending. */
  readonly episodes: readonly EpisodeRow[];
  readonly metrics: Metrics;
  /** What a judge of the failed episodes cost, on top of the run's own costs; null: none was asked. */
  readonly judge: ReturnType<typeof judgeFigures> | null;
  /** What the pack's audit knows of the tasks; null: not known. */
  readonly notes: TaskNotes | null;
  /** What the run was to do and has not done. */
  readonly unfinished: UnfinishedWork;
  /** A Markdown row; null when the strategy or the model is not known, and for a run that is not whole. */
  readonly leaderboardRow: string | null;
  /** What a reader has to know before trusting the figures, one sentence each. */
  readonly remarks: readonly string[];
  /** Files of the run log that could not be used, one sentence each. */
  readonly problems: readonly string[];
  /** Episodes of a run at its end that have no readable record; resuming the run repeats them. */
  readonly missing: readonly EpisodeKey[];
}

/** What a report is made of beside the rows; what is left out, there is none of. */
export interface ReportParts {
  readonly problems?: readonly string[];
  /** Records that were replaced. */
  readonly superseded?: readonly EpisodeRow[];
  /** null: what the pack's audit says is not known. */
  readonly notes?: TaskNotes | null;
  /** A judge's. */
  readonly verdicts?: readonly Verdict[];
  readonly missing?: readonly EpisodeKey[];
}

export function buildReport(subject: ReportSubject, rows: readonly EpisodeRow[], parts: ReportParts = {}): Report {
  const { problems = [], superseded = [], notes = null, verdicts = [], missing = [] } = parts;
  const metrics = computeMetrics(rows, superseded);
  const { label, agentModel, variants } = subject;
  const unfinished = unfinishedWork(rows, subject.planned);
  // Figures over the tasks that happened to come first are no run's, and what has no score has no place there either.
  const isPartial = subject.planned !== null && unfinished.missing + unfinished.cancelled > 0;
  const isWhole = !isPartial && metrics.errorsAsFailures.episodes > 0;
  return {
    subject,
    tasks: taskRows(rows, notes?.defects ?? []),
    episodes: [...rows].sort(byTrialThenTask),
    metrics,
    judge: verdicts.length === 0 ? null : judgeFigures(verdicts),
    notes,
    unfinished,
    leaderboardRow:
      label === null || agentModel === null || !isWhole || missing.length > 0
        ? null
        : leaderboardRow({ label, model: agentModel, variants }, metrics.errorsAsFailures.passHatK),
    remarks: [
      ...subject.notes,
      ...(missing.length === 0 ? [] : [`${missingSentence(missing)}, so every figure is without them.`]),
      ...remarksOn(subject, metrics, unfinished, notes),
    ],
    problems,
    missing,
  };
}

export function subjectOfRun(manifest: RunManifest): ReportSubject {
  const { config } = manifest;
  return {
    runId: manifest.runId,
    env: config.env,
    split: config.split,
    strategy: config.strategy,
    label: manifest.label,
    agentModel: config.agentModel.model,
    agentProvider: config.agentModel.provider,
    userModel: config.userModel.model,
    userProvider: config.userModel.provider,
    userStrategy: config.userStrategy,
    pack: packName(config.pack),
    variants: variantsOf(config),
    status: manifest.status,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    planned: plannedEpisodes(manifest),
    maxCostUsd: manifest.maxCostUsd,
    notes: [...manifest.notes, ...endpointNotes(manifest)],
  };
}

/** One sentence for each provider that was called at several addresses. */
function endpointNotes({ endpoints = [] }: RunManifest): string[] {
  return [...new Set(endpoints.map(({ provider }) => provider))].flatMap((provider) => {
    const addresses = endpoints.filter((each) => each.provider === provider).map(({ address }) => address);
    return addresses.length < 2 ? [] : [`Calls of ${provider} went to several addresses: ${addresses.join(', ')}.`];
  });
}

/** `shop (1a2b3c4d5e6f)` */
export function packName({ name, digest }: Pick<PackRef, 'name' | 'digest'>): string {
  return `${name} (${digest.slice(0, 12)})`;
}

/** The subject of a results file of which nothing else is known. */
export function subjectOfFile(fileName: string): ReportSubject {
  return {
    runId: fileName.replace(/\.json$/i, ''),
    env: null,
    split: null,
    strategy: null,
    label: null,
    agentModel: null,
    agentProvider: null,
    userModel: null,
    userProvider: null,
    userStrategy: null,
    pack: null,
    variants: [],
    status: null,
    startedAt: null,
    endedAt: null,
    planned: null,
    maxCostUsd: null,
    notes: [],
  };
}
