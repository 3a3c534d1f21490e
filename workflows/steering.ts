/**
 * Steers a sweep under way. A wrong request is refused by the update's validator, with a reason, and leaves no
 * trace in the history; one that is answered has been carried out, and what it changed survives the sweep's continuing
 * as new.
 */

import { ApplicationFailure, CancellationScope, setHandler, workflowInfo } from '@temporalio/workflow';
import { firstNames, type SweepMonitor } from '../src/orchestration/index.ts';
import {
  FailureType,
  LIMIT_KEYS,
  MOST_TRIALS,
  episodeName,
  findLimitProblem,
  type EpisodeKey,
  type RetryRequest,
  type RunInput,
  type SweepInput,
  type SweepLimits,
  withAgentUrl,
} from '../src/evaluation/index.ts';
import { runLog } from './activities.ts';
import { reportHalt } from './window.ts';
import {
  callAnswered,
  callHeld,
  control,
  extend,
  halted,
  pause,
  progress,
  resume,
  retry,
  setLimits,
} from './messages.ts';

/** Must be called before the first `await`: messages may be there already. */
export function handleMessages(input: SweepInput, monitor: SweepMonitor): void {
  const scope = CancellationScope.current();
  const refuseLate = () => {
    if (scope.consideredCancelled) refuse('the sweep is being cancelled');
    if (monitor.isEnded) refuse('the sweep is closing: resume the run when it has ended');
  };
  const refuseInLane = () => {
    if (input.lane === undefined) return;
    refuse(`this is lane ${input.lane.index} of the sweep ${input.run.runId}: ask the sweep`);
  };
  const inTurn = turns();

  setHandler(progress, () => monitor.progress());
  setHandler(control, (wanted) => monitor.steer(wanted));
  setHandler(halted, (lane, reason) => monitor.laneHalted(lane, reason));
  setHandler(callHeld, async (call) => {
    const reason = monitor.callHeld(call);
    if (reason !== null && input.lane !== undefined) await reportHalt(input, reason);
  });
  setHandler(callAnswered, (call) => monitor.callAnswered(call));
  setHandler(pause, () => monitor.pause(true), { validator: refuseLate });
  setHandler(resume, () => monitor.pause(false), { validator: refuseLate });
  setHandler(setLimits, (limits) => monitor.limit(limits), {
    validator: (limits: SweepLimits) => {
      refuseLate();
      checkLimits(limits);
    },
  });
  setHandler(retry, (request) => inTurn(() => prepareRetry(input, monitor, request)), {
    validator: (request: RetryRequest) => {
      refuseInLane();
      refuseLate();
      checkRetry(input, monitor, request);
    },
  });
  setHandler(extend, (numTrials) => inTurn(() => extendPlan(input, monitor, numTrials)), {
    validator: (numTrials: number) => {
      refuseInLane();
      refuseLate();
      checkTrials(monitor, numTrials);
    },
  });
}

