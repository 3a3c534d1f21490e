/** Messages of those who take part in an episode from outside: its sweep, a human user, an outside harness, an agent service. */

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
import { refuse } from './failures.ts';
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

// All of these must be called before the workflow's first await, so that no message comes too early.

export function humanUser(input: EpisodeInput, deadline: Deadline): HumanUser {
  const user = new HumanUser(input, waiting(deadline));
  setHandler(conversation, () => user.conversation);
  setHandler(answer, (given) => user.answer(given), {
    validator: (given: HumanAnswer) => refuse(user.findProblem(given)),
  });
  return user;
}

export function outsideHarness(deadline: Deadline): OutsideHarness {
  const harness = new OutsideHarness(waiting(deadline));
  setHandler(openAction, () => harness.openAction);
  setHandler(observe, (given) => harness.observe(given), {
    validator: (given: OutsideObservation) => refuse(harness.findProblem(given)),
  });
  return harness;
}

/** @returns undefined for an episode without a sweep, whose failures end it */
export function callHolder(input: EpisodeInput, deadline: Deadline): CallHolder | undefined {
  const { parent } = workflowInfo();
  if (parent === undefined) return undefined;
  const sweep = getExternalWorkflowHandle(parent.workflowId);
  const holder = new CallHolder(input, waiting(deadline), {
    reportHeld: (call) => wasSent(() => sweep.signal(callHeld, call)),
    reportAnswered: (call) => wasSent(() => sweep.signal(callAnswered, call)),
  });
  setHandler(releaseCall, (release) => holder.release(release));
  return holder;
}

export function agentService(context: EpisodeContext): AgentRequests {
  const calls = new AgentCalls(context);
  const requests = new AgentRequests(context, calls);
  // A call of an attempt that was lost may be under way when the episode ends.
  const unfinishedPolicy = 'ABANDON';
  setHandler(toolCall, (call) => calls.takeToolCall(call), { unfinishedPolicy });
  setHandler(modelCall, (call) => calls.takeModelCall(call), { unfinishedPolicy });
  setHandler(callResult, (name) => calls.findResult(name));
  setHandler(callTranscript, (call) => calls.findTranscript(call));
  return requests;
}

/** A wait needs no timer and no worker: the message that ends it is an update. */
function waiting(deadline: Deadline): WaitingDisplay {
  return { ...display, until: (isMet) => deadline.uncounted(() => condition(isMet)) };
}

/** @returns false when there is no workflow any more that could be sent a signal */
async function wasSent(signal: () => Promise<void>): Promise<boolean> {
  try {
    await signal();
    return true;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    return false;
  }
}
