/**
 * The episodes of a run log or a results file as the page shows them, step by step. Only one is in memory at a time..
 */

import type { AnalyzedEpisode, EpisodeAnalysis } from '../../analysis/index.ts';
import { DEFAULTS, RESPOND, type Action, type Task, type TrajectoryForm } from '../../benchmarks/index.ts';
import { detectForm, type RecordingForm, type ResultsFileEntry, type ResultsFileMessage } from '../../benchmarks/results.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';
import { episodeName, workflowUrl } from '../../evaluation/index.ts';
import { rowOfEntry, rowOfRecord, type EpisodeRecord, type EpisodeRow, type RunLog } from '../../run-log/index.ts';
import { episodeOfEntry, episodeOfRecord, formOfRecord, reanalyzeEntry, reanalyzedRow } from '../../results/regrade/index.ts';
import type { Report } from '../../results/report/index.ts';
import { isVerdictOn, readVerdicts, type Verdict } from '../../results/judge/index.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import type { PayloadAction, PayloadConversation, PayloadDifference, PayloadStep, PayloadVerdict } from './payload.ts';

/** A run log or a results file, and its report. */
export type HtmlSubject = { readonly report: Report } & (
  | { readonly kind: 'run'; readonly log: RunLog }
  | {
      readonly kind: 'file';
      readonly entries: readonly ResultsFileEntry[];
      /** Pack for the analysis of the episodes; null if unknown. */
      readonly pack: Pack | null;
    }
);

export interface ReadEpisode {
  readonly row: EpisodeRow;
  readonly verdict: Verdict | null;
  readonly conversation: ViewedConversation;
}

/**
 * Yields the episodes task by task, trials ascending.
 * @param uiUrl address of Temporal UI; null: unknown
 * @param onProblem called with a sentence for each file that cannot be read; unreadable records are among the problems
 *   of the report
 */
export async function* readEpisodes(
  subject: HtmlSubject,
  uiUrl: string | null,
  onProblem: (sentence: string) => void,
): AsyncGenerator<ReadEpisode, void, undefined> {
  if (subject.kind === 'run') return yield* episodesOfLog(subject.log, uiUrl, onProblem);
  const { entries, report, pack } = subject;
  yield* episodesOfFile(entries, report.subject.split ?? DEFAULTS.taskSplit, pack ?? undefined);
}

async function* episodesOfLog(
  log: RunLog,
  uiUrl: string | null,
  onProblem: (sentence: string) => void,
): AsyncGenerator<ReadEpisode, void, undefined> {
  const namespace = (await log.readRun())?.temporal?.namespace;
  const verdicts = new Map((await readVerdicts(log, onProblem)).map((verdict) => [episodeName(verdict), verdict]));
  const { episodes } = await log.listEpisodes();
  const keys = [...episodes].sort((a, b) => a.taskId - b.taskId || a.trial - b.trial);
  for await (const record of log.records(keys, () => undefined)) {
    const verdict = verdicts.get(episodeName(record));
    yield readRecordedEpisode(record, { verdict, ui: namespace === undefined ? null : { uiUrl, namespace } });
  }
}

/** Parts of an episode that are not in its record. */
interface RecordSurroundings {
  /** Judge's verdict on this episode, or on one that it has replaced. */
  readonly verdict: Verdict | undefined;
  /** Address and namespace of Temporal UI, for the link to the episode's history; null if unknown. */
  readonly ui: { readonly uiUrl: string | null; readonly namespace: string } | null;
}

export function readRecordedEpisode(record: EpisodeRecord, { verdict: found, ui }: RecordSurroundings): ReadEpisode {
  const analysis = record.analysis ?? null;
  const verdict = found !== undefined && isVerdictOn(found, record) ? found : null;
  const { workflowId, workflowRunId } = record;
  const uiUrl = ui?.uiUrl ?? null;
  const historyUrl = uiUrl === null || ui === null ? null : workflowUrl(uiUrl, ui.namespace, workflowId, workflowRunId);
  return {
    row: rowOfRecord(record),
    verdict,
    conversation: conversationOfRecord(record, formOfRecord(record), { analysis, verdict, historyUrl }),
  };
}

function* episodesOfFile(
  entries: readonly ResultsFileEntry[],
  split: string,
  pack: Pack | undefined,
): Generator<ReadEpisode, void, undefined> {
  const form = detectForm(entries);
  const sorted = [...entries].sort((a, b) => a.task_id - b.task_id || (a.trial ?? 0) - (b.trial ?? 0));
  for (const entry of sorted) yield readEntry(entry, form, split, pack);
}

/**
 * Returns an entry of a results file as the page shows it.
 * @param form form of the whole file, see `detectForm`
 */
export function readEntry(
  entry: ResultsFileEntry,
  form: RecordingForm,
  split: string,
  pack: Pack | undefined,
): ReadEpisode {
  const analysis = (pack === undefined ? undefined : reanalyzeEntry(entry, pack, split, form)) ?? null;
  const task = pack?.splits[split]?.[entry.task_id] ?? recordedTask(entry);
  const conversation = toConversation(episodeOfEntry(entry, task, form), entry.traj ?? [], form, {
    analysis,
    verdict: null,
    steps: [],
    roles: [],
    workflowId: null,
    historyUrl: null,
  });
  const row =
    pack === undefined || analysis === null
      ? rowOfEntry(entry, form)
      : reanalyzedRow(entry, pack, split, form, analysis);
  return { row, verdict: null, conversation };
}

