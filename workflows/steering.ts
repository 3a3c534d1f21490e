/**
 * Messages that steer a sweep in progress. The update's validator refuses a wrong request with a reason, and leaves no
 * trace in the history. An answered request has been carried out, and its changes survive the sweep's continuing as
 * new.
 */

import { setHandler } from '@temporalio/workflow';
import type { SweepMonitor, SweepPorts, SweepRequests } from '../src/orchestration/index.ts';
import type { RetryRequest, SweepInput, SweepLimits } from '../src/evaluation/index.ts';
import { failOnProblem } from './failures.ts';
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

/** Sets the handlers. Call it before the first `await`, because messages may be there already. */
export function handleMessages(
  { lane }: SweepInput,
  monitor: SweepMonitor,
  requests: SweepRequests,
  { reportHalt }: Pick<SweepPorts, 'reportHalt'>,
): void {
  setHandler(progress, () => monitor.progress());
  setHandler(control, (wanted) => monitor.steer(wanted));
  setHandler(halted, (workflowId, reason) => monitor.laneHalted(workflowId, reason));
  setHandler(callHeld, async (call) => {
    const reason = monitor.callHeld(call);
    if (reason !== null && lane !== undefined) await reportHalt(reason);
  });
  setHandler(callAnswered, (call) => monitor.callAnswered(call));
  const refuseLate = () => failOnProblem(requests.findLateness());
  setHandler(pause, () => monitor.pause(true), { validator: refuseLate });
  setHandler(resume, () => monitor.pause(false), { validator: refuseLate });
  setHandler(setLimits, (limits) => monitor.limit(limits), {
    validator: (limits: SweepLimits) => failOnProblem(requests.findLimitsProblem(limits)),
  });
  setHandler(retry, (request) => requests.retry(request), {
    validator: (request: RetryRequest) => failOnProblem(requests.findRetryProblem(request)),
  });
  setHandler(extend, (numTrials) => requests.extend(numTrials), {
    validator: (numTrials: number) => failOnProblem(requests.findTrialsProblem(numTrials)),
  });
}
