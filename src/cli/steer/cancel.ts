/** `tauflow cancel`: cancels a run or single episodes, and waits until their records and results are written. */

import { allEpisodes, reportOfRun } from '../../results/report/index.ts';
import { episodeName, episodeWorkflowId, sweepWorkflowId, type EpisodeKey } from '../../evaluation/index.ts';
import { endIfStuck, isListenedTo, openEpisodes, readSweepInput, workflowStatus } from '../../temporal/client/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';
import { parseEpisode } from './rerun.ts';
import { findRun, notUnderWay, statusWord, type RunUnderWay } from '../find-run.ts';
import { formatResumeCommand } from '../run-log.ts';
import { type SteerFlags, askProgress, formatEpisodeCount } from './update.ts';
import { setTimeout as delay } from 'node:timers/promises';

/** @param names names of episodes, such as `task-17.trial-0`; none: the whole sweep */
export async function cancelRun(
  runId: string,
  names: readonly string[],
  flags: SteerFlags,
  context: CliContext,
): Promise<void> {
  const keys = names.map(parseEpisode);
  await findRun(runId, flags, context, {
    underWay: (run) =>
      keys.length === 0 ? cancelSweep(run, flags, context) : cancelEpisodes(run, keys, flags, context),
    atRest: (run) => Promise.reject(notUnderWay(run, context, 'there is nothing to cancel')),
  });
}

async function cancelSweep(run: RunUnderWay, flags: SteerFlags, context: CliContext): Promise<void> {
  const { runId, temporal, log } = run;
  const { client } = temporal;
  const workflowId = sweepWorkflowId(runId);
  await client.workflow.getHandle(workflowId).cancel();
  const workers = await watchWorkers(run);
  const end = await windUp(
    {
      ...workers,
      // The sweep closes last: after its episodes, and the results.
      isClosed: async () => (await workflowStatus(client, workflowId)) !== 'running',
      countOpen: () => openEpisodes(client, workflowId),
    },
    context.log,
  );
  const status = (await workflowStatus(client, workflowId)) ?? 'unknown';
  // Canceled episodes have a record too, but are not results.
  const report = run.manifest === null ? null : await reportOfRun(await run.access.read());
  const kept = report && allEpisodes(report).length - report.unfinished.cancelled;
  if (flags.json === true) {
    printJson({ run_id: runId, request: 'cancel', status, open: end.open, kept }, context);
    return;
  }
  if (end.kind !== 'closed') {
    context.out(describeAcceptedCancel(runId, end, status));
    return;
  }
  if (status !== 'cancelled') {
    context.out(`${runId} had come to its end before it was cancelled: ${statusWord(status)}`);
    return;
  }
  const results =
    kept === null
      ? ''
      : `: ${formatEpisodeCount(kept)} that had ended ${kept === 1 ? 'is' : 'are'} kept, the results are in ${log.shown.results}`;
  context.out(`${runId} is cancelled${results}`);
  context.out(`resume with: ${formatResumeCommand(log, context)}`);
}

async function cancelEpisodes(
  run: RunUnderWay,
  keys: readonly EpisodeKey[],
  flags: SteerFlags,
  context: CliContext,
): Promise<void> {
  const { runId, temporal } = run;
  const { client } = temporal;
  const toWorkflowId = (key: EpisodeKey) => episodeWorkflowId(runId, key);
  // All names are checked first, so that a mistyped name cancels nothing.
  for (const key of keys) {
    const status = await workflowStatus(client, toWorkflowId(key));
    if (status === 'running') continue;
    const state = status === null ? 'has not been opened' : `has ended (${statusWord(status)})`;
    throw new UsageError(`the episode ${episodeName(key)} of ${runId} ${state}; only open episodes are cancelled.`);
  }
  for (const key of keys) await client.workflow.getHandle(toWorkflowId(key)).cancel();
  const { config } = await readSweepInput(client, sweepWorkflowId(runId));
  const countOpen = async () => {
    const statuses = await Promise.all(
      keys.map(async (key) => {
        // An episode whose code fails again and again cannot take the request.
        const end = await endIfStuck(client, toWorkflowId(key), key, { config, isCancelled: true });
        if (end.kind === 'ended') context.log(end.message);
        return workflowStatus(client, toWorkflowId(key));
      }),
    );
    return statuses.filter((status) => status === 'running').length;
  };
  const workers = await watchWorkers(run);
  const end = await windUp({ ...workers, isClosed: async () => (await countOpen()) === 0, countOpen }, context.log);
  const names = keys.map(episodeName);
  if (flags.json === true) {
    printJson({ run_id: runId, request: 'cancel', episodes: names, open: end.open, status: 'running' }, context);
  } else if (end.kind === 'closed') {
    context.out(
      `${names.join(', ')} of ${runId} cancelled; \`npx tauflow retry ${runId}\` runs what was cancelled again`,
    );
  } else context.out(describeAcceptedCancel(runId, end, 'running'));
}

