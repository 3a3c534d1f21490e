/** The episodes of a run log or a results file as the page needs them, one at a time. */

import type { EpisodeAnalysis } from '../../analysis/index.ts';
import type { Task } from '../../benchmark/index.ts';
import type { Pack } from '../../packs/index.ts';
import { episodeName, workflowUrl } from '../../wire/index.ts';
import {
  detectForm,
  episodeOfEntry,
  recordedAnalysis,
  rowOfEntry,
  rowOfRecord,
  type EpisodeRecord,
  type EpisodeRow,
  type RunLog,
} from '../log/index.ts';
import { formOfRecord, reanalyzeEntry, reanalyzeRecord } from '../regrade/index.ts';
import type { Report } from '../report/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';
import { isVerdictOn, readVerdicts, type Verdict } from '../judged/index.ts';
import { conversationOf, conversationOfRecord, type Conversation } from './conversation.ts';

/** A run log or a results file, and its report. */
export type HtmlSubject = {
  readonly report: Report;
  /** The one that its episodes were run with, for those that were recorded without an analysis. */
  readonly pack?: Pack;
} & (
  | { readonly kind: 'run'; readonly log: RunLog }
  | { readonly kind: 'file'; readonly entries: readonly ResultsFileEntry[] }
);

export interface ReadEpisode {
  readonly row: EpisodeRow;
  readonly analysis: EpisodeAnalysis | null;
  readonly verdict: Verdict | null;
  readonly conversation: Conversation;
  /** ISO 8601, UTC; null where the source does not say. */
  readonly endedAt: string | null;
}

/**
 * Task by task, trials ascending.
 * @param uiUrl where Temporal UI is; null: not known
 * @param onProblem told in a sentence of what cannot be read, but for records: the report tells of these
 */
export async function* episodesOf(
  subject: HtmlSubject,
  uiUrl: string | null,
  onProblem: (sentence: string) => void,
): AsyncGenerator<ReadEpisode, void, undefined> {
  const { pack, report } = subject;
  if (subject.kind === 'file') yield* episodesOfFile(subject.entries, report.subject.split ?? 'test', pack);
  else yield* episodesOfLog(subject.log, uiUrl, pack, onProblem);
}

async function* episodesOfLog(
  log: RunLog,
  uiUrl: string | null,
  pack: Pack | undefined,
  onProblem: (sentence: string) => void,
): AsyncGenerator<ReadEpisode, void, undefined> {
  const namespace = (await log.readRun())?.temporal?.namespace;
  const verdicts = new Map((await readVerdicts(log, onProblem)).map((verdict) => [episodeName(verdict), verdict]));
  const { episodes } = await log.listEpisodes();
  const keys = [...episodes].sort((a, b) => a.taskId - b.taskId || a.trial - b.trial);
  for await (const record of log.records(keys, () => undefined)) {
    const analysis = recordedAnalysis(record) ?? reanalyzed(record, pack);
    const found = verdicts.get(episodeName({ taskId: record.task_id, trial: record.trial }));
    const verdict = found !== undefined && isVerdictOn(found, record) ? found : null;
    const historyUrl =
      uiUrl === null || namespace === undefined
        ? null
        : workflowUrl(uiUrl, namespace, record.workflow_id, record.workflow_run_id);
    const conversation = conversationOfRecord(record, formOfRecord(record), { analysis, verdict, historyUrl });
    yield { row: rowOfRecord(record), analysis, verdict, conversation, endedAt: record.ended_at };
  }
}

function reanalyzed(record: EpisodeRecord, pack: Pack | undefined): EpisodeAnalysis | null {
  return pack?.ref.digest === record.config.pack.digest ? reanalyzeRecord(record, pack) : null;
}

function* episodesOfFile(
  entries: readonly ResultsFileEntry[],
  split: string,
  pack: Pack | undefined,
): Generator<ReadEpisode, void, undefined> {
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
    yield { row: rowOfEntry(entry, form), analysis, verdict: null, conversation, endedAt: null };
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
