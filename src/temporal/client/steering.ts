/**
 * Requests to a sweep or an episode in progress. Updates and queries need a worker; without one, the state of a sweep
 * is read from its history.
 */

import { serviceOptions } from '../../agents/index.ts';
import { HeldCalls } from '../../orchestration/index.ts';
import { randomUUID } from 'node:crypto';
import {
  QueryNotRegisteredError,
  ServiceError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, type QueryDefinition, type UpdateDefinition } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { decodeFromPayloadsAtIndex, tsToMs } from '../sdk-internals/index.ts';
import { firstLine, onError } from '../../errors/index.ts';
import { ServerError, grpc, onStatus } from '../errors.ts';
import {
  callAnswered,
  callHeld,
  conversation,
  extend,
  halted,
  openAction,
  pause,
  resume,
  setLimits,
  type episode,
} from '../../../workflows/client.ts';
import {
  sweepWorkflowId,
  type EpisodeSummary,
  type EvaluationConfig,
  type HeldCall,
  type SweepInput,
  type SweepLimits,
  type TaskQueues,
} from '../../evaluation/index.ts';
import type { SpokenConversation, OpenAction } from '../../episode/index.ts';
import { HUMAN } from '../../agents/users/index.ts';
import { fetchProgress, readSweepInput } from './sweeps.ts';
import { listEpisodes, listSweeps } from './visibility.ts';

/**
 * - `done`: the sweep has carried out the request.
 * - `refused`: the sweep's validator or handler rejected it, with a `reason`.
 * - `unanswered`: no worker has answered in time. If `isWaiting`, the server keeps the request, and the next worker
 * carries it out unless the server is restarted before.
 * - `over`: the sweep has ended.
 */
type UpdateAnswer<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly isWaiting: boolean }
  | { readonly kind: 'over' };

/** Time limit for an answer, in ms. The server waits ten seconds after a worker's death. */
const ANSWER_MS = 12_000;
const STAGE_MS = 3_000;

/** @throws ServiceError when the server does not answer */
export async function requestUpdate<Result, Args extends unknown[]>(
  client: Client,
  workflowId: string,
  update: UpdateDefinition<Result, Args>,
  args: Args,
  answerMs = ANSWER_MS,
): Promise<UpdateAnswer<Result>> {
  const updateId = randomUUID();
  // The library's types distinguish updates with arguments from those without, but both have the same form at run time.
  const options = { args: args as unknown as [unknown, ...unknown[]], updateId };
  const ask = () =>
    client.workflow.getHandle(workflowId).executeUpdate<Result, [unknown, ...unknown[]]>(update.name, options);
  try {
    return { kind: 'done', result: await client.withDeadline(Date.now() + answerMs, ask) };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return { kind: 'refused', reason: readRefusal(error) };
    if (error instanceof WorkflowNotFoundError) return { kind: 'over' };
    if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw error;
    return { kind: 'unanswered', isWaiting: await isKept(client, workflowId, updateId) };
  }
}

function readRefusal({ cause, message }: WorkflowUpdateFailedError): string {
  return cause instanceof ApplicationFailure ? cause.message : firstLine(cause ?? message);
}

/** True if the server has stored the request. */
async function isKept(client: Client, workflowId: string, updateId: string): Promise<boolean> {
  const { namespace } = client.options;
  const updateRef = { workflowExecution: { workflowId }, updateId };
  // Without a stage to wait for, the server answers at once.
  const asked = client.withDeadline(Date.now() + STAGE_MS, () =>
    client.workflowService.pollWorkflowExecutionUpdate({ namespace, updateRef }),
  );
  return asked.then(() => true, onStatus(grpc.NOT_FOUND, false));
}

interface Steering {
  readonly paused: boolean;
  /** Reason why the sweep paused itself; null if it did not. */
  readonly pausedFor: string | null;
  readonly maxConcurrency: number;
  /** Upper bound of the cost in USD; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly numTrials: number;
  /** Current address of an agent that is a service. */
  readonly agentUrl?: string | undefined;
}

/**
 * Reads a sweep's settings from its history: the initial ones, changed by every accepted request, and the known refused
 * calls.
 * @param input from `readSweepInput`
 */
export async function readSteering(client: Client, workflowId: string, input: SweepInput): Promise<Steering> {
  let steering = toSteering(input);
  const { loadedDataConverter: converter } = client.options;
  // The same class gets the same messages as in the sweep, so it reaches the same state.
  const held = new HeldCalls(input);
  let hasWorked = false;
  const halt = (reason: string | null) => {
    if (reason !== null) steering = { ...steering, paused: true, pausedFor: steering.pausedFor ?? reason };
  };
  for await (const event of steeringEvents(client, workflowId)) {
    const argument = <T>(index: number) => decodeFromPayloadsAtIndex<T>(converter, index, event.args);
    const first = <T>() => argument<T>(0);
    const { at } = event;
    halt(held.expire(at));
    switch (event.name) {
      case pause.name:
        steering = { ...steering, paused: true };
        break;
      case resume.name:
        held.resume(at);
        steering = { ...steering, paused: false, pausedFor: null };
        break;
      case callHeld.name:
        halt(held.failed(await first<HeldCall>(), hasWorked, at));
        break;
      case callAnswered.name:
        held.answered(await first<HeldCall>(), at);
        break;
      case halted.name:
        halt(await argument<string>(1));
        break;
      case EPISODE_COMPLETED:
        hasWorked = true;
        break;
      case setLimits.name: {
        const limits = await first<SweepLimits>();
        if (limits.outageTimeoutMs !== undefined) held.setBound(limits.outageTimeoutMs);
        steering = { ...steering, ...limits };
        break;
      }
      case extend.name:
        steering = { ...steering, numTrials: await first<number>() };
        break;
    }
  }
  return steering;
}

