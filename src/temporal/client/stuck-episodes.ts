/**
 * Finds episodes that make no progress, and the reasons.
 *
 * An episode whose workflow code fails can neither end nor be canceled, because the server retries the workflow task
 * again and again. Such an episode is ended from outside, with the reason, so that its run can end.
 */

import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '../sdk-internals/index.ts';
import { UsageLedger } from '../../episode/index.ts';
import {
  episodeName,
  NEEDS_OTHER_WORKER,
  parseWorkflowId,
  type EpisodeKey,
  type EvaluationConfig,
  type CompleteOutput,
} from '../../evaluation/index.ts';
import { firstLine, onError } from '../../errors/index.ts';
import { isGone } from '../errors.ts';
import { readModelCalls } from './call-history.ts';

/** Consecutive failures of a workflow task after which its episode is ended from outside. */
interface StuckPatience {
  /** Number of failures by an error of the workflow code. */
  readonly failed: number;
  /** Number of failures without an answer of the worker. */
  readonly lost: number;
}

/**
 * Patience with most episodes. Five attempts take the server about a minute. A busy machine may lose some without a
 * fault of the code.
 */
const PATIENCE: StuckPatience = { failed: 5, lost: 10 };
/** Patience with episodes of a canceled sweep, which have to end anyway. */
const CANCELLED_PATIENCE: StuckPatience = { failed: 2, lost: 2 };

interface TaskTrouble {
  /** Number of the current or next attempt, one more than failed attempts. */
  readonly attempt: number;
  /** Kind of the failure. `lost`: the worker gave no answer in time. */
  readonly kind: 'failed' | 'lost';
  /** Message of the failure; the server stores the messages of the first attempts. */
  readonly message: string;
}

/** Number of last events of a history in which the failed workflow task is searched. */
const LAST_EVENTS = 10;

/** @returns null for a workflow whose task has not failed, or that has ended */
export async function readTaskTrouble(client: Client, workflowId: string): Promise<TaskTrouble | null> {
  try {
    const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
    const attempt = raw.pendingWorkflowTask?.attempt ?? 0;
    return attempt < 2 ? null : { attempt, ...(await lastTaskFailure(client, { workflowId, runId })) };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

interface Execution {
  readonly workflowId: string;
  readonly runId?: string;
}

async function lastTaskFailure(client: Client, execution: Execution): Promise<Pick<TaskTrouble, 'kind' | 'message'>> {
  const { namespace, loadedDataConverter } = client.options;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace,
    execution,
    maximumPageSize: LAST_EVENTS,
  });
  for (const event of history?.events ?? []) {
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed) {
      const error = await decodeOptionalFailureToOptionalError(loadedDataConverter, failed.failure);
      return { kind: 'failed', message: error?.message ?? 'its workflow task fails' };
    }
    if (event.workflowTaskTimedOutEventAttributes) break;
  }
  return { kind: 'lost', message: 'its worker died, or did not answer in time' };
}

type StuckEnd =
  /** The episode works, has ended, or waits for a worker with the missing pack or agent. */
  | { readonly kind: 'fine' }
  /** The episode's workflow task fails, but not yet often enough. */
  | { readonly kind: 'failing' }
  | { readonly kind: 'ended'; readonly message: string };

/** The run's configuration, and true if its episodes have to end anyway. */
interface StuckContext {
  readonly config: EvaluationConfig;
  readonly isCancelled: boolean;
}

/** Ends an episode when its workflow task has failed too often. */
export async function endIfStuck(
  client: Client,
  workflowId: string,
  episode: EpisodeKey,
  { config, isCancelled }: StuckContext,
): Promise<StuckEnd> {
  const trouble = await readTaskTrouble(client, workflowId);
  if (trouble === null || trouble.message.startsWith(NEEDS_OTHER_WORKER)) return { kind: 'fine' };
  const failures = trouble.attempt - 1;
  const patience = isCancelled ? CANCELLED_PATIENCE : PATIENCE;
  if (failures < patience[trouble.kind]) return { kind: 'failing' };
  const message = stuckSentence(trouble.message, failures, episode, config);
  const terminating = client.workflow.getHandle(workflowId).terminate(message);
  return terminating.then(
    () => ({ kind: 'ended', message }),
    onError(() => ({ kind: 'fine' }), WorkflowNotFoundError),
  );
}

/** Terminates a sweep's open episodes whose workflow task keeps failing. @param warn called for each of them */
export async function endStuckChildren(
  client: Client,
  sweep: Partial<Execution> = {},
  { warn, ...context }: StuckContext & { readonly warn: (message: string) => void },
): Promise<{ readonly ended: number; readonly failing: number }> {
  const { raw } = await client.workflow.getHandle(sweep.workflowId ?? '', sweep.runId).describe();
  let [ended, failing] = [0, 0];
  for (const { workflowId } of raw.pendingChildren ?? []) {
    if (!workflowId) continue;
    const { task: taskId, trial, condition } = parseWorkflowId(workflowId);
    if (taskId === undefined || trial === undefined) continue;
    const end = await endIfStuck(client, workflowId, { taskId, trial, condition }, context);
    if (end.kind === 'failing') failing += 1;
    if (end.kind !== 'ended') continue;
    ended += 1;
    warn(end.message);
  }
  return { ended, failing };
}

/** Formats a sentence that begins with the episode and its agent, because the end of a long quotation is cut. */
function stuckSentence(failure: string, failures: number, episode: EpisodeKey, config: EvaluationConfig): string {
  const { strategy, strategyOptions } = config;
  const { agentFile: file } = strategyOptions;
  const place = file === undefined ? '' : ` (${file.path})`;
  return `${episodeName(episode)} was ended: the workflow code of agent ${strategy} failed ${failures} times, because ${describeStuck(failure)}${place}`;
}

const MOST_REASON_CHARS = 300;

function describeStuck(failure: string): string {
  const [, ms] = /Script execution timed out after (\d+)ms/.exec(failure) ?? [];
  if (ms !== undefined) return `it ran for ${Number(ms) / 1000} s without a pause, as an endless loop does`;
  if (failure.includes('ERR_WORKER_OUT_OF_MEMORY')) return 'it used up the memory of the workflow thread';
  return `of: ${firstLine(failure).slice(0, MOST_REASON_CHARS)}`;
}

/** The server's information on an episode that has ended without a record. */
interface LostEpisode {
  /** Reason given at termination; null if the episode ended in another way. */
  readonly reason: string | null;
  readonly ledger: UsageLedger;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

function isCounted({ usage }: Partial<CompleteOutput>): boolean {
  return typeof usage?.promptTokens === 'number';
}

/** Reads an episode's end, and the model calls that it made, from its history. */
export async function readLostEpisode(client: Client, workflowId: string, runId: string): Promise<LostEpisode> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const { startTime, closeTime } = await handle.describe();
  const events = (await handle.fetchHistory()).events ?? [];
  const ledger = new UsageLedger();
  for await (const { input, output } of readModelCalls(client.options.loadedDataConverter, events)) {
    // A result that the code cannot read may be why the episode was lost, so it is skipped.
    if (output !== null && isCounted(output)) ledger.enter(input.role, output);
  }
  const reason = events.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason ?? null;
  return { reason: reason === '' ? null : reason, ledger, startedAt: startTime, endedAt: closeTime ?? new Date() };
}
