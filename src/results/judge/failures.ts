/** The failed episodes of a run log or of any results file, in the form that a judge needs. */

import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Pack, PackRef } from '../../benchmarks/packs/index.ts';
import { episodeName, type EpisodeKey, type FailedEpisode } from '../../evaluation/index.ts';
import { reanalyzeEntry, restoreRecord } from '../regrade/index.ts';
import { orReport, rowOfEntry, type EpisodeRecord, type RowOutcome, type RunLog } from '../../run-log/index.ts';
import { readResultsFile, resultsName } from '../files/index.ts';
import { type ResultsFileEntry, detectForm, type RecordingForm } from '../../benchmarks/results.ts';
import { conversationLines, renderLines, type Fault, type JudgedEpisode } from '../../analysis/index.ts';
import type { Task } from '../../benchmarks/index.ts';
import { sha256 } from '../../io/index.ts';
import {
  readVerdict,
  readVerdicts,
  verdictFile,
  verdictPlace,
  type OpenJudgment,
  type Verdict,
  type VerdictPlace,
} from './verdict.ts';

export interface Failures {
  /** Number of all episodes. */
  readonly length: number;
  /** Returns a failed episode; null if the episode has not failed, or its record is damaged or missing. */
  at(position: number): Promise<FoundFailure | null>;
  find(episode: FailedEpisode): Promise<FoundFailure | null>;
}

export interface FailuresDeps {
  /** Returns undefined if this worker lacks the pack; a file's episodes are then not analyzed. */
  readonly findPack: (ref: PackRef) => Promise<Pack | undefined>;
  /** Reports damaged files of a run log, one sentence each. */
  readonly warn: (sentence: string) => void;
}

/**
 * Returns a reader of failed episodes. It remembers the last results file, because each of its episodes is read
 * separately.
 */
export function createFailureReader({ findPack, warn }: FailuresDeps): (judged: OpenJudgment) => Promise<Failures> {
  const readFile = keepLastFile(readResultsFile);
  return async (judged) => {
    if (judged.kind === 'run') return failuresOfRun(judged, warn);
    const { file, tasks } = judged;
    const entries = await readFile(file);
    const pack = tasks === null ? undefined : await findPack(tasks.pack);
    return failuresOfFile(file, entries, tasks === null || pack === undefined ? null : { pack, split: tasks.split });
  };
}

async function failuresOfRun(
  { log }: Extract<OpenJudgment, { kind: 'run' }>,
  warn: FailuresDeps['warn'],
): Promise<Failures> {
  const { episodes } = await log.listEpisodes();
  const read = async (keys: typeof episodes): Promise<FoundFailure | null> => {
    for await (const record of log.records(keys, warn)) return failureOfRecord(record);
    return null;
  };
  return {
    length: episodes.length,
    at: (position) => read(episodes.slice(position, position + 1)),
    find: (key) => read([key]),
  };
}

/** Tasks of a results file. */
export interface FileTasks {
  readonly pack: Pack;
  readonly split: string;
}

function failuresOfFile(file: string, entries: readonly ResultsFileEntry[], tasks: FileTasks | null): Failures {
  const form = detectForm(entries);
  const runId = resultsName(file);
  const at = (index: number): FoundFailure | null => {
    const entry = entries[index];
    if (entry === undefined) return null;
    const task = tasks?.pack.splits[tasks.split]?.[entry.task_id] ?? null;
    const analysis = tasks === null ? undefined : reanalyzeEntry(entry, tasks.pack, tasks.split, form);
    return failureOfEntry(entry, { runId, index, task, form, faults: analysis?.faults ?? [] });
  };
  return {
    length: entries.length,
    at: (position) => Promise.resolve(at(position)),
    find: ({ index }) => Promise.resolve(index === null ? null : at(index)),
  };
}

/** Returns a reader that reads a file again only when it has changed. */
function keepLastFile<T>(read: (file: string) => Promise<T>): (file: string) => Promise<T> {
  let last: { readonly version: string; readonly content: Promise<T> } | null = null;
  return async (file) => {
    // The reader reports a missing file.
    const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
    const version = `${file} ${String(mtimeMs)} ${String(size)}`;
    if (last?.version === version) return last.content;
    const content = read(file);
    last = { version, content };
    content.catch(() => (last = null));
    return content;
  };
}

export interface FoundFailure {
  readonly runId: string;
  readonly key: EpisodeKey & { readonly taskName?: string | undefined };
  /** Position of the episode in the results file; null in a run log. */
  readonly index: number | null;
  /** Infrastructure error, which needs no judgment; null if there was none. */
  readonly infrastructure: string | null;
  readonly episode: JudgedEpisode;
  readonly deterministic: Verdict['deterministic'];
  /** Digest of the judge's input; it changes when the episode is rerun. */
  readonly digest: string;
}

/** Highest reward of a failed episode, as in tau-bench. */
const FAILED = 1e-3;

/**
 * Returns the failure of a recorded episode; null if it has not failed. Canceled and decided episodes have not failed.
 */
