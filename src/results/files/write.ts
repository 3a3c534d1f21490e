/**
 * Writes tau-bench's results file from a run log. The file is replaced as a whole, so it is always valid JSON. During a
 * run it is replaced whenever the number of results has doubled, so the written bytes grow linearly.
 */

import { episodeName, type EpisodeKey } from '../../evaluation/index.ts';
import { byTrialThenTask, gradeOfRecord, type EpisodeRecord, type RunLog } from '../../run-log/index.ts';
import { toLossless } from '../../benchmarks/python/values.schema.ts';
import { rewardInfoSchema } from '../../benchmarks/results.ts';
import { PyFloat, dumpJson } from '../../benchmarks/python/index.ts';
import { getContent } from '../../benchmarks/contents.ts';
import { restoreRecord } from '../regrade/index.ts';
import { RESPOND } from '../../benchmarks/index.ts';

interface AssembleOptions {
  /** Order of the results; other episodes follow. @default trial by trial, tasks ascending */
  readonly order?: readonly EpisodeKey[];
}

interface AssembledFile {
  readonly path: string;
  /** Number of results in the file. */
  readonly entries: number;
  readonly bytes: number;
  /** Sentences on files of the run log that could not be used. */
  readonly problems: readonly string[];
}

/**
 * Writes the results file, and one for each condition, from the present run log.
 * @returns the file of `base`
 * @throws ResultsError (`log_dir_unwritable`)
 */
export async function assembleResultsFile(log: RunLog, options: AssembleOptions = {}): Promise<AssembledFile> {
  const { episodes, problems } = await log.listEpisodes();
  const ofCondition = (name: string | undefined) => ({
    episodes: orderEpisodes(
      episodes.filter(({ condition }) => condition === name),
      options.order ?? [],
    ),
    problems,
  });
  for (const name of new Set(episodes.flatMap(({ condition }) => condition ?? []))) {
    await assembleFile(log, ofCondition(name), name);
  }
  return await assembleFile(log, ofCondition(undefined));
}

async function assembleFile(
  log: RunLog,
  listing: Awaited<ReturnType<RunLog['listEpisodes']>>,
  condition?: string,
): Promise<AssembledFile> {
  const problems = [...listing.problems];
  let entries = 0;
  const bytes = await log.writeResults(
    (async function* () {
      for await (const record of log.records(listing.episodes, (sentence) => problems.push(sentence))) {
        const entry = resultsEntry(record);
        if (entry === null) continue;
        yield `${entries === 0 ? '[' : ','}\n  ${entry}`;
        entries++;
      }
      yield entries === 0 ? '[]' : '\n]';
    })(),
    condition,
  );
  return { path: log.resultsFile(condition), entries, bytes, problems };
}

/** Keeps the results file up to date during a run. */
export class ResultsAssembler {
  readonly #log: RunLog;
  readonly #options: AssembleOptions;
  #nextAt = 1;
  #busy = false;

  constructor(log: RunLog, options: AssembleOptions = {}) {
    this.#log = log;
    this.#options = options;
  }

  /**
   * Replaces the file if the number of ended episodes has doubled and no replacement is in progress.
   * @param ended number of ended episodes, including those of earlier processes
   * @returns null if nothing was written
   */
  async maybeRewrite(ended: number): Promise<AssembledFile | null> {
    if (this.#busy || ended < this.#nextAt) return null;
    this.#nextAt = ended * 2;
    this.#busy = true;
    try {
      return await assembleResultsFile(this.#log, this.#options);
    } finally {
      this.#busy = false;
    }
  }
}

function orderEpisodes(episodes: readonly EpisodeKey[], order: readonly EpisodeKey[]): EpisodeKey[] {
  const position = new Map(order.map((key, index) => [episodeName(key), index]));
  const rank = (key: EpisodeKey) => position.get(episodeName(key)) ?? order.length;
  return [...episodes].sort((a, b) => rank(a) - rank(b) || byTrialThenTask(a, b));
}

/**
 * Returns the entry's text for the file's list; null for canceled and decided episodes, which other tools would score
 * as failures.
 */
export function resultsEntry(record: EpisodeRecord): string | null {
  if (record.outcome.kind === 'cancelled' || record.outcome.kind === 'decision_only') return null;
  const error = toEntryError(record);
  const entry = {
    task_id: record.taskId,
    reward: new PyFloat(error === null ? record.reward : 0),
    info: error ?? toEntryInfo(record),
    traj: error === null ? restoreRecord(record).trajectory.map(withoutContinuation) : [],
    trial: record.trial,
  };
  return dumpJson(entry, { indent: 2 }).replaceAll('\n', '\n  ');
}

type TrajectoryEntry = EpisodeRecord['trajectory'][number];

/** Removes the provider's own fields, which tau-bench's file does not have. */
function withoutContinuation(message: TrajectoryEntry): TrajectoryEntry {
  if (message.role !== 'assistant' || message.continuation === undefined) return message;
  const { continuation: _, ...shown } = message;
  return shown;
}

/** Returns the reference's `info`: the task, the last step's source, and the grade. */
function toEntryInfo(record: EpisodeRecord) {
  const { task, rewardInfo } = record;
  const last = record.steps.at(-1);
  return {
    task: { user_id: task.userId, actions: task.actions, instruction: task.instruction, outputs: task.outputs },
    source: last === undefined || last.name === RESPOND ? 'user' : last.name,
    user_cost: record.outcome.kind === 'max_steps' ? null : userCost(record),
    reward_info: rewardInfo === null ? null : toLossless(rewardInfo, rewardInfoSchema),
    ...getContent(record.config.env).recordedFacts?.(record.outcome.kind, gradeOfRecord(record)),
  };
}

/** Returns the cost of the simulated user's last completion, without supervisors, as the reference does. */
function userCost(record: EpisodeRecord): PyFloat | null {
  const cost = record.usage.find((usage) => usage.role === 'user')?.lastCallCostUsd;
  if (cost !== undefined) return cost === null ? null : new PyFloat(cost);
  return record.config.userStrategy === 'human' ? new PyFloat(0) : null;
}

function toEntryError(record: EpisodeRecord): { error: string; traceback: string } | null {
  const { outcome } = record;
  if (outcome.kind === 'agent_error' || outcome.kind === 'infrastructure_error') {
    return describeError(record, outcome.kind, outcome.error, outcome.message);
  }
  // The reference does not grade an episode that ran out of steps.
  if (record.gradeError === null || outcome.kind === 'max_steps') return null;
  return describeError(record, 'agent_error', 'ungradable_content', record.gradeError);
}

/** Describes an error without time and place, so that equal runs have equal results files. */
function describeError(record: EpisodeRecord, kind: string, error: string, message: string) {
  const steps = `after ${String(record.steps.length)} steps`;
  return {
    error: message,
    traceback: `${kind} (${error}): ${message}\n  ${steps}, in ${episodeName(record)}\n`,
  };
}
