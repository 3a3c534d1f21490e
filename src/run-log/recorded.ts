/** Reads the recorded episodes of a run for its sweep. */

import { isSuspect } from '../analysis/index.ts';
import { SweepOrder, type SweepPlan } from '../benchmarks/index.ts';
import {
  NO_TOTALS,
  addCost,
  addEpisode,
  episodeName,
  isFinalOutcome,
  type EpisodeKey,
  type EpisodeSummary,
  type SweepTotals,
} from '../evaluation/index.ts';
import { summarizeRecord } from './record.ts';
import type { RunLog } from './run-log.ts';

/** A half-open range of a plan's positions. */
interface PlanPart {
  readonly plan: SweepPlan;
  readonly seed: number;
  /** Episodes that may run; for all others, the recorded outcome is final. @default all */
  readonly only?: readonly EpisodeKey[];
  /** See `FindRecordedInput.repeatSuspect`. @default 0 */
  readonly repeatSuspect?: number;
  readonly start: number;
  readonly end: number;
}

interface RecordedPart {
  /** Positions of finished episodes, ascending. */
  readonly positions: readonly number[];
  /** Number of episodes to rerun in another pass over the plan. */
  readonly failed: number;
  /** Totals of {@link positions}, with the costs of all records in the range, replaced ones included. */
  readonly totals: SweepTotals;
  /** Workflow runs of canceled episodes, by episode name. @default none */
  readonly begun?: Readonly<Record<string, string>>;
  /** Numbers of earlier attempts of episodes to repeat, by name. @default none */
  readonly repeats?: Readonly<Record<string, number>>;
}

/** Finds the episodes of a part of the plan in a run log, with one record in memory at a time. */
export async function readRecorded(
  log: RunLog,
  { plan, seed, only, repeatSuspect = 0, start, end }: PlanPart,
  warn: (sentence: string) => void,
): Promise<RecordedPart> {
  const order = new SweepOrder(plan, seed);
  const positionOf = new Map<string, number>();
  for (let position = start; position < end; position++) positionOf.set(episodeName(order.at(position)), position);
  const chosen = only === undefined ? null : new Set(only.map(episodeName));
  const mayRun = (name: string) => chosen === null || chosen.has(name);
  const positions = [...positionOf].flatMap(([name, position]) => (mayRun(name) ? [] : [position]));
  let failed = 0;
  const begun: Record<string, string> = {};
  const repeats: Record<string, number> = {};
  let totals: SweepTotals = NO_TOTALS;
  const { episodes } = await log.listEpisodes();
  const wanted = episodes.filter((key) => positionOf.has(episodeName(key)));
  for await (const record of log.records(wanted, warn)) {
    const summary = summarizeRecord(record);
    const name = episodeName(summary.episode);
    const position = positionOf.get(name);
    const { repeat = 0, analysis } = record;
    const isFinished = isFinalOutcome(summary.outcome);
    const isRepeated = isFinished && repeat < repeatSuspect && analysis !== undefined && isSuspect(analysis);
    if (isRepeated || repeat > 0) repeats[name] = isFinished ? repeat + 1 : repeat;
    const isLost = position === undefined || !isFinished || isRepeated;
    if (isLost) failed += 1;
    // An episode that infrastructure ended begins anew, because its replies may have been the reason.
    if (summary.outcome === 'cancelled') begun[name] = record.workflowRunId;
    if (isLost && mayRun(name)) {
      totals = addCost(totals, summary);
    } else {
      if (position !== undefined && mayRun(name)) positions.push(position);
      totals = addEpisode(totals, summary);
    }
  }
  for await (const record of log.archivedRecords(warn, (key) => positionOf.has(episodeName(key)))) {
    totals = addCost(totals, summarizeRecord(record));
  }
  const sorted = positions.sort((a, b) => a - b);
  return {
    positions: sorted,
    failed,
    totals,
    begun: Object.keys(begun).length === 0 ? undefined : begun,
    repeats: Object.keys(repeats).length === 0 ? undefined : repeats,
  };
}

/**
 * Finds an episode's summary. Null if that workflow run has not recorded it; a workflow run of null matches any record.
 */
export async function findSummary(
  log: RunLog,
  episode: EpisodeKey,
  workflowRunId: string | null,
  warn: (sentence: string) => void,
): Promise<EpisodeSummary | null> {
  for await (const record of log.records([episode], warn)) {
    return workflowRunId === null || record.workflowRunId === workflowRunId ? summarizeRecord(record) : null;
  }
  return null;
}

/**
 * Archives records, so that their episodes run again.
 * @param counted episodes that the sweep counts with any outcome; other episodes only with a final outcome
 * @returns totals of the archived records that the sweep counts
 */
export async function archiveEpisodes(
  log: RunLog,
  episodes: readonly EpisodeKey[],
  counted: readonly EpisodeKey[],
  warn: (sentence: string) => void,
): Promise<SweepTotals> {
  const names = new Set(counted.map(episodeName));
  let totals = NO_TOTALS;
  for await (const record of log.records(episodes, warn)) {
    const summary = summarizeRecord(record);
    if (isFinalOutcome(summary.outcome) || names.has(episodeName(summary.episode)))
      totals = addEpisode(totals, summary);
  }
  for (const key of episodes) await log.archiveEpisode(key);
  return totals;
}