/** Requests that change the run log are carried out one after the other. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    // A failure is reported to the caller whose turn it was.
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function prepareRetry(input: SweepInput, monitor: SweepMonitor, request: RetryRequest): Promise<number> {
  const { run, config } = input;
  if (request === 'failed') {
    const { failed } = await runLog.sumRecorded.executeWithOptions({ summary: 'which episodes have failed' }, [
      { run, plan: monitor.walk.plan(), seed: config.seed },
    ]);
    // Also for none: an episode whose record could not be written has failed too.
    monitor.walk.walkAgain();
    return failed;
  }
  const episodes = [...new Map(request.map((key) => [episodeName(key), key])).values()];
  // Also when only some can be moved aside: what is missing must run again.
  monitor.walk.walkAgain(episodes);
  const counted = episodes.filter(monitor.walk.countsReached());
  const moved = await runLog.supersede.executeWithOptions({ summary: `move ${episodes.length} record(s) aside` }, [
    { run, episodes, counted },
  ]);
  monitor.remove(moved.totals);
  return episodes.length;
}

async function extendPlan(input: SweepInput, monitor: SweepMonitor, wanted: number): Promise<void> {
  // Another request may have asked for more and been handled first.
  const numTrials = Math.max(wanted, monitor.walk.numTrials);
  const { plan, ...rest } = runOf(input, monitor);
  await runLog.openRun.executeWithOptions({ summary: `extend the run to ${numTrials} trials` }, [
    { ...rest, plan: { ...plan, numTrials }, isUnderWay: true },
  ]);
  monitor.walk.numTrials = numTrials;
  monitor.walk.walkAgain();
}

function checkLimits(limits: SweepLimits): void {
  const given: SweepLimits = isObject(limits) ? limits : {};
  const { maxConcurrency, maxCostUsd, agentUrl } = given;
  const names = ['maxConcurrency', 'maxCostUsd', 'agentUrl', ...LIMIT_KEYS] as const;
  if (names.every((name) => given[name] === undefined)) {
    refuse(`nothing to change: name ${names.slice(0, -1).join(', ')} or ${String(names.at(-1))}`);
  }
  const problem = findLimitProblem(given);
  if (problem !== null) refuse(problem);
  if (agentUrl !== undefined && typeof agentUrl !== 'string') refuse('the address of the agent must be a text');
  if (maxConcurrency !== undefined) checkConcurrency(maxConcurrency);
  if (maxCostUsd === undefined || maxCostUsd === null) return;
  if (!Number.isFinite(maxCostUsd) || maxCostUsd <= 0) {
    refuse(`the budget must be an amount of US dollars above 0, not ${JSON.stringify(maxCostUsd)}`);
  }
}

function checkConcurrency(maxConcurrency: number): void {
  if (isWhole(maxConcurrency) && maxConcurrency >= 1) return;
  refuse(`the concurrency must be a whole number of at least 1, not ${JSON.stringify(maxConcurrency)}`);
}

function checkTrials({ walk: { numTrials } }: SweepMonitor, wanted: number): void {
  if (!isWhole(wanted) || wanted > MOST_TRIALS) {
    refuse(`the trials per task must be a whole number of at most ${MOST_TRIALS}, not ${JSON.stringify(wanted)}`);
  }
  if (wanted <= numTrials) refuse(`the sweep has ${numTrials} trial(s) per task already: name a larger number`);
}

function checkRetry(
  { plan }: SweepInput,
  { walk: { numTrials }, board: { open } }: SweepMonitor,
  request: RetryRequest,
): void {
  if (request === 'failed') return;
  if (!Array.isArray(request) || request.length === 0) refuse('nothing to retry: name episodes, or "failed"');
  const keys: readonly EpisodeKey[] = request;
  const wrong = keys.find((key) => !isObject(key) || !isWhole(key.taskId) || !isWhole(key.trial));
  if (wrong !== undefined) refuse(`${JSON.stringify(wrong)} names no episode: give its taskId and its trial`);
  const tasks = new Set(plan.taskIds);
  const isPlanned = ({ taskId, trial }: EpisodeKey) => tasks.has(taskId) && trial >= 0 && trial < numTrials;
  const unplanned = keys.filter((key) => !isPlanned(key)).map(episodeName);
  if (unplanned.length > 0) refuse(`not in the sweep's plan: ${firstNames(unplanned)}`);
  const isOpen = keys.map(episodeName).filter((name) => open.has(name));
  if (isOpen.length > 0) refuse(`still open: ${firstNames(isOpen)}; retry what has ended`);
}

/** Payloads are whatever a client has sent. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const isWhole = (value: unknown): boolean => Number.isInteger(value);

function refuse(reason: string): never {
  throw ApplicationFailure.nonRetryable(reason, FailureType.BadRequest);
}

/** The run as the sweep has it now: steering may have changed its plan and its limits. */
export function runOf({ run, config, notes }: SweepInput, { walk, settings }: SweepMonitor): RunInput {
  const { maxConcurrency, maxCostUsd } = settings;
  const { workflowId } = workflowInfo();
  const own = notes === undefined ? {} : { notes };
  return {
    run,
    config: withAgentUrl(config, settings.agentUrl),
    plan: walk.plan(),
    maxConcurrency,
    maxCostUsd,
    workflowId,
    ...own,
  };
}
