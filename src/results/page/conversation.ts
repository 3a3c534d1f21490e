/** One episode as the page shows it step by step. Pure. */

import type { AnalyzedEpisode, EpisodeAnalysis } from '../../analysis/index.ts';
import { dumpJson } from '../../benchmark/python/index.ts';
import { RESPOND, type Action, type TrajectoryForm } from '../../benchmark/index.ts';
import { episodeOfRecord, type EpisodeRecord, type RecordingForm } from '../log/index.ts';
import type { ResultsFileMessage } from '../tau-bench/index.ts';
import type { Verdict } from '../judged/index.ts';
import type { PayloadAction, PayloadConversation, PayloadDifference, PayloadStep, PayloadVerdict } from './payload.ts';

/** A conversation before its prompts have a place in a chunk. */
export interface Conversation extends Omit<PayloadConversation, 'prompts'> {
  readonly prompts: readonly string[];
}

/** What is known of an episode beside its messages; null or empty where it is not. */
export interface ConversationFacts {
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
): Conversation {
  return conversationOf(episodeOfRecord(record, form), record.trajectory, form, {
    ...facts,
    steps: record.steps,
    roles: record.usage.map((usage) => ({
      role: usage.role,
      calls: usage.calls,
      tokensIn: usage.prompt_tokens,
      tokensOut: usage.completion_tokens,
      costUsd: usage.cost_usd,
      latencyMs: usage.latency_ms,
    })),
    workflowId: record.workflow_id,
  });
}

/** @param messages the ones that the episode was read from */
export function conversationOf(
  episode: AnalyzedEpisode,
  messages: readonly ResultsFileMessage[],
  form: RecordingForm,
  facts: ConversationFacts,
): Conversation {
  const { task, opening } = episode;
  const written = messages.filter(({ role }) => role === 'assistant');
  const metrics = new Map(facts.steps.map((step) => [step.index, step]));
  const after = written[episode.steps.length];
  return {
    instruction: task.instruction,
    outputs: task.outputs,
    wanted: task.actions.map(shownAction),
    opening,
    steps: episode.steps.map(({ action, observation }, at): PayloadStep => {
      const metric = metrics.get(at + 1);
      return {
        index: at + 1,
        ...shownAction(action),
        // Beside a log the messages say nothing but the replies.
        thought: form === 'log' ? null : thoughtIn(written[at], action, form),
        observation,
        changed: metric?.changed ?? false,
        costUsd: metric?.cost_usd ?? null,
        thinkMs: metric?.think_ms ?? null,
        durationMs: metric?.duration_ms ?? null,
        calls: metric?.calls ?? null,
      };
    }),
    unread: after === undefined ? null : writtenText(after),
    prompts: messages.flatMap(({ role, content }) =>
      role === 'system' && typeof content === 'string' ? [content] : [],
    ),
    isOrdered: episode.isOrdered ?? true,
    isAnalysed: facts.analysis !== null,
    faults: facts.analysis?.faults ?? [],
    differences: (facts.analysis?.differences ?? []).map(shownDifference),
    customer: facts.analysis?.customer ?? [],
    roles: facts.roles,
    verdict: facts.verdict === null ? null : shownVerdict(facts.verdict),
    workflowId: facts.workflowId,
    historyUrl: facts.historyUrl,
  };
}

function shownAction({ name, kwargs }: Action): PayloadAction {
  const content = kwargs.get('content');
  return { name, text: name === RESPOND && typeof content === 'string' ? content : dumpJson(kwargs) };
}

/** What a message says beside its action: before `Action:` in a text agent's, next to the call in the others'. */
function thoughtIn(message: ResultsFileMessage | undefined, action: Action, form: TrajectoryForm): string | null {
  const content = message?.content;
  if (typeof content !== 'string') return null;
  if (form === 'tools') return action.name === RESPOND || content.trim() === '' ? null : content;
  const at = content.lastIndexOf('Action:');
  const thought = (at === -1 ? '' : content.slice(0, at)).trim().replace(/^Thought:\s*/, '');
  return thought === '' ? null : thought;
}

/** A message that is no action, as it was written. */
function writtenText({ content, tool_calls: calls }: ResultsFileMessage): string {
  const called = (calls ?? []).map((call) => `${call.function?.name ?? ''} ${call.function?.arguments ?? ''}`);
  return [...(typeof content === 'string' && content !== '' ? [content] : []), ...called].join('\n');
}

function shownDifference({
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

function shownVerdict(verdict: Verdict): PayloadVerdict {
  const { author, description, quotes, faultType, faultDescription, faultQuotes } = verdict;
  return { author, description, quotes, faultType, faultDescription, faultQuotes };
}
