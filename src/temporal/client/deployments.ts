/**
 * Temporal's worker versioning: workers of one build of the code, and which build new sweeps start on. A sweep stays on
 * the build that it has started on, with its episodes, lanes and model calls.
 */

import type { Connection } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import proto from '@temporalio/proto';
import { setTimeout as delay } from 'node:timers/promises';
import { grpc, grpcStatus } from '../codec/index.ts';

const { TASK_QUEUE_TYPE_WORKFLOW: WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType;

type Server = Pick<Connection, 'workflowService'>;

/** How long the server may take to know a build whose workers have just started to ask for work, in ms. */
const KNOWN_MS = 30_000;
const AGAIN_MS = 200;

/** The build on which new sweeps of a task queue start; null: on workers without a build. */
export async function currentBuild(
  { workflowService }: Server,
  namespace: string,
  taskQueue: string,
): Promise<WorkerDeploymentVersion | null> {
  const { versioningInfo } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW,
  });
  const { deploymentName, buildId } = versioningInfo?.currentDeploymentVersion ?? {};
  return deploymentName && buildId ? { deploymentName, buildId } : null;
}

/**
 * Lets new sweeps start on a build, whose workers ask for work already.
 *
 * @returns the server's reason where it refuses; null when it has done it
 */
export async function makeCurrent(
  { workflowService }: Server,
  namespace: string,
  { deploymentName, buildId }: WorkerDeploymentVersion,
): Promise<string | null> {
  const deadline = Date.now() + KNOWN_MS;
  for (;;) {
    try {
      await workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId });
      return null;
    } catch (error) {
      const status = grpcStatus(error);
      const isUnknownYet = status === grpc.NOT_FOUND || status === grpc.FAILED_PRECONDITION;
      if (!isUnknownYet) throw error;
      if (Date.now() > deadline) return error instanceof Error ? error.message : String(error);
      await delay(AGAIN_MS);
    }
  }
}
