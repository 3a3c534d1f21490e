/** The data of a report, and its JSON form. Pure. */

import type { PackRef } from '../../benchmarks/packs/index.ts';
import { serviceOptions } from '../../agents/index.ts';
import {
  AGENT_SERVICE,
  OWN_MODELS,
  episodeName,
  hasUser,
  type EpisodeKey,
  type UnfinishedWork,
} from '../../evaluation/index.ts';
import { sumCosts } from '../../episode/index.ts';
import {
  compareConditions,
  computeMetrics,
  countBy,
  firstFault,
  groupByTask,
  isSuccess,
  isSuspectRow,
  plannedEpisodes,
  scoredRows,
  selectCondition,
  spreadOfAll,
  spreadOfKnown,
  unfinishedWork,
  type ConditionFigures,
  type CostSummary,
  type Metrics,
  type PassHat,
} from '../metrics/index.ts';
import {
  byTrialThenTask,
  snakeKeys,
  describeVariants,
  type EpisodeNote,
  type EpisodeRow,
  type RowOutcome,
  type RunManifest,
  type TaskDefect,
  type TaskNotes,
} from '../../run-log/index.ts';
import { describeMissing, findRemarks } from './remarks.ts';
import { evaluateGates, type Gate, type GateResult } from '../gates/index.ts';
import { getContent } from '../../benchmarks/contents.ts';
import { shortAgentName, withCalledModels } from './agent-label.ts';
import type { ReportSubject } from './subject.ts';
import { judgeFigures, type Verdict } from '../judge/index.ts';
import type { FaultKind } from '../../analysis/index.ts';

export interface Report {
  readonly subject: ReportSubject;
  readonly tasks: readonly TaskRow[];
  /** Episodes trial by trial, tasks ascending. */
  readonly episodes: readonly EpisodeRow[];
  readonly metrics: Metrics;
  /** Conditions in the order of the plan. All other figures are for `base`. */
  readonly conditions: readonly ConditionFigures[];
  /** Cost of the judge, which the run's costs exclude; null without a judge. */
  readonly judge: ReturnType<typeof judgeFigures> | null;
  /** Results of the pack's audit; null if unknown. */
  readonly notes: TaskNotes | null;
  readonly episodeNotes: readonly EpisodeNote[];
  readonly unfinished: UnfinishedWork;
  /** A row in Markdown; null for an incomplete run and for an unknown strategy or model. */
  readonly leaderboardRow: string | null;
  /** Description of an agent service, shown below the row; null: none. */
  readonly leaderboardDetail: string | null;
  /** Caveats on the figures, one sentence each. */
  readonly remarks: readonly string[];
  /** Sentences on unreadable files of the run log. */
  readonly problems: readonly string[];
  /** Episodes of an ended run without a readable record, which run again when the run is resumed. */
  readonly missing: readonly EpisodeKey[];
  readonly gates: readonly GateResult[];
}

/** Returns the rows under every condition. */
export function allEpisodes({ episodes, conditions }: Report): EpisodeRow[] {
  return [...episodes, ...conditions.flatMap(({ rows }) => rows)];
}

/** Sums the cost in USD under every condition, archived records included. */
export function sumSpending({ metrics, conditions }: Report): Pick<CostSummary, 'totalUsd' | 'knownUsd'> {
  const { superseded } = metrics;
  const costs = [metrics, ...conditions.map((condition) => condition.metrics)].map((figures) => figures.costs);
  return {
    totalUsd: sumCosts([superseded.costUsd, ...costs.map(({ totalUsd }) => totalUsd)]),
    knownUsd: costs.reduce((sum, { knownUsd }) => sum + knownUsd, superseded.knownUsd),
  };
}

/** Evaluates gates on the report's episodes. */
export function withGates(report: Report, gates: readonly Gate[]): Report {
  const own = { rows: report.episodes, difference: null };
  const find = (name: string) => report.conditions.find((condition) => condition.name === name) ?? null;
  return { ...report, gates: evaluateGates(gates, (condition) => (condition === null ? own : find(condition))) };
}

