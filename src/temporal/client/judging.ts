/** The client's side of a judge: start it, or attach to the one that is under way. */

import {
  type Client,
  type WorkflowHandle,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { TauModel, TauOrigin, errorsProgress, type errors } from '../../../workflows/client.ts';
import {
  WORKFLOW_VERSION,
  type JudgeRunInput,
  type JudgeProgress,
  type JudgeSettings,
  formatModel,
} from '../../wire/index.ts';

export type ErrorsHandle = WorkflowHandle<typeof errors>;

/** `openai/gpt-4o`, with its temperature where one is sent. */
export function judgeText({ model }: JudgeSettings): string {
  return formatModel(model);
}

/**
 * Starts the judge, or attaches to the one of that id that is under way. A closed one of that id is started again.
 * @param subject the run, or the file, whose failed episodes are judged
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
    // Until then a task that was started by a worker that has died is not given to another.
    workflowTaskTimeout: '20 seconds',
    staticSummary: `why episodes of ${subject} failed: ${input.judge.model.model}`.slice(0, 100),
    staticDetails: `- **judge**: ${judgeText(input.judge)}\n- **at once**: ${input.maxConcurrency}`,
    memo: { judge: judgeText(input.judge), subject },
    ...(input.indexed
      ? {
          typedSearchAttributes: [
            { key: TauModel, value: input.judge.model.model },
            // Not `TauSweep`: what a sweep counts of itself are its episodes.
            { key: TauOrigin, value: subject },
          ],
        }
      : {}),
  });
}

/** The judge in progress under this workflow id; null: none. */
export async function judgeUnderWay(client: Client, workflowId: string): Promise<string | null> {
  try {
    const { status, memo } = await client.workflow.getHandle(workflowId).describe();
    const judge = memo?.['judge'];
    if (status.name !== 'RUNNING') return null;
    return typeof judge === 'string' ? judge : 'another judge';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Null where no worker answers in time, or the server is away. */
export async function fetchErrorsProgress(
  client: Client,
  handle: ErrorsHandle,
  timeoutMs: number,
): Promise<JudgeProgress | null> {
  try {
    return await client.withDeadline(Date.now() + timeoutMs, () => handle.query(errorsProgress));
  } catch {
    return null;
  }
}
