/** Runs `tauflow status`: shows one run from its log, the server and its workers, and follows it with `--watch`. */

import { facts, formatUsd, type Document } from '../../results/document/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { findRun, type RunUnderWay } from '../find-run.ts';
import { HaltedError, followSweep, haltedSentence } from '../run/follow.ts';
import { renderProgressLine } from '../terminal/progress.ts';
import { describePace, limitHint, readSweepInput } from '../../temporal/client/index.ts';
import { renderTerminal } from '../terminal/render.ts';
import { styleOf } from '../terminal/style.ts';
import { stateAtRest, stateUnderWay, type RunState } from './state.ts';
import { sweepWorkflowId } from '../../wire/index.ts';
import type { sweep } from '../../../workflows/client.ts';
import { ExitCode, UnreachableError } from '../../errors/index.ts';
import { onInterrupt } from '../interrupt.ts';
import { sweepUrl } from '../run/announce.ts';

export interface StatusFlags {
  readonly logDir: string;
  readonly json?: boolean;
  /** Follow it to its end. */
  readonly watch?: boolean;
}

export async function showStatus(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
  if (flags.watch === true) {
    await watchRun(runId, flags, context);
  }
  const options = { metrics: flags.json === true };
  const state = await findRun(runId, flags, context, {
    underWay: (run) => stateUnderWay(run, options),
    atRest: (run) => stateAtRest(run, options),
  });
  if (flags.json === true) {
    const { metrics, ...rest } = state;
    printJson({ ...(snakeKeys(rest) as object), metrics }, context);
  } else {
    context.out(renderTerminal(statusDocument(state), styleOf(context.stdout, context.env)).trimEnd());
  }
}

/** Names that are listed; the others are counted. */
const MOST_NAMES = 10;

function statusDocument(state: RunState): Document {
  const { planned, recorded, progress, waiting, taskQueues, failed } = state;
  const more = failed.length - MOST_NAMES;
  return [
    facts([
      ['run', state.runId],
      ['status', statusText(state)],
      ['recorded', recorded === null ? null : `${recorded} of ${planned ?? '?'} episodes`],
      ['episodes', episodesText(state)],
      ['open', state.open === null || state.open.length === 0 ? null : listNames(state.open)],
      ['cost', costText(state)],
      ['paused', haltedText(state)],
      ['progress', progress === null ? null : progressText(progress)],
      ...taskQueues.map((queue) => ['workers', workersText(queue)] as const),
      ...state.paces.map((pace) => ['limit', `${describePace(pace)}; ${limitHint(pace)}`] as const),
      ['waiting', waiting],
      ...failed
        .slice(0, MOST_NAMES)
        .map(({ episode, outcome, error }) => ['failed', `${episode}: ${error ?? outcome}`] as const),
      ['failed', more > 0 ? `and ${more} more` : null],
      ...state.warnings.map((warning) => ['warning', warning] as const),
    ]),
  ];
}

function workersText({ taskQueue, provider, workers }: RunState['taskQueues'][number]): string {
  const calls = provider === null ? '' : ` (calls of ${provider})`;
  return `${workers.length === 0 ? 'none' : workers.join(', ')} on ${taskQueue}${calls}`;
}

function statusText({ status, answered, paused, cancelRequested, taskQueues }: RunState): string {
  const remarks = [
    ...(paused === true ? ['paused'] : []),
    ...(cancelRequested ? ['to be cancelled'] : []),
    ...(answered === false
      ? [(taskQueues[0]?.workers.length ?? 0) === 0 ? 'no worker answers' : 'no answer in time']
      : []),
  ];
  return remarks.length === 0 ? status : `${status} (${remarks.join(', ')})`;
}

/** The problem to fix before the run can be resumed; null where it has not paused itself. */
function haltedText({ runId, pausedFor }: RunState): string | null {
  return pausedFor === null ? null : `${haltedSentence(pausedFor)}, then: npx tauflow resume ${runId}`;
}

/** Counts of episodes that are open, pending or failed; null without any. */
function episodesText({ open, pending, failed }: RunState): string | null {
  const parts = [
    ...(open === null || open.length === 0 ? [] : [`${open.length} open`]),
    ...(pending === null || pending === 0 ? [] : [`${pending} pending`]),
    ...(failed.length === 0 ? [] : [`${failed.length} cancelled or ended by infrastructure`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function costText({ status, knownCostUsd, maxCostUsd }: RunState): string | null {
  if (knownCostUsd === null || (status !== 'running' && maxCostUsd === null)) return null;
  return `${formatUsd(knownCostUsd)} so far${maxCostUsd === null ? '' : `, of a budget of ${formatUsd(maxCostUsd)}`}`;
}

function progressText(progress: NonNullable<RunState['progress']>): string {
  const now = Date.now();
  return renderProgressLine({ progress, startedAt: now, endedAtStart: progress.ended, uiUrl: null }, now);
}

function listNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Follows a run until it has ended, or Ctrl-C; returns at once for a run that is not under way. */
async function watchRun(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
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
