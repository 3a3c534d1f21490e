/** `tauflow status --watch`: follows a run as an attached `run` does, and works on nothing. */

import { readSweepInput } from '../../temporal/client/index.ts';
import { sweepWorkflowId } from '../../wire/index.ts';
import type { sweep } from '../../../workflows/client.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UnreachableError } from '../../errors/index.ts';
import { findRun, type RunUnderWay } from '../find-run.ts';
import { onInterrupt } from '../interrupt.ts';
import { sweepUrl } from '../run/announce.ts';
import { followSweep, HaltedError } from '../run/follow.ts';
import type { StatusFlags } from './show.ts';

/** Until it has ended, or Ctrl-C; a run at rest is not waited for. */
export async function watchRun(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
  await findRun(runId, flags, context, {
    underWay: (run) => follow(run, context),
    atRest: () => Promise.resolve(),
  });
}

async function follow({ runId, temporal, log, manifest }: RunUnderWay, context: CliContext): Promise<void> {
  const { client } = temporal;
  const handle = client.workflow.getHandle<typeof sweep>(sweepWorkflowId(runId));
  const { queues } = await readSweepInput(client, handle.workflowId);
  const { runId: workflowRunId } = await handle.describe();
  const url = sweepUrl(temporal, handle, workflowRunId);
  if (url !== null) context.log(`UI       ${url}`);
  let leave = () => {};
  const interrupted = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const undo = onInterrupt(leave);
  try {
    const taskQueue = queues.main;
    const followed = { temporal, handle, log: manifest === null ? null : log, url, taskQueue, isAttached: true };
    const end = await followSweep({ ...followed, interrupted }, context).catch((error: unknown) => {
      if (!(error instanceof HaltedError)) throw error;
      throw new UnreachableError(`${error.message}, then: npx tauflow resume ${runId}`);
    });
    if (end === 'interrupted') context.end(ExitCode.Interrupted);
  } finally {
    undo();
  }
}
