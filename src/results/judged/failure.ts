/** A failed episode as a judge needs it, from a run log's record or from an entry of any results file. */

import { conversationLines, renderLines, type Fault, type JudgedEpisode } from '../../analysis/index.ts';
import type { Task } from '../../benchmark/index.ts';
import { sha256 } from '../../io/index.ts';
import type { EpisodeKey } from '../../wire/index.ts';
import { rowOfEntry, type EpisodeRecord, type RecordingForm, type RowOutcome } from '../log/index.ts';
import type { ResultsFileEntry } from '../tau-bench/index.ts';
import type { Verdict } from './verdict.schema.ts';

export interface Failure {
  readonly runId: string;
  readonly key: EpisodeKey;
  /** Position in the results file; null in a run log. */
  readonly index: number | null;
  /** Why no model is asked; null: one is. */
  readonly infrastructure: string | null;
  readonly episode: JudgedEpisode;
  readonly deterministic: Verdict['deterministic'];
  /** Of what a judge is shown: an episode that ran again is another one. */
  readonly digest: string;
}

/** As tau-bench has it: what is not above it has failed. */
const FAILED = 1e-3;

/**
 * Cancelled episodes have not come to an end, and what was only decided has no reward: neither has failed.
 * @returns null for an episode that has not failed
 */
export function failureOfRecord(record: EpisodeRecord, faults: readonly Fault[]): Failure | null {
  const { outcome, reward, task, trajectory } = record;
  if (reward > FAILED || outcome.kind === 'cancelled' || outcome.kind === 'decision_only') return null;
  const message = 'message' in outcome ? outcome.message : null;
  return failureOf({
    runId: record.run_id,
    key: { taskId: record.task_id, trial: record.trial },
    index: null,
    infrastructure: outcome.kind === 'infrastructure_error' ? (message ?? 'it did not come to its end') : null,
    episode: {
      instruction: task.instruction,
      actions: task.actions,
      outputs: task.outputs,
      lines: conversationLines(trajectory),
      calls: [],
      ending: endingOf(outcome.kind, message),
    },
    faults,
  });
}

/**
 * @param task for what the file does not say of it; null: it has to
 * @param runId names the file
 * @param form that of the whole file, see `detectForm`
 * @returns null for an episode that has not failed
 */
export function failureOfEntry(
  entry: ResultsFileEntry,
  {
    runId,
    index,
    task,
    faults,
    form,
  }: { runId: string; index: number; task: Task | null; faults: readonly Fault[]; form: RecordingForm },
): Failure | null {
  if (entry.reward > FAILED) return null;
  const messages = entry.traj ?? [];
  const recorded = entry.info?.task;
  const { outcome, error } = rowOfEntry(entry, form);
  const lines = conversationLines(messages);
  return failureOf({
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
      ending: endingOf(outcome, error),
    },
    faults,
  });
}

function failureOf({ faults, ...failure }: Omit<Failure, 'deterministic' | 'digest'> & { faults: readonly Fault[] }) {
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
  unknown: 'How the conversation was ended is not recorded.',
};

function endingOf(outcome: RowOutcome, message: string | null): string {
  return ENDINGS[outcome] ?? `The conversation was ended by an error: ${message ?? 'no more is known'}`;
}
