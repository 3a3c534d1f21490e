/** What the page is given, from run logs and results files: one record at a time in memory. */

import { isSuspect, type EpisodeAnalysis } from '../../analysis/types.ts';
import { RESPOND, type Task } from '../../bench/types.ts';
import type { Pack } from '../../packs/types.ts';
import { workflowUrl } from '../../wire/workflow-url.ts';
import { episodeOfEntry } from '../analyzed-episode.ts';
import { byTrialThenTask } from '../paths.ts';
import { formOfRecord, reanalyzeEntry, reanalyzeRecord, recordedAnalysis } from '../reanalyze.ts';
import type { EpisodeRecord } from '../record.ts';
import { detectForm } from '../regrade/steps.ts';
import type { Report } from '../report.ts';
import { readResultsFile, type ResultsFileEntry } from '../results-reader.ts';
import { rowOfEntry, rowOfRecord, type EpisodeRow } from '../rows.ts';
import type { RunLog } from '../run-log.ts';
import { ChunkPacker, type Place } from './chunks.ts';
import { conversationOf, conversationOfRecord, type Conversation } from './conversation.ts';
import type { Payload, PayloadEpisode, PayloadRun } from './payload.ts';

/** A run log or a results file, and its report. */
export type HtmlSubject = {
  readonly report: Report;
  /** The one that its episodes were run with, for those that were recorded without an analysis. */
  readonly pack?: Pack;
} & ({ readonly kind: 'run'; readonly log: RunLog } | { readonly kind: 'file'; readonly path: string });

export interface HtmlOptions {
  /**
   * Where Temporal UI is, such as `http://127.0.0.1:8233`.
   * @default null: no links
   */
  readonly uiUrl?: string | null;
  /**
   * Of several subjects: what `compare` says, as lines for people.
   * @default none
   */
  readonly comparison?: readonly string[];
}

export interface PackedPayload {
  readonly payload: Payload;
  /** In base64, see {@link ChunkPacker}. */
  readonly chunks: readonly string[];
}

/** @throws ResultsError when a log or a file cannot be read */
export async function buildPayload(
  subjects: readonly HtmlSubject[],
  { uiUrl = null, comparison = [] }: HtmlOptions = {},
): Promise<PackedPayload> {
  const packer = new ChunkPacker();
  const runs: PayloadRun[] = [];
  let asOf: string | null = null;
  for (const subject of subjects) {
    const tools = new Set<string>();
    const episodes: CallingEpisode[] = [];
    for await (const { row, analysis, conversation, endedAt } of episodesOf(subject, uiUrl)) {
      const called = new Set(conversation.steps.flatMap(({ name }) => (name === RESPOND ? [] : [name])));
      for (const tool of called) tools.add(tool);
      episodes.push({ ...payloadEpisode(row, analysis, packer.add(conversation)), tools: [...called] });
      if (endedAt !== null && (asOf === null || endedAt > asOf)) asOf = endedAt;
    }
    const sortedTools = [...tools].sort();
    const { report } = subject;
    runs.push({
      subject: report.subject,
      metrics: report.metrics,
      remarks: report.remarks,
      problems: report.problems,
      leaderboardRow: report.leaderboardRow,
      notes: report.notes,
      tools: sortedTools,
      episodes: episodes
        .sort(byTrialThenTask)
        .map((episode) => ({ ...episode, tools: episode.tools.map((tool) => sortedTools.indexOf(tool)) })),
    });
  }
  return { payload: { version: 1, asOf, runs, comparison }, chunks: packer.finish() };
}

/** An episode whose tools have no places yet. */
interface CallingEpisode extends Omit<PayloadEpisode, 'tools'> {
  readonly tools: readonly string[];
}

interface ReadEpisode {
  readonly row: EpisodeRow;
  readonly analysis: EpisodeAnalysis | null;
  readonly conversation: Conversation;
  /** ISO 8601, UTC; null where the source does not say. */
  readonly endedAt: string | null;
}

/** Task by task, so that the trials of a task are in one chunk. */
async function* episodesOf(subject: HtmlSubject, uiUrl: string | null): AsyncGenerator<ReadEpisode, void, undefined> {
  if (subject.kind === 'file')
    yield* episodesOfFile(subject.path, subject.report.subject.split ?? 'test', subject.pack);
  else yield* episodesOfLog(subject.log, uiUrl, subject.pack);
}

async function* episodesOfLog(log: RunLog, uiUrl: string | null, pack: Pack | undefined) {
  const namespace = (await log.readRun())?.temporal?.namespace;
  const { episodes } = await log.listEpisodes();
  const keys = [...episodes].sort((a, b) => a.taskId - b.taskId || a.trial - b.trial);
  // The report tells of damaged records.
  for await (const record of log.records(keys, () => undefined)) {
    const analysis = recordedAnalysis(record) ?? reanalyzed(record, pack);
    const historyUrl =
      uiUrl === null || namespace === undefined
        ? null
        : workflowUrl(uiUrl, namespace, record.workflow_id, record.workflow_run_id);
    const conversation = conversationOfRecord(record, formOfRecord(record), { analysis, verdict: null, historyUrl });
    yield { row: rowOfRecord(record), analysis, conversation, endedAt: record.ended_at };
  }
}

function reanalyzed(record: EpisodeRecord, pack: Pack | undefined): EpisodeAnalysis | null {
  return pack?.ref.digest === record.config.pack.digest ? reanalyzeRecord(record, pack) : null;
}

async function* episodesOfFile(path: string, split: string, pack: Pack | undefined) {
  const entries = await readResultsFile(path);
  const form = detectForm(entries);
  const sorted = [...entries].sort((a, b) => a.task_id - b.task_id || (a.trial ?? 0) - (b.trial ?? 0));
  for (const entry of sorted) {
    const analysis = (pack === undefined ? undefined : reanalyzeEntry(entry, pack, split, form)) ?? null;
    const task = pack?.splits[split]?.[entry.task_id] ?? recordedTask(entry);
    const conversation = conversationOf(episodeOfEntry(entry, task, form), entry.traj ?? [], form, {
      analysis,
      verdict: null,
      steps: [],
      roles: [],
      workflowId: null,
      historyUrl: null,
    });
    yield { row: rowOfEntry(entry), analysis, conversation, endedAt: null };
  }
}

/** The task as far as the file tells. */
function recordedTask({ info }: ResultsFileEntry): Task {
  const task = info?.task;
  return {
    userId: task?.user_id ?? '',
    instruction: task?.instruction ?? '',
    actions: task?.actions ?? [],
    outputs: task?.outputs ?? [],
  };
}

function payloadEpisode(
  row: EpisodeRow,
  analysis: EpisodeAnalysis | null,
  place: Place,
): Omit<PayloadEpisode, 'tools'> {
  const { taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error } = row;
  return {
    ...{ taskId, trial, reward, outcome, steps, turns, costUsd, durationMs, error },
    faults: (analysis?.faults ?? []).map(({ kind, faultType, step }) => ({ kind, faultType, step })),
    customer: (analysis?.customer ?? []).map(({ kind }) => kind),
    isSuspect: analysis !== null && isSuspect(analysis),
    verdict: null,
    ...place,
  };
}
