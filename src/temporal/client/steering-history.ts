/** How a sweep is steered, read off its history: what a query would tell, when no worker is there to answer one. */

import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { temporal } from '@temporalio/proto';

import {
  HeldCalls,
  callAnswered,
  callHeld,
  extend,
  halted,
  pause,
  resume,
  setConcurrency,
  setLimits,
} from '../../../workflows/client.ts';
import type { HeldCall, SweepInput, SweepLimits } from '../../wire/index.ts';

export interface Steering {
  readonly paused: boolean;
  /** Why the sweep has paused itself; null: it has not. */
  readonly pausedFor: string | null;
  readonly maxConcurrency: number;
  /** USD; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly numTrials: number;
}

/**
 * What the sweep was started with, every request that it has accepted since, and
 * what it was told of refused calls.
 * @param input of `readSweepInput`
 */
export async function readSteering(client: Client, workflowId: string, input: SweepInput): Promise<Steering> {
  let steering = startOf(input);
  const { loadedDataConverter: converter } = client.options;
  // What the sweep makes of refused calls, it makes of these same messages.
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
      case setConcurrency.name:
        steering = { ...steering, maxConcurrency: await first<number>() };
        break;
      case setLimits.name:
        steering = { ...steering, ...(await first<SweepLimits>()) };
        break;
      case extend.name:
        steering = { ...steering, numTrials: await first<number>() };
        break;
    }
  }
  return steering;
}

function startOf({ plan, maxConcurrency, maxCostUsd, state }: SweepInput): Steering {
  return {
    paused: state?.paused ?? false,
    pausedFor: state?.pausedFor ?? null,
    maxConcurrency: state?.maxConcurrency ?? maxConcurrency,
    maxCostUsd: state?.maxCostUsd === undefined ? maxCostUsd : state.maxCostUsd,
    numTrials: plan.numTrials,
  };
}

/** Stands for the end of a child workflow among the names of messages. */
const EPISODE_COMPLETED = 'episode completed';

/** A message to the sweep, or the good end of an episode. */
interface SteeringEvent {
  readonly name: string;
  readonly args: Payloads;
  /** ms since the epoch. */
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
      const message = messageOf(event);
      if (message !== null) yield { ...message, at: event.eventTime ? tsToMs(event.eventTime) : 0 };
    }
    nextPageToken = page.nextPageToken && page.nextPageToken.length > 0 ? page.nextPageToken : undefined;
  } while (nextPageToken !== undefined);
}

function messageOf(event: HistoryEvent): Omit<SteeringEvent, 'at'> | null {
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  if (update?.name) return { name: update.name, args: update.args?.payloads };
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal?.signalName) return { name: signal.signalName, args: signal.input?.payloads };
  return event.childWorkflowExecutionCompletedEventAttributes ? { name: EPISODE_COMPLETED, args: null } : null;
}
