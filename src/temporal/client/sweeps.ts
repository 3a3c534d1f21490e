/**
 * The client side of sweeps and judges: starts or attaches to them, follows them, and finds why they make no progress.
 */

import {
  ServiceError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { decodeFromPayloadsAtIndex, decodeOptionalFailureToOptionalError } from '../sdk-internals/index.ts';
import {
  progress,
  sweepOptions,
  type sweep,
  TauModel,
  TauOrigin,
  errorsProgress,
  type errors,
} from '../../../workflows/client.ts';
import {
  WORKFLOW_VERSION,
  addTotals,
  isLeftToOtherWorkers,
  sweepWorkflowId,
  type HeldProvider,
  type SweepInput,
  type SweepProgress,
  type TaskQueues,
  type JudgeRunInput,
  type JudgeProgress,
  type JudgeSettings,
  formatModel,
} from '../../evaluation/index.ts';
import type { temporal } from '@temporalio/proto';
import { grpc, grpcStatus } from '../errors.ts';
import { readTaskTrouble } from './stuck-episodes.ts';
import { onError } from '../../errors/index.ts';

export type SweepHandle = WorkflowHandle<typeof sweep>;

export interface StartedSweep {
  readonly handle: SweepHandle;
  /** Temporal's id of the workflow run. */
  readonly workflowRunId: string;
}

/**
 * Starts the sweep, or restarts a closed sweep with the same id.
 * @param program the version of the program, for the sweep's memo
 * @throws WorkflowExecutionAlreadyStartedError if a sweep with the same id is in progress, possibly with other settings
 */
export async function startSweep(client: Client, input: SweepInput, program?: string): Promise<StartedSweep> {
  const workflowId = sweepWorkflowId(input.run.runId);
  const handle = await client.workflow.start<typeof sweep>('sweep', {
    workflowId,
    taskQueue: input.queues.main,
    args: [{ version: WORKFLOW_VERSION, ...input }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    ...sweepOptions(input, program),
  });
  return { handle, workflowRunId: handle.firstExecutionRunId };
}

/** @returns null if no sweep with the id is in progress */
export async function attachSweep(client: Client, workflowId: string): Promise<StartedSweep | null> {
  const handle = client.workflow.getHandle<typeof sweep>(workflowId);
  const found = await describeWorkflow(handle);
  return found?.status.name === 'RUNNING' ? { handle, workflowRunId: found.runId } : null;
}

/**
 * Returns the status of a workflow on the server, in lower case (`running`, `completed`, …); null if the server does
 * not know it.
 * @param runId id of the workflow run. @default the newest
 */
export async function workflowStatus(client: Client, workflowId: string, runId?: string): Promise<string | null> {
  return (await describeWorkflow(client.workflow.getHandle(workflowId, runId)))?.status.name.toLowerCase() ?? null;
}

/** Returns null for a workflow that the server does not know. */
function describeWorkflow(handle: WorkflowHandle): Promise<WorkflowExecutionDescription | null> {
  return handle.describe().catch(onError(() => null, WorkflowNotFoundError));
}

/** True if cancellation of a running workflow has been requested. */
export async function isCancelRequested(client: Client, workflowId: string): Promise<boolean> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return raw.workflowExtendedInfo?.cancelRequested === true;
}

/**
 * Returns the progress of a sweep with its open lanes.
 * @throws ServiceError if the sweep or a lane does not answer in time, because the figures would be incomplete
 */
export async function fetchProgress(client: Client, workflowId: string): Promise<SweepProgress> {
  const own = await client.workflow.getHandle(workflowId).query(progress);
  const lanes = await Promise.allSettled(
    own.lanes.map((lane) => client.workflow.getHandle(lane).query<SweepProgress, []>(progress)),
  );
  return lanes.reduce<SweepProgress>((sum, lane) => {
    // A lane that has just ended answers too. The sweep's own figures, which were read before, do not include it yet.
    if (lane.status === 'rejected') {
      if (hasNotBegun(lane.reason)) return sum;
      throw lane.reason;
    }
    return {
      ...sum,
      ...addTotals(sum, lane.value),
      ...mergeHeld(sum, lane.value),
      running: sum.running + lane.value.running,
      open: [...sum.open, ...lane.value.open].slice(0, 10),
      recent: [...lane.value.recent, ...sum.recent].slice(0, 10),
    };
  }, own);
}

/** True for a lane that was just opened and has no figures, because the server or a worker has not started it. */
function hasNotBegun(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  return error instanceof ServiceError && grpcStatus(error.cause) === grpc.FAILED_PRECONDITION;
}

function mergeHeld({ held: a = [] }: SweepProgress, { held: b = [] }: SweepProgress): Pick<SweepProgress, 'held'> {
  const held = addHeldProviders(a, b);
  return held.length === 0 ? {} : { held };
}

/** Number of failures of a workflow task or an activity after which its workflow is called stuck. */
const STUCK_ATTEMPTS = 2;

/**
 * Finds why workflows make no progress: a bug in workflow code fails a workflow task again and again, or an activity
 * fails at every attempt.
 * @returns one sentence about the first stuck workflow; null if there is none, or if the server does not answer
 */
export async function stuckReason(client: Client, workflowIds: readonly string[]): Promise<string | null> {
  for (const workflowId of workflowIds) {
    try {
      const handle = client.workflow.getHandle(workflowId);
      const { raw } = await handle.describe();
      if ((raw.pendingWorkflowTask?.attempt ?? 0) > STUCK_ATTEMPTS) {
        const trouble = await readTaskTrouble(client, workflowId);
        if (trouble !== null) return `${workflowId} is stuck: ${trouble.message}`;
      }
      const reason = await activityReason(client, workflowId, raw.pendingActivities?.find(hasFailedOften));
      if (reason !== null) return reason;
    } catch (error) {
      // It was not started yet, or the server is restarting; neither shows a bug in workflow code.
      if (!(error instanceof WorkflowNotFoundError || error instanceof ServiceError)) throw error;
    }
  }
  return null;
}

/**
 * Finds work that a workflow's workers cannot do because they lack a folder, pack or agent.
 * @returns one sentence with advice; null if there is no such work
 */
export async function leftWorkReason(client: Client, workflowId: string): Promise<string | null> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return activityReason(
    client,
    workflowId,
    raw.pendingActivities?.find((activity) => hasFailedOften(activity) && isLeft(activity)),
  );
}