function toSteering({ config, plan, maxConcurrency, maxCostUsd, state }: SweepInput): Steering {
  return {
    paused: state?.paused ?? false,
    pausedFor: state?.pausedFor ?? null,
    maxConcurrency: state?.maxConcurrency ?? maxConcurrency,
    maxCostUsd: state?.maxCostUsd === undefined ? maxCostUsd : state.maxCostUsd,
    numTrials: plan.numTrials,
    agentUrl: state?.agentUrl ?? serviceOptions(config.strategyOptions).agentUrl,
  };
}

/** Name of the event "child workflow has ended", which is used like a message's name. */
const EPISODE_COMPLETED = 'episode completed';

/** A message to the sweep, or the completion of an episode. */
interface SteeringEvent {
  readonly name: string;
  readonly args: Payloads;
  /** Time of the event, in ms since the epoch. */
  readonly at: number;
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayload[] | null | undefined;

async function* steeringEvents(client: Client, workflowId: string): AsyncGenerator<SteeringEvent> {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId },
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    });
    for (const event of page.history?.events ?? []) {
      const message = readSteeringEvent(event);
      if (message !== null) yield { ...message, at: event.eventTime ? tsToMs(event.eventTime) : 0 };
    }
    nextPageToken = page.nextPageToken && page.nextPageToken.length > 0 ? page.nextPageToken : undefined;
  } while (nextPageToken !== undefined);
}

function readSteeringEvent(event: HistoryEvent): Omit<SteeringEvent, 'at'> | null {
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  if (update?.name) return { name: update.name, args: update.args?.payloads };
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal?.signalName) return { name: signal.signalName, args: signal.input?.payloads };
  return event.childWorkflowExecutionCompletedEventAttributes ? { name: EPISODE_COMPLETED, args: null } : null;
}

/** A run in progress with human users. */
export interface HumanRun {
  readonly runId: string;
  readonly config: EvaluationConfig;
  readonly queues: TaskQueues;
}

/** @returns null if the run's users are simulated */
export async function readHumanRun(client: Client, runId: string): Promise<HumanRun | null> {
  const { config, queues } = await readSweepInput(client, sweepWorkflowId(runId));
  return config.userStrategy === HUMAN ? { runId, config, queues } : null;
}

/** Lists the server's runs that this process can decrypt. */
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

/**
 * Returns the names of the run's open episodes; on a server without search attributes, the names that the sweep lists.
 */
export async function openEpisodeNames(client: Client, { runId }: Pick<HumanRun, 'runId'>): Promise<string[]> {
  const seen = await listEpisodes(client, runId, { openOnly: true });
  const names = seen?.map(({ name }) => name) ?? (await fetchProgress(client, sweepWorkflowId(runId))).open;
  return [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** @returns null if no worker answers in time */
export function fetchConversation(client: Client, workflowId: string): Promise<SpokenConversation | null> {
  return queryEpisode(client, workflowId, conversation);
}

/** @returns null while the agent works, after the end of the episode, and if no worker answers in time */
export function fetchOpenAction(client: Client, workflowId: string): Promise<OpenAction | null> {
  return queryEpisode(client, workflowId, openAction);
}

async function queryEpisode<T>(client: Client, workflowId: string, query: QueryDefinition<T>): Promise<T | null> {
  const ask = () => client.workflow.getHandle(workflowId).query(query);
  // Its first workflow task is not done yet, or no worker is there.
  const unanswered = onError<Error, null>(() => null, ServiceError, QueryNotRegisteredError);
  return client.withDeadline(Date.now() + ANSWER_MS, ask).catch(unanswered);
}

type SteeredEnd =
  { readonly kind: 'scored'; readonly summary: EpisodeSummary } | { readonly kind: 'failed'; readonly reason: string };

/** Returns the end of a closed episode. */
export async function endOfEpisode(client: Client, workflowId: string): Promise<SteeredEnd> {
  try {
    return { kind: 'scored', summary: await client.workflow.getHandle<typeof episode>(workflowId).result() };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const isCancelled = error.cause instanceof CancelledFailure;
    return { kind: 'failed', reason: isCancelled ? 'it was cancelled' : (error.cause?.message ?? error.message) };
  }
}
