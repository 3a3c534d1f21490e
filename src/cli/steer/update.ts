/** A request to a sweep under way, and what its person is told of it. */

import type { UpdateDefinition } from '@temporalio/common';
import { snakeKeys } from '../../results/log/index.ts';
import {
  fetchProgress,
  isListenedTo,
  readSweepInput,
  requestUpdate,
  startWorkerCommand,
} from '../../temporal/client/index.ts';
import { sweepWorkflowId, type SweepProgress } from '../../wire/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { UnreachableError, UsageError } from '../../errors/index.ts';
import type { RunUnderWay } from '../find-run.ts';

const PROGRESS_MS = 5_000;
/** Without a worker, it is enough that the server has the request. */
const ALONE_MS = 1_000;

/**
 * @throws UsageError with the sweep's reason when it refuses, or has just ended; UnreachableError when no worker answers
 */
export async function steer<Result, Args extends unknown[]>(
  { runId, temporal }: Pick<RunUnderWay, 'runId' | 'temporal'>,
  update: UpdateDefinition<Result, Args>,
  ...args: Args
): Promise<Result> {
  const { client } = temporal;
  const workflowId = sweepWorkflowId(runId);
  const { queues } = await readSweepInput(client, workflowId);
  const isAlone = !(await isListenedTo(client, queues.main));
  const answer = await requestUpdate(client, workflowId, update, args, isAlone ? ALONE_MS : undefined);
  switch (answer.kind) {
    case 'done':
      return answer.result;
    case 'refused':
      throw new UsageError(`the run ${runId} refuses: ${answer.reason.replace(/\.$/, '')}.`);
    case 'over':
      throw new UsageError(`the run ${runId} has just ended; \`npx tauflow status ${runId}\` tells how.`);
    case 'unanswered': {
      const fate = answer.isWaiting
        ? 'the request waits on the server and is carried out when one comes, unless the server is restarted before'
        : 'the request was not delivered';
      throw new UnreachableError(
        `no worker answers for the run ${runId}; ${fate}. One is started with \`${startWorkerCommand(queues.main)}\`.`,
      );
    }
  }
}

/** Progress of the sweep; null if nothing reports it. */
export async function askProgress({
  runId,
  temporal,
}: Pick<RunUnderWay, 'runId' | 'temporal'>): Promise<SweepProgress | null> {
  const { client } = temporal;
  const ask = () => fetchProgress(client, sweepWorkflowId(runId));
  // What was asked for is done; that nobody tells how far the sweep is, now that it may be ending, is no failure.
  return await client.withDeadline(Date.now() + PROGRESS_MS, ask).catch(() => null);
}

/** The document that `--json` prints, in snake_case. */
export interface SteeredDocument {
  readonly runId: string;
  readonly request: 'pause' | 'resume' | 'set' | 'retry';
  /** Episodes that run again. */
  readonly retried?: number;
  /** Null when nobody says. */
  readonly progress: SweepProgress | null;
}

/** One document, or one sentence and how far the run is. */
export function tellSteered(
  document: SteeredDocument,
  sentence: string,
  json: boolean | undefined,
  context: CliContext,
): void {
  if (json === true) printJson(snakeKeys(document), context);
  else context.out(`${sentence}${document.progress === null ? '' : `; ${extent(document.progress)}`}`);
}

/** `5 of 12 episodes have ended, 3 are open` */
function extent({ ended, total, running }: SweepProgress): string {
  return `${ended} of ${total} episodes have ended, ${running} ${running === 1 ? 'is' : 'are'} open`;
}

export function episodes(count: number): string {
  return count === 1 ? '1 episode' : `${count} episodes`;
}