type PendingActivity = temporal.api.workflow.v1.IPendingActivityInfo;

function hasFailedOften({ attempt }: PendingActivity): boolean {
  return (attempt ?? 0) > STUCK_ATTEMPTS;
}

function isLeft({ lastFailure }: PendingActivity): boolean {
  return isLeftToOtherWorkers(lastFailure?.applicationFailureInfo?.type);
}

async function activityReason(
  { options }: Client,
  workflowId: string,
  activity: PendingActivity | undefined,
): Promise<string | null> {
  const failure = await decodeOptionalFailureToOptionalError(options.loadedDataConverter, activity?.lastFailure);
  if (activity === undefined || failure === undefined) return null;
  // The message is the same at every attempt, and contains the advice.
  if (isLeft(activity)) return `${workflowId} is ${failure.message}`;
  const name = activity.activityType?.name ?? 'an activity';
  return `${workflowId} waits for ${name} (attempt ${activity.attempt}): ${failure.message}`;
}

/** Reads the input of the newest run of this id; after continue-as-new the input includes the state. */
export function readSweepInput(client: Client, workflowId: string): Promise<SweepInput> {
  return readInput<SweepInput>(client, workflowId);
}

/** Returns the task queues of a workflow on the server, of any of this program's types. */
export async function readQueues(client: Client, workflowId: string): Promise<TaskQueues> {
  return (await readInput<Pick<SweepInput, 'queues'>>(client, workflowId)).queues;
}

async function readInput<T>(client: Client, workflowId: string): Promise<T> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: 1,
  });
  const payloads = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads;
  return decodeFromPayloadsAtIndex<T>(client.options.loadedDataConverter, 0, payloads);
}

export type ErrorsHandle = WorkflowHandle<typeof errors>;

/** Describes a judge: `openai/gpt-4o`, with its temperature if one is sent. */
export function judgeText({ model }: JudgeSettings): string {
  return formatModel(model);
}

/**
 * Starts the judge, attaches to a running judge with the same id, or restarts a closed one.
 * @param subject the run or file whose failed episodes are judged
 */
export async function startErrors(
  client: Client,
  workflowId: string,
  subject: string,
  input: JudgeRunInput,
): Promise<ErrorsHandle> {
  return client.workflow.start<typeof errors>('errors', {
    workflowId,
    taskQueue: input.queues.main,
    args: [{ version: WORKFLOW_VERSION, ...input }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    // Time after which the task of a dead worker is given to another one.
    workflowTaskTimeout: '20 seconds',
    staticSummary: `why episodes of ${subject} failed: ${input.judge.model.model}`.slice(0, 100),
    staticDetails: `- **judge**: ${judgeText(input.judge)}\n- **at once**: ${input.maxConcurrency}`,
    memo: { judge: judgeText(input.judge), subject },
    ...(input.indexed
      ? {
          typedSearchAttributes: [
            { key: TauModel, value: input.judge.model.model },
            // Not `TauSweep`, because a sweep counts the workflows with that attribute as its episodes.
            { key: TauOrigin, value: subject },
          ],
        }
      : {}),
  });
}

/** Returns the judge in progress under a workflow id; null if there is none. */
export async function judgeUnderWay(client: Client, workflowId: string): Promise<string | null> {
  const found = await describeWorkflow(client.workflow.getHandle(workflowId));
  if (found?.status.name !== 'RUNNING') return null;
  const judge = found.memo?.['judge'];
  return typeof judge === 'string' ? judge : 'another judge';
}

/** Returns the progress of a judge; null if no worker answers in time, or the server is away. */
export async function fetchErrorsProgress(
  client: Client,
  handle: ErrorsHandle,
  timeoutMs: number,
): Promise<JudgeProgress | null> {
  return client.withDeadline(Date.now() + timeoutMs, () => handle.query(errorsProgress)).catch(() => null);
}

/** Adds up the held calls of a sweep's lanes. */
function addHeldProviders(a: readonly HeldProvider[], b: readonly HeldProvider[]): HeldProvider[] {
  const sums = new Map(a.map((held) => [held.provider, held]));
  for (const held of b) {
    const sum = sums.get(held.provider);
    sums.set(held.provider, sum === undefined ? held : addProvider(sum, held));
  }
  return [...sums.values()];
}

function addProvider(a: HeldProvider, b: HeldProvider): HeldProvider {
  const [first] = [a.since, b.since].sort();
  const [nextTryAt = null] = [a.nextTryAt, b.nextTryAt].filter((at) => at !== null).sort();
  const [givesUpAt] = [a.givesUpAt, b.givesUpAt].filter((at) => at !== undefined).sort();
  return {
    ...a,
    since: first ?? a.since,
    episodes: a.episodes + b.episodes,
    nextTryAt,
    isRefused: a.isRefused || b.isRefused,
    ...(givesUpAt === undefined ? {} : { givesUpAt }),
  };
}