interface ReportParts {
  readonly problems?: readonly string[];
  /** Rows of archived records. */
  readonly archived?: readonly EpisodeRow[];
  /** Notes on the tasks; null if the pack was not audited. */
  readonly notes?: TaskNotes | null;
  readonly episodeNotes?: readonly EpisodeNote[];
  readonly verdicts?: readonly Verdict[];
  readonly missing?: readonly EpisodeKey[];
  /** Names of the run's conditions. @default none */
  readonly conditions?: readonly string[];
}

/** @param all episodes under every condition */
export function buildReport(configured: ReportSubject, all: readonly EpisodeRow[], parts: ReportParts = {}): Report {
  const subject = withCalledModels(configured, all);
  const { problems = [], archived = [], notes = null, episodeNotes = [], verdicts = [], missing = [] } = parts;
  const { conditions = [] } = parts;
  const rows = selectCondition(all, undefined);
  const metrics = computeMetrics(rows, archived);
  const { label, agentModel, variants } = subject;
  const unfinished = unfinishedWork(all, subject.planned);
  // The leaderboard row is about base. Runs that cover only their first tasks, and runs without scores, have none.
  const plannedOfBase = subject.planned === null ? null : subject.planned / (conditions.length + 1);
  const { missing: lacking, cancelled } = unfinishedWork(rows, plannedOfBase);
  const isPartial = plannedOfBase !== null && lacking + cancelled > 0;
  const lacksBase = missing.some(({ condition }) => condition === undefined);
  const isWhole = !isPartial && !lacksBase && metrics.errorsAsFailures.episodes > 0;
  // A row of another benchmark than tau-bench names the benchmark.
  const benchmark = subject.env !== null && getContent(subject.env).prefix !== '' ? [subject.env] : [];
  // A service's variants are long, so they are shown below its row.
  const isService = subject.strategy === AGENT_SERVICE;
  const named = isService ? benchmark : [...benchmark, ...variants];
  const rest = isService ? variants.filter((words) => words !== label).join(', ') : '';
  return {
    subject,
    tasks: toTaskRows(rows, notes?.defects ?? []),
    episodes: [...rows].sort(byTrialThenTask),
    metrics,
    conditions: compareConditions(all, conditions),
    judge: verdicts.length === 0 ? null : judgeFigures(verdicts),
    notes,
    episodeNotes,
    unfinished,
    leaderboardDetail: rest === '' ? null : `${label ?? AGENT_SERVICE}: ${rest}.`,
    leaderboardRow:
      label === null || agentModel === null || !isWhole
        ? null
        : formatLeaderboardRow({ label, model: agentModel, variants: named }, metrics.errorsAsFailures.passHatK),
    remarks: [
      ...subject.notes,
      ...(missing.length === 0 ? [] : [`${describeMissing(missing)}, so every figure is without them.`]),
      ...findRemarks(subject, metrics, { ...unfinished, isPartial }, notes),
    ],
    problems,
    missing,
    gates: [],
  };
}

export function subjectOfRun(manifest: RunManifest): ReportSubject {
  const { config } = manifest;
  const isAlone = !hasUser(config.pack);
  const { agentName } = config.strategy === AGENT_SERVICE ? serviceOptions(config.strategyOptions) : {};
  return {
    runId: manifest.runId,
    env: config.env,
    split: config.split,
    strategy: config.strategy,
    label: agentName === undefined ? manifest.label : shortAgentName(agentName),
    agentModel: config.agentModel?.model ?? OWN_MODELS,
    agentProvider: config.agentModel?.provider ?? null,
    userModel: isAlone ? null : config.userModel.model,
    userProvider: isAlone ? null : config.userModel.provider,
    userStrategy: isAlone ? null : config.userStrategy,
    pack: formatPackName(config.pack),
    variants: describeVariants(config),
    status: manifest.status,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    planned: plannedEpisodes(manifest),
    maxCostUsd: manifest.maxCostUsd,
    notes: [...manifest.notes, ...describeEndpoints(manifest)],
  };
}

