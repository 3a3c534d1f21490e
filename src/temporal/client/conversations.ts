/** The client's side of conversations with persons: which episodes are open, what they ask, and how one ended. */

import { QueryNotRegisteredError, ServiceError, WorkflowFailedError, type Client } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { ServerError } from '../codec/index.ts';
import { conversation, type episode } from '../../../workflows/client.ts';
import { HUMAN } from '../../users/index.ts';
import {
  sweepWorkflowId,
  type Conversation,
  type EpisodeSummary,
  type EvaluationConfig,
  type TaskQueues,
} from '../../wire/index.ts';
import { readSweepInput } from './sweep-input.ts';
import { fetchProgress } from './sweeps.ts';
import { listEpisodes, listSweeps } from './visibility.ts';

/** A run under way whose customers are persons. */
export interface HumanRun {
  readonly runId: string;
  readonly config: EvaluationConfig;
  readonly queues: TaskQueues;
}

/** @returns null where the users of the run are simulated */
export async function readHumanRun(client: Client, runId: string): Promise<HumanRun | null> {
  const { config, queues } = await readSweepInput(client, sweepWorkflowId(runId));
  return config.userStrategy === HUMAN ? { runId, config, queues } : null;
}

/** All of the server's that this process can read: what is encrypted with another key is somebody else's to talk with. */
export async function listHumanRuns(client: Client): Promise<HumanRun[]> {
  const runs: HumanRun[] = [];
  for await (const { runId, status } of listSweeps(client)) {
    if (status !== 'running') continue;
    try {
      const run = await readHumanRun(client, runId);
      if (run !== null) runs.push(run);
    } catch (error) {
      if (!(error instanceof ServerError && error.kind === 'encryption-key')) throw error;
    }
  }
  return runs;
}

/** Names of the run's open episodes; where the server has no search attributes, those that the sweep itself tells. */
export async function openEpisodeNames(client: Client, { runId }: HumanRun): Promise<string[]> {
  const seen = await listEpisodes(client, runId, { openOnly: true });
  const names = seen?.map(({ name }) => name) ?? (await fetchProgress(client, sweepWorkflowId(runId))).open;
  return [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** How long a worker may take to answer, in ms. One that has died keeps its episodes from others for ten seconds. */
const ANSWER_MS = 12_000;

/** @returns null when no worker answers in time */
export async function fetchConversation(client: Client, workflowId: string): Promise<Conversation | null> {
  const ask = () => client.workflow.getHandle(workflowId).query(conversation);
  try {
    return await client.withDeadline(Date.now() + ANSWER_MS, ask);
  } catch (error) {
    // Its first workflow task has not been worked on, or nobody works on any.
    if (error instanceof ServiceError || error instanceof QueryNotRegisteredError) return null;
    throw error;
  }
}

export type EpisodeEnd =
  { readonly kind: 'scored'; readonly summary: EpisodeSummary } | { readonly kind: 'failed'; readonly reason: string };

/** How an episode that is closed has ended. */
export async function endOfEpisode(client: Client, workflowId: string): Promise<EpisodeEnd> {
  try {
    return { kind: 'scored', summary: await client.workflow.getHandle<typeof episode>(workflowId).result() };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const isCancelled = error.cause instanceof CancelledFailure;
    return { kind: 'failed', reason: isCancelled ? 'it was cancelled' : (error.cause?.message ?? error.message) };
  }
}
