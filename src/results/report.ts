/** All that a run's report says, as data; the terminal, Markdown and JSON only lay it out. Pure. */

import { leaderboardRow } from './leaderboard.ts';
import { computeMetrics, type Metrics } from './metrics.ts';
import { isSuccess } from './pass-hat-k.ts';
import { byTrialThenTask } from './paths.ts';
import type { EpisodeRow, RowOutcome } from './rows.ts';
import type { RunManifest } from './run-manifest.schema.ts';
import type { TaskNotes } from './task-notes.schema.ts';
import { spread } from './turns.ts';
import { variantsOf } from './variants.ts';

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
  readonly notes: readonly string[];
}

/** The trials of one task. */
export interface TaskRow {
  readonly taskId: number;
  readonly trials: number;
  /** Reward per trial, in the trials' order; null for one without a score. */
  readonly rewards: readonly (number | null)[];
  /** Successes over counted trials, in [0, 1]; null when none counts. */
  readonly passRate: number | null;
  /** Mean of environment steps over all trials. */
  readonly steps: number | null;
  /** Means over the successful trials: environment steps, and the user turn in which they ended. */
  readonly stepsToSuccess: number | null;
  readonly successTurn: number | null;
  /** USD for all trials; null when a price is unknown. */
  readonly costUsd: number | null;
  readonly outcomes: Readonly<Partial<Record<RowOutcome, number>>>;
  /** What the first error said; null without errors. */
  readonly error: string | null;
}

export interface Report {
  readonly subject: ReportSubject;
  readonly tasks: readonly TaskRow[];
  /** Trial by trial, tasks ascending. */
  readonly episodes: readonly EpisodeRow[];
  readonly metrics: Metrics;
  /** What the pack's audit knows of the tasks; null: not known. */
  readonly notes: TaskNotes | null;
  /** A Markdown row; null when the strategy or the model is not known. */
  readonly leaderboardRow: string | null;
  /** What a reader has to know before trusting the figures, one sentence each. */
  readonly remarks: readonly string[];
  /** Files of the run log that could not be used, one sentence each. */
  readonly problems: readonly string[];
}

/** What a report is made of beside the rows; what is left out, there is none of. */
export interface ReportParts {
  readonly problems?: readonly string[];
  /** Records that were replaced. */
  readonly superseded?: readonly EpisodeRow[];
  /** null: what the pack's audit says is not known. */
  readonly notes?: TaskNotes | null;
}

export function buildReport(subject: ReportSubject, rows: readonly EpisodeRow[], parts: ReportParts = {}): Report {
  const { problems = [], superseded = [], notes = null } = parts;
  const metrics = computeMetrics(rows, superseded);
  const { label, agentModel, variants } = subject;
  // What was only decided has no score, so it has no place on a leaderboard either.
  const isScored = metrics.decided === 0 || metrics.decided < metrics.episodes;
  return {
    subject,
    tasks: taskRows(rows),
    episodes: [...rows].sort(byTrialThenTask),
    metrics,
    notes,
    leaderboardRow:
      label === null || agentModel === null || !isScored
        ? null
        : leaderboardRow({ label, model: agentModel, variants }, metrics.errorsAsFailures.passHatK),
    remarks: [...subject.notes, ...remarksOn(subject, metrics)],
    problems,
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
    pack: `${config.pack.name} (${config.pack.digest.slice(0, 12)})`,
    variants: variantsOf(config),
    status: manifest.status,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    notes: manifest.notes,
  };
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
    notes: [],
  };
}

export const SCRIPTED_PROVIDER = 'scripted';

export const SCRIPTED_REMARK =
  'The model was scripted: it plays from the ground truth, so these figures show that the harness works and say ' +
  'nothing about any model.';

function remarksOn(subject: ReportSubject, metrics: Metrics): string[] {
  const remarks: string[] = [];
  // The one who started the run may have noted it already, in words of his own.
  const isNoted = subject.notes.some((note) => note.includes('scripted'));
  if (subject.agentProvider === SCRIPTED_PROVIDER && !isNoted) remarks.push(SCRIPTED_REMARK);
  else if (subject.userProvider === SCRIPTED_PROVIDER && !isNoted) {
    remarks.push('The simulated user was scripted, so these figures do not compare with any published ones.');
  }
  if (subject.status === 'running') remarks.push('The run is still going on: these figures are of what has ended.');
  if (metrics.cancelled > 0) {
    remarks.push(`${episodes(metrics.cancelled)} cancelled and left out of every figure but the costs.`);
  }
  const { unpriced, roles } = metrics.costs;
  if (unpriced > 0 && roles.length > 0) {
    remarks.push(`The price of a model is not known in ${String(unpriced)} episodes: costs are lower bounds.`);
  }
  if (metrics.numberSpellingOnly > 0) {
    remarks.push(
      `${episodes(metrics.numberSpellingOnly)} graded 0 only for how a number is spelt (such as 131.0 for 131), ` +
        'which the benchmark counts as wrong.',
    );
  }
  if (metrics.wouldHavePassed > 0) {
    remarks.push(
      `${episodes(metrics.wouldHavePassed)} out of steps with everything right, which the benchmark counts as wrong.`,
    );
  }
  return remarks;
}

function episodes(count: number): string {
  return count === 1 ? '1 episode was' : `${String(count)} episodes were`;
}

/** Tasks ascending. */
function taskRows(rows: readonly EpisodeRow[]): TaskRow[] {
  const byTask = new Map<number, EpisodeRow[]>();
  for (const row of rows) {
    const task = byTask.get(row.taskId);
    if (task === undefined) byTask.set(row.taskId, [row]);
    else task.push(row);
  }
  return [...byTask].sort(([a], [b]) => a - b).map(([taskId, trials]) => taskRow(taskId, trials));
}

function taskRow(taskId: number, unsorted: readonly EpisodeRow[]): TaskRow {
  const trials = [...unsorted].sort((a, b) => a.trial - b.trial);
  const counted = trials.filter((row) => row.outcome !== 'cancelled');
  const scored = counted.filter(hasScore);
  const solved = scored.filter((row) => isSuccess(row.reward));
  const outcomes: Partial<Record<RowOutcome, number>> = {};
  for (const { outcome } of trials) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    taskId,
    trials: trials.length,
    rewards: trials.map((row) => (hasScore(row) ? row.reward : null)),
    passRate: scored.length === 0 ? null : solved.length / scored.length,
    steps: spread(counted.map((row) => row.steps))?.mean ?? null,
    stepsToSuccess: spread(solved.map((row) => row.steps))?.mean ?? null,
    successTurn: spread(solved.map((row) => row.turns))?.mean ?? null,
    costUsd: trials.reduce<number | null>(
      (sum, row) => (sum === null || row.costUsd === null ? null : sum + row.costUsd),
      0,
    ),
    outcomes,
    error: trials.find((row) => row.error !== null)?.error ?? null,
  };
}

function hasScore({ outcome }: EpisodeRow): boolean {
  return outcome !== 'cancelled' && outcome !== 'decision_only';
}
