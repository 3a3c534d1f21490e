/** The conversation of an episode: the customer opens it, and the agent's strategy leads it to an end. */

import { ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { findStrategy, type SolveEnd, type Strategy } from '../src/agents/index.ts';
import { findUserStrategy, type UserSimulator } from '../src/users/index.ts';
import {
  FailureType,
  describeValue,
  hasVersion,
  type EpisodeInput,
  type Outcome,
  type TranscriptSender,
  type UsageLedger,
} from '../src/wire/index.ts';
import type { CallHolder } from './call-holder.ts';
import { outcomeOf } from './failures.ts';
import type { KeptSteps } from './kept-steps.ts';
import { modelCalls } from './model-calls.ts';
import type { Person } from './person.ts';
import { correctedUser, EpisodeSession } from './session.ts';

/** What a file's `solve` may return: no compiler has seen to it. */
const ENDS: readonly SolveEnd[] = ['done', 'max_steps', 'decided'];

export interface Stage {
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  /** Of a fork. */
  readonly kept: KeptSteps | undefined;
  /** Where a person is the user. */
  readonly person?: Person | undefined;
  /** Of an episode that has a sweep. */
  readonly holder?: CallHolder | undefined;
}

/**
 * @param opened is given the session as soon as there is one, because an episode that fails has one too
 * @throws whatever ends an episode otherwise: a model's mistake, an activity's failure, a cancellation
 */
export async function solve(
  input: EpisodeInput,
  { sender, ledger, kept, person, holder }: Stage,
  opened: (session: EpisodeSession) => void,
): Promise<Outcome> {
  const { strategy: name, strategyOptions, userStrategy } = input.config;
  const strategy = known(findStrategy(name, strategyOptions.agentFile), `agent strategy "${name}"`);
  const user = known(
    findUserStrategy(userStrategy),
    `user strategy "${userStrategy}"`,
  )({
    complete: modelCalls(input, sender, ledger, kept, holder),
    person: (said) => known(person, `person in the place of the user strategy "${userStrategy}"`).ask(said),
    compat: strategyOptions.compat ?? [],
  });
  const complete = modelCalls(input, sender, ledger, kept, holder);
  const session = new EpisodeSession(input, complete, user, await openingOf(user, kept), kept);
  opened(session);
  const watched = session.watched();
  let lead: Strategy = strategy.solve;
  if (kept?.isTakenOver === true) {
    lead = known(strategy.takeOver, `way for the agent strategy "${name}" to take over a conversation`);
    await kept.takeSteps(watched);
  }
  const options = hasVersion(input, 4) ? strategyOptions : { ...strategyOptions, asOfVersion: 3 };
  const play = () => lead(watched, options);
  const end = strategyOptions.agentFile === undefined ? await play() : await playFromFile(name, play);
  return outcomeOfEnd(end, session);
}

/**
 * A bug in a file ends the episode: the workflow would wait for its mending, and a mended file is another agent. That of
 * the program's own strategies does wait.
 */
async function playFromFile(name: string, play: () => Promise<SolveEnd>): Promise<SolveEnd> {
  const broken = (what: string) =>
    ApplicationFailure.nonRetryable(`the agent ${name} ${what}`, FailureType.AgentBroken);
  let end: SolveEnd;
  try {
    end = await play();
  } catch (error) {
    if (outcomeOf(error) !== undefined || isCancellation(error)) throw error;
    throw broken(`has thrown ${describeValue(error)}`);
  }
  if (ENDS.includes(end)) return end;
  throw broken(`has returned ${describeValue(end)}; solve returns one of ${ENDS.join(', ')}`);
}

async function openingOf(user: UserSimulator, kept: KeptSteps | undefined): Promise<string> {
  const said = await user.open();
  kept?.opened();
  const correction = kept?.correctionOf(0);
  return correction === undefined ? said : correctedUser(user, correction);
}

function outcomeOfEnd(end: SolveEnd, { endedBy }: EpisodeSession): Outcome {
  if (end === 'max_steps') return { kind: 'max_steps' };
  if (end === 'decided') return { kind: 'decision_only' };
  return endedBy === 'user' ? { kind: 'user_stop' } : { kind: 'transferred' };
}

/** @throws ApplicationFailure when this worker's code is not that of the command which started the run */
function known<T>(found: T | undefined, what: string): T {
  if (found !== undefined) return found;
  throw ApplicationFailure.nonRetryable(
    `this worker knows no ${what}; start a worker of the same version`,
    FailureType.BadRequest,
  );
}