async function watchWorkers(run: RunUnderWay): Promise<Pick<Winding, 'isListenedTo' | 'isAnswered'>> {
  const { client } = run.temporal;
  const { queues } = await readSweepInput(client, sweepWorkflowId(run.runId));
  return {
    isListenedTo: () => isListenedTo(client, queues.main),
    isAnswered: async () => (await askProgress(run)) !== null,
  };
}

/** Returns the message for an accepted request, which takes effect without this command. */
function describeAcceptedCancel(runId: string, { kind, open }: WindUpEnd, status: string): string {
  const count = open === null ? '' : ` (${formatEpisodeCount(open)} open)`;
  const why = kind === 'unanswered' ? 'no worker answers' : 'it takes long';
  return `${runId} is still ${status}${count} because ${why}. The cancel request was accepted; nothing more has to be done here`;
}

/** End of the wait. `unanswered`: no worker answers; `slow`: a worker answers, but nothing has changed for a while. */
interface WindUpEnd {
  readonly kind: 'closed' | 'unanswered' | 'slow';
  /** Number of open episodes at the last query; null if unknown. */
  readonly open: number | null;
}

export interface Winding {
  readonly isClosed: () => Promise<boolean>;
  /** Returns the number of open episodes; null if the server cannot count them. */
  readonly countOpen: () => Promise<number | null>;
  /** True if a worker polls the task queue. */
  readonly isListenedTo: () => Promise<boolean>;
  /** True if a worker answers a query; this may take a while. */
  readonly isAnswered: () => Promise<boolean>;
}

export interface Patience {
  readonly lookMs: number;
  /** Time between two lines of progress, in ms. */
  readonly reportMs: number;
  /** Time without an answer after which no worker is assumed, in ms. */
  readonly silentMs: number;
  /** Time without progress after which the wait ends, in ms; a cancelled call ends within its heartbeats. */
  readonly slowMs: number;
}

const PATIENCE: Patience = { lookMs: 300, reportMs: 2_000, silentMs: 12_000, slowMs: 120_000 };

export async function windUp(
  { isClosed, countOpen, isListenedTo, isAnswered }: Winding,
  report: (line: string) => void,
  { lookMs, reportMs, silentMs, slowMs }: Patience = PATIENCE,
): Promise<WindUpEnd> {
  let open: number | null = null;
  let movedAt = performance.now();
  let answeredAt = performance.now();
  let reportedAt = -Infinity;
  let reported: number | null = null;
  for (;;) {
    if (await isClosed()) return { kind: 'closed', open: 0 };
    const before: number | null = open;
    open = await countOpen();
    if (!(await isListenedTo())) return { kind: 'unanswered', open };
    if (open !== before) movedAt = performance.now();
    if (open !== reported && performance.now() - reportedAt >= reportMs) {
      report(
        open === 0
          ? 'writing the results'
          : `winding up: ${open === 1 ? '1 episode is' : `${String(open)} episodes are`} open`,
      );
      reported = open;
      reportedAt = performance.now();
    }
    if (await isAnswered()) answeredAt = performance.now();
    else if (performance.now() - answeredAt >= silentMs) return { kind: 'unanswered', open };
    if (performance.now() - movedAt >= slowMs) return { kind: 'slow', open };
    await delay(lookMs);
  }
}
