/** The client side of forks: results of the origin's model calls, and the start of a fork. */

import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { LoadedDataConverter } from '@temporalio/common';

import { decodeFromPayloadsAtIndex, decodeOptionalFailureToOptionalError } from '../sdk-internals/index.ts';
import { listingClient } from './visibility.ts';
import { TauOrigin, forkAttributes, type episode } from '../../../workflows/client.ts';
import {
  describeEpisode,
  formatExcess,
  forkName,
  episodeWorkflowId,
  toAgentErrorKind,
  parseWorkflowId,
  summarizeAgent,
  type CompleteOutput,
} from '../../evaluation/index.ts';
import type { EpisodeInput, ForkInput, ForkOrigin, RecordedReply } from '../../episode/index.ts';
import { fetchEvents, readModelCalls, type EndedCall, type HistoryEvent } from './call-history.ts';
import { onError } from '../../errors/index.ts';

export type ForkHandle = WorkflowHandle<typeof episode>;

/**
 * Reads the results of an episode's model calls in their order: replies, and the failures that its strategy saw. A call
 * whose conversation was sent again has one result.
 *
 * @param replayedCalls for an episode that is itself a fork: number of its first calls, which got its origin's replies
 * @returns null if the server does not have the episode's history (any more)
 */
export async function readReplies(
  client: Client,
  { workflowId, workflowRunId }: ForkOrigin,
  replayedCalls = 0,
): Promise<RecordedReply[] | null> {
  const events = await fetchEvents(client, workflowId, workflowRunId);
  if (events === null) return null;
  const converter = client.options.loadedDataConverter;
  const replies = await replayedReplies(converter, events[0], replayedCalls);
  for await (const { input, output, failure } of readModelCalls(converter, events)) {
    const result = output === null ? await readFailure(converter, failure) : toReplyResult(output);
    if (result !== null) replies.push({ role: input.role, thread: input.transcript.thread, result });
  }
  return replies;
}

/** @returns null if a fork of that name exists or existed */
export async function startFork(
  client: Client,
  input: EpisodeInput & { readonly fork: ForkInput },
): Promise<ForkHandle | null> {
  const { run, episode: key, config, fork } = input;
  const starting = client.workflow.start<typeof episode>('episode', {
    workflowId: `${episodeWorkflowId(run.runId, key)}/${fork.name}`,
    taskQueue: input.queues.main,
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    staticSummary: formatSummary(input),
    staticDetails: formatDetails(input),
    memo: { origin: fork.origin, at_step: fork.atStep, changes: fork.changes },
    ...(input.indexed ? { typedSearchAttributes: forkAttributes(config, key, fork.origin) } : {}),
  });
  return starting.catch(onError(() => null, WorkflowExecutionAlreadyStartedError));
}

interface OpenFork {
  /** Name of the fork: `task-17.trial-0.fork-2`. */
  readonly name: string;
  /** Workflow id of the fork's origin; null if the server has no search attributes. */
  readonly origin: string | null;
}

export async function openForks(client: Client, runId: string): Promise<OpenFork[]> {
  const query = "WorkflowType = 'episode' AND ExecutionStatus = 'Running'";
  const forks: OpenFork[] = [];
  for await (const { workflowId, typedSearchAttributes } of listingClient(client).workflow.list({ query })) {
    const { run, task: taskId, trial, condition, fork } = parseWorkflowId(workflowId);
    if (run !== runId || taskId === undefined || trial === undefined || fork === undefined) continue;
    const name = forkName({ taskId, trial, condition }, `fork-${fork}`);
    forks.push({ name, origin: typedSearchAttributes.get(TauOrigin) ?? null });
  }
  return forks;
}

async function replayedReplies(
  converter: LoadedDataConverter,
  started: HistoryEvent | undefined,
  count: number,
): Promise<RecordedReply[]> {
  if (count === 0) return [];
  const payloads = started?.workflowExecutionStartedEventAttributes?.input?.payloads;
  const { fork } = await decodeFromPayloadsAtIndex<EpisodeInput>(converter, 0, payloads);
  return [...(fork?.replies ?? [])].slice(0, count);
}

function toReplyResult({ message, finishReason, fields, tooLong }: CompleteOutput): RecordedReply['result'] {
  if (tooLong !== undefined) return { kind: 'failure', error: 'reply_too_long', message: formatExcess(tooLong) };
  return { kind: 'completion', message, finishReason, ...(fields === undefined ? {} : { fields }) };
}

/** @returns null for a failure that the strategy did not see, because the call was sent again or the episode ended */
async function readFailure(
  converter: LoadedDataConverter,
  failure: EndedCall['failure'],
): Promise<RecordedReply['result'] | null> {
  const error = toAgentErrorKind(failure?.applicationFailureInfo?.type ?? undefined);
  if (error === undefined) return null;
  const { message = '' } = (await decodeOptionalFailureToOptionalError(converter, failure)) ?? {};
  return { kind: 'failure', error, message };
}

/** Formats a fork's summary, of which Temporal stores 200 bytes. */
function formatSummary({ episode: key, config, fork }: EpisodeInput & { readonly fork: ForkInput }): string {
  const place = `fork of ${describeEpisode(key)} at step ${fork.atStep}`;
  return `${place}: ${summarizeAgent(config)}`.slice(0, 100);
}

function formatDetails({ fork }: EpisodeInput & { readonly fork: ForkInput }): string {
  return [
    `- **origin**: \`${fork.origin.workflowId}\``,
    `- **kept**: ${fork.kept.length} steps`,
    `- **taken anew from**: step ${fork.atStep}`,
    ...fork.changes.map((change) => `- **changed**: ${change.replaceAll('<', '&lt;').slice(0, 400)}`),
  ].join('\n');
}
