/**
 * A window of open episodes. Children are awaited, so that results, failures and cancellation come through the
 * server; before the sweep continues as new the window drains, because continuing would end the children.
 *
 * Two loops run beside it: one makes held calls again, the other ({@link StuckWatch}) ends stuck episodes.
 */

import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  condition,
  executeChild,
  isCancellation,
  sleep,
  TemporalFailure,
  workflowInfo,
  getExternalWorkflowHandle,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { SweepOrder } from '../src/benchmarks/index.ts';
import { episodeSummary, type DueCall, type SweepMonitor } from '../src/orchestration/index.ts';
import {
  FailureType,
  asResumed,
  episodeName,
  episodeWorkflowId,
  sweepWorkflowId,
  withAgentUrl,
  type EpisodeKey,
  type EpisodeSummary,
  type EvaluationConfig,
  type SweepInput,
} from '../src/evaluation/index.ts';
import type { EpisodeInput } from '../src/episode/index.ts';
import { episodes, runLog } from './activities.ts';
import { episodeAttributes } from './visibility.ts';
import type { episode } from './episode.ts';
import { halted, releaseCall } from './messages.ts';
import { StuckWatch } from './stuck-watch.ts';

/** Wait for an episode of an earlier run that is still ending: doubled from the first to the last. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;

/**
 * Opens episodes until the plan's slice, the budget or the history is full, and waits for the open ones: also when
 * the sweep is cancelled, because its episodes are being recorded then.
 */
export async function runWindow(input: SweepInput, monitor: SweepMonitor): Promise<void> {
  const { plan, config, lane } = input;
  const order = new SweepOrder(plan, config.seed);
  const end = lane?.end ?? order.length;
  const recorded = await runLog.findRecorded.executeWithOptions(
    { summary: `which of episodes ${monitor.walk.next + 1} to ${end} are recorded` },
    [{ run: input.run, plan, seed: config.seed, start: monitor.walk.next, end, ...monitor.walk.restriction }],
  );
  const skip = new Set(recorded.positions);
  const begun = new Map(Object.entries(recorded.begun ?? {}));
  // What was recorded before counts from the start; what is opened now is added as it ends.
  if (monitor.countsRecorded) monitor.add(asResumed(recorded.totals));

  const firstPosition = monitor.walk.next;
  const { continueAsNewAfter = Infinity } = input.tuning ?? {};
  const isHistoryFull = () =>
    workflowInfo().continueAsNewSuggested || monitor.walk.next - firstPosition >= continueAsNewAfter;
  // As long as an episode is open, a budget that was used up may be raised.
  const isOver = () => !monitor.hasMore() && (monitor.board.open.size === 0 || !monitor.isBudgetReached());
  const mayOpen = () => monitor.hasMore() && monitor.hasCapacity(monitor.board.open.size);
  const running: Promise<void>[] = [];
  const watch = new StuckWatch(input, monitor);
  let isDrained = false;
  const attending = attendHeldCalls(input, monitor, () => isDrained);
  try {
    for (;;) {
      while (skip.has(monitor.walk.next)) monitor.walk.next += 1;
      await condition(() => isHistoryFull() || isOver() || mayOpen());
      if (isHistoryFull() || isOver()) break;
      const key = order.at(monitor.walk.next);
      monitor.walk.next += 1;
      const name = episodeName(key);
      monitor.episodeOpened(name);
      const before = begun.get(name);
      const start = {
        ...(monitor.repeats ? { repeats: true as const } : {}),
        ...(before === undefined ? {} : { resumes: { workflowRunId: before } }),
      };
      running.push(
        runEpisode(input, key, withAgentUrl(config, monitor.settings.agentUrl), start).then((summary) =>
          monitor.episodeEnded(name, summary),
        ),
      );
    }
  } finally {
    await Promise.all(running);
    await watch.stop();
    isDrained = true;
    await attending;
  }
  // What a refusal or an outage has ended runs again when somebody resumes the run: it is not over before.
  await condition(() => monitor.settings.pausedFor === null || input.unattended === true);
}

/**
 * Runs one episode to its end, whatever that is: neither a failed nor a cancelled one fails the sweep.
 * @param start how it differs from an episode of a new run
 * @returns null when the sweep was cancelled before the episode was opened
 */
async function runEpisode(
  input: SweepInput,
  key: EpisodeKey,
  config: EvaluationConfig,
  start: Pick<EpisodeInput, 'repeats' | 'resumes'>,
): Promise<EpisodeSummary | null> {
  const { run, queues, indexed, version } = input;
  let child: EpisodeInput = {
    run,
    episode: key,
    config,
    queues,
    indexed,
    ...(version === undefined ? {} : { version }),
    ...start,
  };
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LAST_WAIT_MS)) {
    try {
      return await executeChild<typeof episode>('episode', {
        workflowId: episodeWorkflowId(run.runId, key),
        args: [child],
        parentClosePolicy: 'REQUEST_CANCEL',
        // The run log decides what is done, not the server: a namespace forgets closed workflows after its retention.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        staticSummary: episodeSummary(child),
        ...(indexed ? { typedSearchAttributes: episodeAttributes(run, config, key) } : {}),
      });
    } catch (error) {
      if (error instanceof ChildWorkflowFailure) return await failedSummary(input, error, key);
      if (error instanceof CancelledFailure) return null;
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // That of the sweep before, which has no record yet.
      child = { ...child, resumes: child.resumes ?? { workflowRunId: null } };
    }
    try {
      await sleep(waitMs);
    } catch (error) {
      if (error instanceof CancelledFailure) return null;
      throw error;
    }
  }
}