/** Returns a sentence for each provider that was called at several addresses. */
function describeEndpoints({ endpoints = [] }: RunManifest): string[] {
  return [...new Set(endpoints.map(({ provider }) => provider))].flatMap((provider) => {
    const addresses = endpoints.filter((each) => each.provider === provider).map(({ address }) => address);
    return addresses.length < 2 ? [] : [`Calls of ${provider} went to several addresses: ${addresses.join(', ')}.`];
  });
}

/** Formats a pack's name: `retail (1a2b3c4d5e6f)`. */
export function formatPackName({ name, digest }: Pick<PackRef, 'name' | 'digest'>): string {
  return `${name} (${digest.slice(0, 12)})`;
}

/** Returns the subject of a results file without a run log. */
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

/** The trials of one task. */
export interface TaskRow {
  readonly taskId: number;
  /** Name of the task. @default its number */
  readonly taskName?: string | undefined;
  readonly trials: number;
  /** Reward of each trial, in order; null for a trial without a score. */
  readonly rewards: readonly (number | null)[];
  /** Share of successes in the scored trials, in [0, 1]; null without a scored trial. */
  readonly passRate: number | null;
  /** Mean number of environment steps, over trials with a known number. */
  readonly steps: number | null;
  /** Mean number of environment steps of the successful trials. */
  readonly stepsToSuccess: number | null;
  /** Mean user turn in which the successful trials ended. */
  readonly successTurn: number | null;
  /** Cost of all trials in USD; null if a price is unknown. */
  readonly costUsd: number | null;
  readonly outcomes: Readonly<Partial<Record<RowOutcome, number>>>;
  /** Number of failed trials by their first fault. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Number of trials with a suspect user. */
  readonly suspects: number;
  readonly defects: readonly TaskDefect[];
  /** Message of the first error; null if there is none. */
  readonly error: string | null;
}

/** Returns the rows of the tasks, ascending. */
function toTaskRows(rows: readonly EpisodeRow[], defects: readonly TaskDefect[]): TaskRow[] {
  const hasScore = new Set(scoredRows(rows));
  return Array.from(groupByTask(rows), ([taskId, trials]) => ({
    taskId,
    taskName: trials[0]?.taskName,
    ...toTaskRow(trials, hasScore),
    defects: defects.filter((defect) => defect.taskId === taskId),
  })).sort((a, b) => a.taskId - b.taskId);
}

function toTaskRow(
  trials: readonly EpisodeRow[],
  hasScore: ReadonlySet<EpisodeRow>,
): Omit<TaskRow, 'taskId' | 'taskName' | 'defects'> {
  const counted = trials.filter((row) => row.outcome !== 'cancelled');
  const scored = counted.filter((row) => hasScore.has(row));
  const solved = scored.filter((row) => isSuccess(row.reward));
  return {
    trials: trials.length,
    rewards: trials.map((row) => (hasScore.has(row) ? row.reward : null)),
    passRate: scored.length === 0 ? null : solved.length / scored.length,
    steps: spreadOfKnown(counted.map((row) => row.steps))?.mean ?? null,
    stepsToSuccess: spreadOfAll(solved.map((row) => row.steps))?.mean ?? null,
    successTurn: spreadOfAll(solved.map((row) => row.turns))?.mean ?? null,
    costUsd: sumCosts(trials.map((row) => row.costUsd)),
    outcomes: countBy(trials.map(({ outcome }) => outcome)),
    faults: countBy(scored.flatMap((row) => firstFault(row)?.kind ?? [])),
    suspects: scored.filter(isSuspectRow).length,
    error: trials.find((row) => row.error !== null)?.error ?? null,
  };
}

interface LeaderboardSubject {
  /** Name of the strategy on the leaderboard, such as `TC`. */
  readonly label: string;
  readonly model: string;
  /** Differences from the default strategy, in a few words each. */
  readonly variants: readonly string[];
}

export const LEADERBOARD_KS = [1, 2, 3, 4] as const;

/**
 * Formats a row: `| TC (gpt-4o) | 0.604 | 0.491 | 0.430 | 0.383 |`; with variants `TC (gpt-4o, no policy)`. As on the
 * leaderboard, a figure with too few trials is `??`.
 */
