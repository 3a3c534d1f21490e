/** Requests to a sweep under way, and what has become of them: a worker has to answer an update. */

import { randomUUID } from 'node:crypto';
import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { UpdateDefinition } from '@temporalio/common';
import { firstLine } from '../../errors/index.ts';
import { grpc, grpcStatus } from '../codec/index.ts';

/**
 * - `done`: the sweep has carried it out.
 * - `refused`: its validator or handler said no; `reason` is what it said.
 * - `unanswered`: no worker has answered in time. `isWaiting`: the server keeps the request, and a worker that comes
 *   carries it out, unless the server is restarted before.
 * - `over`: the sweep has ended.
 */
export type UpdateAnswer<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly isWaiting: boolean }
  | { readonly kind: 'over' };

/** How long a worker may take to answer, in ms. One that has died keeps its sweeps from others for ten seconds. */
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
  // The library's types tell updates with arguments from those without; at run time there is one way.
  const options = { args: args as unknown as [unknown, ...unknown[]], updateId };
  const ask = () =>
    client.workflow.getHandle(workflowId).executeUpdate<Result, [unknown, ...unknown[]]>(update.name, options);
  try {
    return { kind: 'done', result: await client.withDeadline(Date.now() + answerMs, ask) };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return { kind: 'refused', reason: reasonOf(error) };
    if (error instanceof WorkflowNotFoundError) return { kind: 'over' };
    if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw error;
    return { kind: 'unanswered', isWaiting: await isKept(client, workflowId, updateId) };
  }
}

function reasonOf({ cause, message }: WorkflowUpdateFailedError): string {
  return cause instanceof ApplicationFailure ? cause.message : firstLine(cause ?? message);
}

/** Whether the server knows the request. */
async function isKept(client: Client, workflowId: string, updateId: string): Promise<boolean> {
  const { namespace } = client.options;
  const updateRef = { workflowExecution: { workflowId }, updateId };
  try {
    // Without a stage to wait for, it answers at once.
    await client.withDeadline(Date.now() + STAGE_MS, () =>
      client.workflowService.pollWorkflowExecutionUpdate({ namespace, updateRef }),
    );
    return true;
  } catch (error) {
    if (grpcStatus(error) === grpc.NOT_FOUND) return false;
    throw error;
  }
}