function recordedTask({ info }: ResultsFileEntry): Task {
  const task = info?.task;
  return {
    userId: task?.user_id ?? '',
    instruction: task?.instruction ?? '',
    actions: task?.actions ?? [],
    outputs: task?.outputs ?? [],
  };
}

/** A conversation before its prompts have a place in a chunk. */
export interface ViewedConversation extends Omit<PayloadConversation, 'prompts'> {
  readonly prompts: readonly string[];
}

/** Facts on an episode beside its messages; null or empty if unknown. */
interface ConversationFacts {
  readonly analysis: EpisodeAnalysis | null;
  readonly verdict: Verdict | null;
  readonly steps: EpisodeRecord['steps'];
  readonly roles: PayloadConversation['roles'];
  readonly workflowId: string | null;
  readonly historyUrl: string | null;
}

export function conversationOfRecord(
  record: EpisodeRecord,
  form: TrajectoryForm,
  facts: Pick<ConversationFacts, 'analysis' | 'verdict' | 'historyUrl'>,
): ViewedConversation {
  return toConversation(episodeOfRecord(record, form), record.trajectory, form, {
    ...facts,
    steps: record.steps,
    roles: record.usage.map((usage) => ({
      role: usage.role,
      calls: usage.calls,
      tokensIn: usage.promptTokens,
      tokensOut: usage.completionTokens,
      costUsd: usage.costUsd,
      latencyMs: usage.latencyMs,
    })),
    workflowId: record.workflowId,
  });
}

export function toConversation(
  episode: AnalyzedEpisode,
  messages: readonly ResultsFileMessage[],
  form: RecordingForm,
  facts: ConversationFacts,
): ViewedConversation {
  const { task, opening } = episode;
  const written = messages.filter(({ role }) => role === 'assistant');
  const metrics = new Map(facts.steps.map((step) => [step.index, step]));
  const after = written[episode.steps.length];
  return {
    instruction: task.instruction,
    outputs: task.outputs,
    wanted: task.actions.map(toPayloadAction),
    opening,
    steps: episode.steps.map(({ action, observation, userCalls = [] }, at): PayloadStep => {
      const metric = metrics.get(at + 1);
      return {
        index: at + 1,
        ...toPayloadAction(action),
        // In the form `log`, the messages contain only the replies.
        thought: form === 'log' ? null : findThought(written[at], action, form),
        observation,
        userCalls: userCalls.map((call) => ({ ...toPayloadAction(call.action), observation: call.observation })),
        changed: metric?.changed ?? false,
        costUsd: metric?.costUsd ?? null,
        thinkMs: metric?.thinkMs ?? null,
        durationMs: metric?.durationMs ?? null,
        calls: metric?.calls ?? null,
      };
    }),
    unread: after === undefined ? null : formatMessage(after),
    prompts: messages.flatMap(({ role, content }) =>
      role === 'system' && typeof content === 'string' ? [content] : [],
    ),
    isOrdered: episode.isOrdered ?? true,
    isAnalysed: facts.analysis !== null,
    faults: facts.analysis?.faults ?? [],
    differences: (facts.analysis?.differences ?? []).map(toPayloadDifference),
    userFaults: facts.analysis?.user ?? [],
    roles: facts.roles,
    verdict: facts.verdict === null ? null : toPayloadVerdict(facts.verdict),
    workflowId: facts.workflowId,
    historyUrl: facts.historyUrl,
  };
}

function toPayloadAction({ name, kwargs }: Action): PayloadAction {
  const content = kwargs.get('content');
  return { name, text: name === RESPOND && typeof content === 'string' ? content : dumpJson(kwargs) };
}

/**
 * Returns the text of a message beside its action: before `Action:` for a text agent, next to the call for other
 * agents.
 */
function findThought(message: ResultsFileMessage | undefined, action: Action, form: TrajectoryForm): string | null {
  const content = message?.content;
  if (typeof content !== 'string') return null;
  if (form === 'tools') return action.name === RESPOND || content.trim() === '' ? null : content;
  const at = content.lastIndexOf('Action:');
  const thought = (at === -1 ? '' : content.slice(0, at)).trim().replace(/^Thought:\s*/, '');
  return thought === '' ? null : thought;
}

function formatMessage({ content, tool_calls: calls }: ResultsFileMessage): string {
  const called = (calls ?? []).map((call) => `${call.function?.name ?? ''} ${call.function?.arguments ?? ''}`);
  return [...(typeof content === 'string' && content !== '' ? [content] : []), ...called].join('\n');
}

function toPayloadDifference({
  table,
  id,
  path,
  step,
  agent,
  wanted,
}: EpisodeAnalysis['differences'][number]): PayloadDifference {
  const field = path.length === 0 ? `${table} ${id}` : `${table} ${id}: ${path.join('.')}`;
  return { field, step, agent, wanted };
}

function toPayloadVerdict(verdict: Verdict): PayloadVerdict {
  const { author, description, quotes, faultType, faultDescription, faultQuotes } = verdict;
  return { author, description, quotes, faultType, faultDescription, faultQuotes };
}
