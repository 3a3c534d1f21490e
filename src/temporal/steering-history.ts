/** How a sweep is steered, read off its history: what a query would tell, when no worker is there to answer one. */

import type { Client } from '@temporalio/client';
import { decodeFromPayloadsAtIndex } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { extend, pause, resume, setConcurrency, setLimits } from '../../workflows/messages.ts';
import type { SweepInput, SweepLimits } from '../wire/sweep.ts';

export interface Steering {
  readonly paused: boolean;
  readonly maxConcurrency: number;
  /** USD; null: no bound. */
  readonly maxCostUsd: number | null;
  readonly numTrials: number;
}

/**
 * What the sweep was started with, and every request that it has accepted since.
 * @param input of `readSweepInput`
 */
export async function readSteering(client: Client, workflowId: string, input: SweepInput): Promise<Steering> {
  let steering = startOf(input);
  const { loadedDataConverter: converter } = client.options;
  for await (const event of acceptedUpdates(client, workflowId)) {
    const first = <T>() => decodeFromPayloadsAtIndex<T>(converter, 0, event.args);
    switch (event.name) {
      case pause.name:
        steering = { ...steering, paused: true };
        break;
      case resume.name:
        steering = { ...steering, paused: false };
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
    maxConcurrency: state?.maxConcurrency ?? maxConcurrency,
    maxCostUsd: state?.maxCostUsd === undefined ? maxCostUsd : state.maxCostUsd,
    numTrials: plan.numTrials,
  };
}

async function* acceptedUpdates(client: Client, workflowId: string) {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await client.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId },
      ...(nextPageToken === undefined ? {} : { nextPageToken }),
    });
    for (const event of page.history?.events ?? []) {
      const input = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
      if (input?.name) yield { name: input.name, args: input.args?.payloads };
    }
    nextPageToken = page.nextPageToken && page.nextPageToken.length > 0 ? page.nextPageToken : undefined;
  } while (nextPageToken !== undefined);
}
