/**
 * Gives up, in the name of workers of this machine that have died, what they had under way.
 *
 * Temporal notices a dead worker by the heartbeat that does not come, or by a timeout, and hands workflows that it knew
 * to others after ten seconds: a run that is taken up again after a `kill -9` would stand still for up to twenty. The
 * dead worker's process is on this machine, so its absence can be seen at once. Whatever is not seen here goes the slow
 * way.
 */

import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { grpc, grpcStatus } from '../codec/index.ts';
import { hasDied } from './pollers.ts';

/** Workflows that are looked at together. */
const AT_ONCE = 20;

const { PENDING_ACTIVITY_STATE_STARTED: STARTED } = proto.temporal.api.enums.v1.PendingActivityState;
const { PENDING_WORKFLOW_TASK_STATE_STARTED: TASK_STARTED } = proto.temporal.api.enums.v1.PendingWorkflowTaskState;

/**
 * Fails the attempts of dead workers in a sweep and its open children, so that the next attempts start; they count as
 * attempts, as they would after a timeout. Only for a server that none but this machine's processes reach.
 *
 * @param workflowId of the sweep, which is running
 * @returns how many attempts were given up
 */
export async function reclaimFromDeadWorkers(client: Client, workflowId: string): Promise<number> {
  const dead = new DeadWorkers();
  let reclaimed = 0;
  for (let level = [workflowId]; level.length > 0;) {
    const children: string[] = [];
    while (level.length > 0) {
      const looks = level.splice(0, AT_ONCE).map((id) => reclaimOne(client, id, dead));
      for (const look of await Promise.all(looks)) {
        reclaimed += look.reclaimed;
        children.push(...look.children);
      }
    }
    level = children;
  }
  return reclaimed;
}

async function reclaimOne(
  client: Client,
  workflowId: string,
  dead: DeadWorkers,
): Promise<{ reclaimed: number; children: string[] }> {
  const { workflowService, options } = client;
  const { namespace, identity } = options;
  try {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const execution = { workflowId, runId: raw.workflowExecutionInfo?.execution?.runId ?? '' };
    let reclaimed = 0;
    for (const { activityId, lastWorkerIdentity, state } of raw.pendingActivities ?? []) {
      if (!activityId || state !== STARTED || !(await dead.includes(lastWorkerIdentity ?? ''))) continue;
      const message = `its worker (${lastWorkerIdentity ?? ''}) has died`;
      const failure = { message, applicationFailureInfo: { type: 'WorkerDied', nonRetryable: false } };
      await workflowService.respondActivityTaskFailedById({ namespace, ...execution, activityId, identity, failure });
      reclaimed += 1;
    }
    if (reclaimed > 0) await workflowService.resetStickyTaskQueue({ namespace, execution });
    const children = (raw.pendingChildren ?? []).flatMap((child) => (child.workflowId ? [child.workflowId] : []));
    return { reclaimed, children };
  } catch (error) {
    // It has just ended, or moved on: nothing is to be given up then.
    if (grpcStatus(error) === grpc.NOT_FOUND || error instanceof WorkflowNotFoundError)
      return { reclaimed: 0, children: [] };
    throw error;
  }
}

/**
 * Says which work of a workflow its workers have not finished: a new worker gets it when they have, or when the server
 * takes them for dead.
 * @returns null when there is none
 */
export async function workUnderWay(client: Client, workflowId: string): Promise<string | null> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const started = (raw.pendingActivities ?? []).filter(({ state }) => state === STARTED);
  const workers = [...new Set(started.flatMap(({ lastWorkerIdentity }) => lastWorkerIdentity ?? []))];
  const isTaskStarted = raw.pendingWorkflowTask?.state === TASK_STARTED;
  const calls = started.length === 1 ? '1 call is' : `${started.length} calls are`;
  const parts = [
    ...(started.length === 0 ? [] : [`${calls} under way on ${workers.join(', ')}`]),
    ...(isTaskStarted ? ['a worker is at the workflow itself'] : []),
  ];
  return parts.length === 0
    ? null
    : `${parts.join(', and ')}; if a worker has died, the server retries its work within a minute`;
}

/** Remembers which workers have died. */
class DeadWorkers {
  readonly #known = new Map<string, Promise<boolean>>();

  includes(identity: string): Promise<boolean> {
    const known = this.#known.get(identity) ?? hasDied(identity);
    this.#known.set(identity, known);
    return known;
  }
}