export function failureOfRecord(record: EpisodeRecord): FoundFailure | null {
  const { outcome, reward, task } = record;
  if (reward > FAILED || outcome.kind === 'cancelled' || outcome.kind === 'decision_only') return null;
  const message = 'message' in outcome ? outcome.message : null;
  return createFailure({
    runId: record.runId,
    key: { taskId: record.taskId, trial: record.trial, condition: record.condition, taskName: task.name },
    index: null,
    infrastructure: outcome.kind === 'infrastructure_error' ? (message ?? 'it did not come to its end') : null,
    episode: {
      instruction: task.instruction,
      actions: task.actions,
      outputs: task.outputs,
      lines: conversationLines(restoreRecord(record).trajectory),
      calls: [],
      ending: describeEnding(outcome.kind, message),
    },
    faults: record.analysis?.faults ?? [],
  });
}

interface EntryContext {
  /** Name of the results. */
  readonly runId: string;
  readonly index: number;
  /** The pack's task, for facts that the file lacks; null if unknown. */
  readonly task: Task | null;
  readonly faults: readonly Fault[];
  /** Form of the whole file, see `detectForm`. */
  readonly form: RecordingForm;
}

/** Returns the failure of an entry; null if its episode has not failed. */
export function failureOfEntry(entry: ResultsFileEntry, context: EntryContext): FoundFailure | null {
  const { runId, index, task, faults, form } = context;
  if (entry.reward > FAILED) return null;
  const messages = entry.traj ?? [];
  const recorded = entry.info?.task;
  const { outcome, error } = rowOfEntry(entry, form);
  const lines = conversationLines(messages);
  return createFailure({
    runId,
    key: { taskId: entry.task_id, trial: entry.trial ?? 0 },
    index,
    infrastructure: outcome === 'error' || lines.length === 0 ? (error ?? 'the file has no conversation of it') : null,
    episode: {
      instruction: recorded?.instruction ?? task?.instruction ?? '',
      actions: recorded?.actions ?? task?.actions ?? [],
      outputs: recorded?.outputs ?? task?.outputs ?? [],
      lines,
      calls: form === 'log' ? (entry.info?.executed_actions ?? []).map(({ name, kwargs }) => ({ name, kwargs })) : [],
      ending: describeEnding(outcome, error),
    },
    faults,
  });
}

function createFailure({
  faults,
  ...failure
}: Omit<FoundFailure, 'deterministic' | 'digest'> & { faults: readonly Fault[] }) {
  const [first] = faults;
  const { lines, ending } = failure.episode;
  return {
    ...failure,
    deterministic: first === undefined ? null : { kind: first.kind, faultType: first.faultType, step: first.step },
    digest: sha256([`${failure.infrastructure ?? ''}\n${ending}\n${renderLines(lines)}`]).slice(0, 16),
  };
}

const ENDINGS: Readonly<Partial<Record<RowOutcome, string>>> = {
  user_stop: 'The customer ended the conversation.',
  transferred: 'The agent handed the customer over to a person, which ended the conversation.',
  max_steps: 'The conversation was ended because the agent had used up all its steps.',
  agent_stop: 'The agent ended the conversation.',
  unknown: 'How the conversation was ended is not recorded.',
};

function describeEnding(outcome: RowOutcome, message: string | null): string {
  return ENDINGS[outcome] ?? `The conversation was ended by an error: ${message ?? 'no more is known'}`;
}

interface CurrentVerdicts {
  readonly failed: number;
  /** Verdicts in the order of the results, without verdicts on records that a rerun replaced. */
  readonly verdicts: readonly Verdict[];
}

export async function currentVerdicts(place: VerdictPlace, failures: Failures): Promise<CurrentVerdicts> {
  const verdicts: Verdict[] = [];
  let failed = 0;
  for (let position = 0; position < failures.length; position++) {
    const failure = await failures.at(position);
    if (failure === null) continue;
    failed += 1;
    const verdict = await readVerdict(place, { ...failure.key, index: failure.index });
    if (verdict?.episodeDigest === failure.digest) verdicts.push(verdict);
  }
  return { failed, verdicts };
}

/** True if a verdict is about this record, not about one that this record replaced. */
export function isVerdictOn(verdict: Verdict, record: EpisodeRecord): boolean {
  return failureOfRecord(record)?.digest === verdict.episodeDigest;
}

/**
 * Returns verdicts on a run's current records by `episodeName`. It reads only records that are newer than their
 * verdict.
 */
export async function verdictsOnRecords(
  log: RunLog,
  onProblem: (sentence: string) => void,
): Promise<ReadonlyMap<string, Verdict>> {
  const place = verdictPlace({ kind: 'run', log });
  const found = new Map<string, Verdict>();
  for (const verdict of await readVerdicts(log, onProblem)) {
    const name = episodeName(verdict);
    const written = statSync(verdictFile(place, verdict), { throwIfNoEntry: false });
    const recorded = statSync(path.join(log.paths.episodes, `${name}.json`), { throwIfNoEntry: false });
    if (recorded === undefined) continue;
    if (log.isCopy || written === undefined || recorded.mtimeMs > written.mtimeMs) {
      const record = await orReport(() => log.readEpisode(verdict), onProblem);
      if (record === null || !isVerdictOn(verdict, record)) continue;
    }
    found.set(name, verdict);
  }
  return found;
}
