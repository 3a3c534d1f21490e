/** Messages of those who take an episode's steps from outside: a human user's answers, and an outside harness's observations. */

import { ApplicationFailure, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import {
  HumanUser,
  OutsideHarness,
  type Answer,
  type Display,
  type EpisodeInput,
  type OutsideObservation,
  type Waiting,
} from '../src/episode/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import type { Deadline } from './deadline.ts';
import { answer, conversation, observe, openAction } from './messages.ts';

export const display: Display = { now: () => Date.now(), show: (markdown) => setCurrentDetails(markdown) };

/** Must be called before the workflow's first await, so that no message comes too early. */
export function humanUser(input: EpisodeInput, deadline: Deadline): HumanUser {
  const user = new HumanUser(input, waiting(deadline));
  setHandler(conversation, () => user.conversation);
  setHandler(answer, (given) => user.answer(given), { validator: (given: Answer) => refuse(user.findProblem(given)) });
  return user;
}

/** Must be called before the workflow's first await, so that no message comes too early. */
export function outsideHarness(deadline: Deadline): OutsideHarness {
  const harness = new OutsideHarness(waiting(deadline));
  setHandler(openAction, () => harness.openAction);
  setHandler(observe, (given) => harness.observe(given), {
    validator: (given: OutsideObservation) => refuse(harness.findProblem(given)),
  });
  return harness;
}

/** A wait needs no timer and no worker: the message that ends it is an update. */
function waiting(deadline: Deadline): Waiting {
  return { ...display, until: (isMet) => deadline.uncounted(() => condition(isMet)) };
}

function refuse(problem: string | null): void {
  if (problem !== null) throw ApplicationFailure.nonRetryable(problem, FailureType.BadRequest);
}
