/** The ports of a sweep, implemented by Temporal: its activities, its children, and signals to them. */

import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  TemporalFailure,
  condition,
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { episodeSummary, type EpisodeFailure, type SweepPorts } from '../src/orchestration/index.ts';
import {
  FailureType,
  episodeWorkflowId,
  laneWorkflowId,
  sweepWorkflowId,
  type EpisodeSummary,
  type SweepInput,
  type SweepResult,
} from '../src/evaluation/index.ts';
import { sweepActivities } from './activities.ts';
import type { episode } from './episode.ts';
import { control, halted, releaseCall } from './messages.ts';
import { WORKFLOW_TASK_TIMEOUT, episodeAttributes, sweepAttributes } from './visibility.ts';
import { countEpisodes } from '../src/benchmarks/pure.ts';

/** Returns the ports of a sweep. Call it in the scope that the sweep's cancellation cancels. */
export function sweepPorts({ run }: SweepInput): SweepPorts {
  const scope = CancellationScope.current();
  return {
    activities: sweepActivities,
    workflowId: workflowInfo().workflowId,
    isCancelled: () => scope.consideredCancelled,
    isCancellation,
    isFailure: (error) => error instanceof TemporalFailure,
    uncancelled: (work) => CancellationScope.nonCancellable(work),
    sleep,
    until: (isMet, ms) => (ms === undefined ? condition(isMet) : condition(isMet, ms)),
    isHistoryFull: () => workflowInfo().continueAsNewSuggested,
    startLane,
    playEpisode: (input) =>
      executeChild<typeof episode>('episode', {
        workflowId: episodeWorkflowId(run.runId, input.episode),
        args: [input],
        parentClosePolicy: 'REQUEST_CANCEL',
        // The run log decides what is done, not the server: a namespace forgets closed workflows after its retention.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: episodeSummary(input),
        ...(input.indexed ? { typedSearchAttributes: episodeAttributes(run, input.config, input.episode) } : {}),
      }),
    readEpisodeFailure,
    release: (key, release) =>
      getExternalWorkflowHandle(episodeWorkflowId(run.runId, key)).signal(releaseCall, release),
    async reportHalt(reason) {
      try {
        await getExternalWorkflowHandle(sweepWorkflowId(run.runId)).signal(halted, workflowInfo().workflowId, reason);
      } catch (error) {
        // A canceled or ended sweep opens no episodes either.
        if (!(error instanceof TemporalFailure)) throw error;
      }
    },
  };
}

const startLane: SweepPorts['startLane'] = async (input) => {
  const { run, config, plan, lane, indexed } = input;
  const handle = await startChild<(slice: SweepInput) => Promise<SweepResult>>('sweep', {
    workflowId: laneWorkflowId(run.runId, lane.index),
    args: [input],
    parentClosePolicy: 'REQUEST_CANCEL',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    ...(indexed ? { typedSearchAttributes: sweepAttributes(run, config) } : {}),
    staticSummary: `lane ${lane.index}: episodes ${lane.start + 1} to ${lane.end} of ${countEpisodes(plan)}`,
  });
  return { result: () => handle.result(), send: (settings) => handle.signal(control, settings) };
};

function readEpisodeFailure(error: unknown): EpisodeFailure | undefined {
  if (error instanceof CancelledFailure) return { kind: 'unopened' };
  if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'open' };
  if (!(error instanceof ChildWorkflowFailure)) return undefined;
  const { cause, execution } = error;
  const isOwnEnd = cause instanceof ApplicationFailure && cause.type === FailureType.EpisodeFailed;
  const [summary] = (isOwnEnd ? (cause.details ?? []) : []) as [EpisodeSummary?];
  return {
    ...{ kind: 'failed', isCancelled: isCancellation(error), message: cause?.message ?? error.message, summary },
    ...{ workflowId: execution.workflowId ?? undefined, workflowRunId: execution.runId ?? undefined },
  };
}