/** The summary that came with the failure, or is in the run log, or one that says all that is known. */
async function failedSummary(input: SweepInput, error: ChildWorkflowFailure, key: EpisodeKey): Promise<EpisodeSummary> {
  const { cause } = error;
  if (cause instanceof ApplicationFailure && cause.type === FailureType.EpisodeFailed) {
    const [summary] = (cause.details ?? []) as [EpisodeSummary?];
    if (summary !== undefined) return summary;
  }
  const isCancelled = isCancellation(error);
  return (
    (isCancelled ? await cancelledSummary(input, error, key) : await lostSummary(input, error, key)) ?? {
      episode: key,
      reward: 0,
      outcome: isCancelled ? 'cancelled' : 'infrastructure_error',
      error: (cause?.message ?? error.message).slice(0, 200),
      steps: 0,
      turns: 0,
      calls: 0,
      extraAttempts: 0,
      promptTokens: 0,
      completionTokens: 0,
      agentCostUsd: null,
      userCostUsd: null,
      durationMs: 0,
    }
  );
}

/**
 * The server reports of a cancelled child only that it was cancelled; what it had cost by then counts against the budget.
 * A sweep that is cancelled itself has no use for it.
 * @returns null when the episode was not recorded
 */
async function cancelledSummary(
  input: SweepInput,
  { execution }: ChildWorkflowFailure,
  episode: EpisodeKey,
): Promise<EpisodeSummary | null> {
  if (CancellationScope.current().consideredCancelled) return null;
  const workflowRunId = execution.runId ?? null;
  try {
    return await runLog.summarize.executeWithOptions({ summary: `what ${episodeName(episode)} had cost` }, [
      { run: input.run, episode, workflowRunId },
    ]);
  } catch (error) {
    // Neither a run log that cannot be read nor the sweep's being cancelled changes that the episode has ended.
    if (error instanceof TemporalFailure) return null;
    throw error;
  }
}

/**
 * An episode that has not recorded itself: it was terminated, by {@link StuckWatch} or by somebody. It is recorded here,
 * so that the run's records add up to its totals.
 * @returns null when it could not be recorded
 */
async function lostSummary(
  input: SweepInput,
  { execution, cause, message }: ChildWorkflowFailure,
  episode: EpisodeKey,
): Promise<EpisodeSummary | null> {
  const { workflowId, runId: workflowRunId } = execution;
  if (!workflowId || !workflowRunId) return null;
  const { run, config } = input;
  const lost = { run, episode, config, workflowId, workflowRunId, message: cause?.message ?? message };
  const summary = `record ${episodeName(episode)}, which could not record itself`;
  try {
    return await CancellationScope.nonCancellable(() => episodes.recordLost.executeWithOptions({ summary }, [lost]));
  } catch (error) {
    if (error instanceof TemporalFailure) return null;
    throw error;
  }
}

/**
 * Makes a sweep's held calls again when they are due, for as long as episodes are open.
 * @param isOver true if no episode is open any more; a sweep that is canceled need not attend to its held calls, as its
 *   episodes are canceled as well
 */
async function attendHeldCalls(input: SweepInput, monitor: SweepMonitor, isOver: () => boolean): Promise<void> {
  try {
    while (!isOver()) await attendOnce(input, monitor, isOver);
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}

async function attendOnce(input: SweepInput, monitor: SweepMonitor, isOver: () => boolean): Promise<void> {
  const dueAt = monitor.heldDueAt();
  if (dueAt === null) {
    await condition(() => isOver() || monitor.heldDueAt() !== null);
    return;
  }
  const waitMs = dueAt - Date.now();
  if (waitMs > 0) {
    const isSooner = () => (monitor.heldDueAt() ?? Infinity) < dueAt;
    await condition(() => isOver() || isSooner() || monitor.heldDueAt() === null, waitMs);
    return;
  }
  const reason = monitor.expireHeld();
  if (reason !== null && input.lane !== undefined) await reportHalt(input, reason);
  await Promise.all(monitor.takeHeld().map((due) => release(input, monitor, due)));
  monitor.show();
}

async function release({ run }: SweepInput, monitor: SweepMonitor, due: DueCall): Promise<void> {
  const { call, again, isAgentsFault } = due;
  const episode = getExternalWorkflowHandle(episodeWorkflowId(run.runId, call.episode));
  try {
    const { moved } = monitor.settings;
    await episode.signal(releaseCall, {
      ...{ call: call.call, again },
      ...(isAgentsFault === undefined ? {} : { isAgentsFault }),
      ...moved,
    });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    // The episode has ended meanwhile.
    monitor.held.episodeEnded(episodeName(call.episode), false, Date.now());
  }
}

/** A lane's refusal is met by the other lanes as well: their sweep pauses them all. */
export async function reportHalt({ run }: SweepInput, reason: string): Promise<void> {
  const sweep = getExternalWorkflowHandle(sweepWorkflowId(run.runId));
  try {
    await sweep.signal(halted, workflowInfo().workflowId, reason);
  } catch (error) {
    // A sweep that is being cancelled, or has ended, opens nothing more either.
    if (!(error instanceof TemporalFailure)) throw error;
  }
}
