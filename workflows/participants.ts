/**
 * Messages of those who take part in an episode from outside: its sweep, a human user, an outside harness, an agent
 * service.
 *
 * The functions that set up the handlers must be called before the workflow's first await, so that no message comes too
 * early.
 */

import {
  TemporalFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  AgentCalls,
  AgentRequests,
  CallHolder,
  HumanUser,
  OutsideHarness,
  type HumanAnswer,
  type Deadline,
  type EpisodeContext,
  type EpisodeInput,
  type OutsideObservation,
  type WaitingDisplay,
} from '../src/episode/index.ts';
import { display } from './activities.ts';
import { failOnProblem } from './failures.ts';
import {
  answer,
  callAnswered,
  callHeld,
  callResult,
  callTranscript,
  conversation,
  modelCall,
  observe,
  openAction,
  releaseCall,
  toolCall,
} from './messages.ts';

export function createHumanUser(input: EpisodeInput, deadline: Deadline): HumanUser {
  const user = new HumanUser(input, withDeadline(deadline));
  setHandler(conversation, () => user.conversation);
  setHandler(answer, (given) => user.answer(given), {
    validator: (given: HumanAnswer) => failOnProblem(user.findProblem(given)),
  });
  return user;
}

export function outsideHarness(deadline: Deadline): OutsideHarness {
  const harness = new OutsideHarness(withDeadline(deadline));
  setHandler(openAction, () => harness.openAction);
  setHandler(observe, (given) => harness.observe(given), {
    validator: (given: OutsideObservation) => failOnProblem(harness.findProblem(given)),
  });
  return harness;
}

/** @returns undefined for an episode without a sweep; a failed call then ends it */
export function callHolder(input: EpisodeInput, deadline: Deadline): CallHolder | undefined {
  const { parent } = workflowInfo();
  if (parent === undefined) return undefined;
  const sweep = getExternalWorkflowHandle(parent.workflowId);
  const holder = new CallHolder(input, withDeadline(deadline), {
    reportHeld: (call) => wasSent(() => sweep.signal(callHeld, call)),
    reportAnswered: (call) => wasSent(() => sweep.signal(callAnswered, call)),
  });
  setHandler(releaseCall, (release) => holder.release(release));
  return holder;
}

export function agentService(context: EpisodeContext): AgentRequests {
  const calls = new AgentCalls(context);
  const requests = new AgentRequests(context, calls);
  // A call of a lost attempt may still be open when the episode ends.
  const unfinishedPolicy = 'ABANDON';
  setHandler(toolCall, (call) => calls.takeToolCall(call), { unfinishedPolicy });
  setHandler(modelCall, (call) => calls.takeModelCall(call), { unfinishedPolicy });
  setHandler(callResult, (name) => calls.findResult(name));
  setHandler(callTranscript, (call) => calls.findTranscript(call));
  return requests;
}

/** Waits without a timer or a worker, because the message that ends the wait is an update. */
function withDeadline(deadline: Deadline): WaitingDisplay {
  return { ...display, until: (isMet) => deadline.uncounted(() => condition(isMet)) };
}

/** @returns false if the workflow that should get the signal no longer exists */
async function wasSent(signal: () => Promise<void>): Promise<boolean> {
  try {
    await signal();
    return true;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    return false;
  }
}
