/** `tauflow status`: one run, from its log, the server and its workers; `--watch` follows it. */

import type { Command } from 'commander';
import { facts, formatShare, formatUsd, type Document } from '../../results/document/index.ts';
import { snakeKeys } from '../../run-log/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import { findRun, type RunUnderWay } from '../find-run.ts';
import { HaltedError, followSweep } from '../run/follow.ts';
import { renderProgressLine } from '../terminal/progress.ts';
import { describePace, limitHint, readSweepInput } from '../../temporal/client/index.ts';
import { printDocument } from '../terminal/print.ts';
import { parseEpisodeName, sweepWorkflowId } from '../../evaluation/index.ts';
import type { sweep } from '../../../workflows/client.ts';
import { ExitCode, UnreachableError } from '../../errors/index.ts';
import { awaitInterrupt } from '../interrupt.ts';
import { sweepUrl } from '../run/announce.ts';
import { explainState } from './state.ts';
import { stateAtRest, stateUnderWay, type ShownState } from './read-state.ts';

interface StatusFlags {
  readonly logDir: string;
  readonly json?: boolean;
  /** True to follow the run to its end. */
  readonly watch?: boolean;
}

export function defineStatusCommand(command: Command, context: CliContext): void {
  command
    .argument('<run>', 'a run id')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .option('--watch', 'follow the run to its end; runs no worker')
    .option('--json', 'print one JSON document')
    .action(async (runId: string, flags: StatusFlags) => {
      await showStatus(runId, flags, context);
    });
}

async function showStatus(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
  if (flags.watch === true) {
    await watchRun(runId, flags, context);
  }
  const options = { metrics: flags.json === true };
  const state = await findRun(runId, flags, context, {
    underWay: (run) => stateUnderWay(run, options),
    atRest: (run) => stateAtRest(run, context, options),
  });
  if (flags.json === true) {
    const { metrics, ...rest } = state;
    printJson({ ...(snakeKeys(rest) as object), metrics }, context);
  } else {
    printDocument(statusDocument(state), context);
  }
}

/** Most names to list, before the number of further ones. */
const MOST_NAMES = 10;

function statusDocument(state: ShownState): Document {
  const { planned, recorded, progress, waiting, taskQueues, failed } = state;
  const more = failed.length - MOST_NAMES;
  return [
    facts([
      ['run', state.runId],
      ['status', statusText(state)],
      ['recorded', recorded === null ? null : `${recorded} of ${planned ?? '?'} episodes`],
      ['episodes', episodesText(state)],
      ['open', listOpen(state)],
      ['reward', rewardText(state)],
      ['cost', costText(state)],
      [state.paused === true ? 'paused' : 'stopped', explainState(state)],
      ['progress', progress === null ? null : progressText(progress)],
      ...taskQueues.map((queue) => ['workers', workersText(queue)] as const),
      ...state.paces.map((pace) => ['limit', `${describePace(pace)}; ${limitHint(pace)}`] as const),
      ['waiting', waiting],
      ...failed.slice(0, MOST_NAMES).map(({ episode, task, outcome, error }) => {
        const name = task === undefined ? episode : `${episode} (${task})`;
        return ['failed', `${name}: ${error ?? outcome}`] as const;
      }),
      ['failed', more > 0 ? `and ${more} more` : null],
      ...state.warnings.map((warning) => ['warning', warning] as const),
    ]),
  ];
}

function workersText({ taskQueue, provider, workers }: ShownState['taskQueues'][number]): string {
  const calls = provider === null ? '' : ` (calls of ${provider})`;
  return `${workers.length === 0 ? 'none' : workers.join(', ')} on ${taskQueue}${calls}`;
}

function statusText({ status, answered, paused, cancelRequested, taskQueues }: ShownState): string {
  const remarks = [
    ...(cancelRequested ? ['to be cancelled'] : []),
    ...(answered === false
      ? [(taskQueues[0]?.workers.length ?? 0) === 0 ? 'no worker answers' : 'no answer in time']
      : []),
  ];
  const word = paused === true ? 'paused' : status;
  return remarks.length === 0 ? word : `${word} (${remarks.join(', ')})`;
}

/** Formats the numbers of open, pending and failed episodes; null if there are none. */
function episodesText({ open, pending, failed }: ShownState): string | null {
  const parts = [
    ...(open === null || open.length === 0 ? [] : [`${open.length} open`]),
    ...(pending === null || pending === 0 ? [] : [`${pending} pending`]),
    ...(failed.length === 0 ? [] : [`${failed.length} cancelled or ended by infrastructure`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** Formats the figures of an ended run as `report` does. */
function rewardText({ averageReward, passHat1, conditions = {} }: ShownState): string | null {
  if (averageReward === null) return null;
  const others = Object.entries(conditions).map(([name, reward]) => `; ${name} ${formatShare(reward)}`);
  return [
    formatShare(averageReward),
    ...(passHat1 === null ? [] : [`, pass^1 ${formatShare(passHat1)}`]),
    ...others,
  ].join('');
}

function costText({ status, knownCostUsd, unpriced, maxCostUsd }: ShownState): string | null {
  if (knownCostUsd === null || (status !== 'running' && maxCostUsd === null)) return null;
  const isUnknown = knownCostUsd === 0 && unpriced > 0;
  const cost = isUnknown ? 'unknown' : `${unpriced > 0 ? 'at least ' : ''}${formatUsd(knownCostUsd)}`;
  return `${cost} so far${maxCostUsd === null ? '' : `, of a budget of ${formatUsd(maxCostUsd)}`}`;
}

function progressText(progress: NonNullable<ShownState['progress']>): string {
  const now = performance.now();
  return renderProgressLine({ progress, startedAt: now, endedAtStart: progress.ended, uiUrl: null }, now);
}

/** Lists open episodes: `task-3.trial-0 (cancel), task-4.trial-0 and 7 more`; null if there are none. */
function listOpen({ open, taskNames = {} }: ShownState): string | null {
  if (open === null || open.length === 0) return null;
  const names = open.slice(0, MOST_NAMES).map((episode) => {
    const task = taskNames[parseEpisodeName(episode)?.taskId ?? -1];
    return task === undefined ? episode : `${episode} (${task})`;
  });
  const more = open.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Follows a run until it ends or Ctrl-C; returns at once for a run that is not in progress. */
async function watchRun(runId: string, flags: StatusFlags, context: CliContext): Promise<void> {
  await findRun(runId, flags, context, {
    underWay: (run) => follow(run, context),
    atRest: () => Promise.resolve(),
  });
}

async function follow({ runId, temporal, access, manifest }: RunUnderWay, context: CliContext): Promise<void> {
  const { client } = temporal;
  const handle = client.workflow.getHandle<typeof sweep>(sweepWorkflowId(runId));
  const { queues } = await readSweepInput(client, handle.workflowId);
  const { runId: workflowRunId } = await handle.describe();
  const url = sweepUrl(temporal, handle, workflowRunId);
  if (url !== null) context.log(`UI       ${url}`);
  const { asked: interrupted, end: undo } = awaitInterrupt();
  try {
    const taskQueue = queues.main;
    const followed = {
      temporal,
      handle,
      log: manifest === null ? null : access.folder,
      url,
      taskQueue,
      isAttached: true,
    };
    const end = await followSweep({ ...followed, interrupted }, context).catch((error: unknown) => {
      if (!(error instanceof HaltedError)) throw error;
      throw new UnreachableError(`${error.message}; continue with: npx tauflow resume ${runId}`);
    });
    if (end === 'interrupted') context.end(ExitCode.Interrupted);
  } finally {
    undo();
  }
}