export function formatLeaderboardRow(subject: LeaderboardSubject, passHats: readonly PassHat[]): string {
  const name = `${subject.label} (${[subject.model, ...subject.variants].join(', ')})`.replaceAll('|', '\\|');
  const figures = LEADERBOARD_KS.map((k) => passHats.find((passHat) => passHat.k === k)?.value.toFixed(3) ?? '??');
  return `| ${[name, ...figures].join(' | ')} |`;
}

const NOT_TAU_BENCH = "These are not tau-bench's tasks";

/** Returns the note for a run on a synthetic pack, which may have the same command line as a run on tau-bench. */
export function formatSyntheticNote(pack: string, env: string): string {
  return (
    `${NOT_TAU_BENCH}: the pack ${pack} is synthetic. Get tau-bench's with \`npx tauflow data import\` and run them ` +
    `with \`--pack tau-bench-${env}\`.`
  );
}

/** Finds the note that must accompany the leaderboard row. */
export function findRowNote(notes: readonly string[]): string | null {
  return notes.find((note) => note.startsWith(NOT_TAU_BENCH)) ?? null;
}

export const LEADERBOARD_HEADER = [
  '| Strategy | Pass^1 | Pass^2 | Pass^3 | Pass^4 |',
  '| -------- | ------ | ------ | ------ | ------ |',
] as const;

/** Returns the content of `metrics.json`. */
export function metricsToJson(report: Report): object {
  const { subject, metrics, judge, notes, unfinished, leaderboardRow, remarks, problems, missing } = report;
  const { errorsAsFailures, infrastructureErrorsLeftOut, withoutSuspects, successWithinTurns, costs, ...rest } =
    metrics;
  return snakeKeys({
    runId: subject.runId,
    variants: subject.variants,
    agentModel: subject.agentModel,
    averageReward: errorsAsFailures.averageReward,
    floor: notes?.floor ?? null,
    ceiling: notes?.ceiling ?? null,
    passHatK: Object.fromEntries(errorsAsFailures.passHatK.map(({ k, value }) => [String(k), value])),
    successWithinTurns: Object.fromEntries(successWithinTurns.map(({ k, within }) => [String(k), within])),
    successInExactlyTurns: Object.fromEntries(successWithinTurns.map(({ k, exactly }) => [String(k), exactly])),
    ...rest,
    errorsAsFailures,
    infrastructureErrorsLeftOut,
    withoutSuspects,
    planned: subject.planned,
    unfinished,
    costs,
    judge,
    leaderboardRow,
    remarks,
    problems,
    missing: missing.map(episodeName),
    conditions: conditionsToJson(report.conditions),
  }) as object;
}

/** Returns the conditions of `metrics.json` by name; undefined if there are none. */
function conditionsToJson(conditions: readonly ConditionFigures[]): object | undefined {
  if (conditions.length === 0) return undefined;
  return Object.fromEntries(
    conditions.map(({ name, rows: _, metrics, cost, steps, worseTasks, decision, ...rest }) => [
      name,
      {
        averageReward: metrics.errorsAsFailures.averageReward,
        passHatK: Object.fromEntries(metrics.errorsAsFailures.passHatK.map(({ k, value }) => [String(k), value])),
        ...rest,
        decision,
        costDifferenceUsd: cost,
        stepsDifference: steps,
        breaks: decision === 'worse' ? worseTasks.map(({ taskId }) => taskId) : [],
        solvedLessOften: worseTasks.map(({ taskId, before, after }) => ({ taskId, before, after })),
        metrics,
      },
    ]),
  );
}

/** Returns the whole report in JSON, with the rows of its tasks. */
export function reportToJson(report: Report): object {
  return {
    subject: snakeKeys(report.subject),
    metrics: metricsToJson(report),
    tasks: snakeKeys(report.tasks),
    task_notes: snakeKeys(report.notes),
    episode_notes: snakeKeys(report.episodeNotes),
    gates: report.gates.length === 0 ? undefined : snakeKeys(report.gates),
  };
}
