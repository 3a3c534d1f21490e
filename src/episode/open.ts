/** Opens an episode's conversation, and chooses the participants that take the agent's steps. */

import type { Message, ServicePort } from '../agents/index.ts';
import { findUserStrategy } from '../agents/users/index.ts';
import { getBenchmark } from '../benchmarks/pure.ts';
import { EpisodeCondition } from '../conditions/index.ts';
import { FailureType, conditionOf } from '../evaluation/index.ts';
import type { StartOutput } from './environment.ts';
import { EpisodeEnvironment, type TakeStep } from './episode-environment.ts';
import { EpisodeError } from './failures.ts';
import type { HumanUser } from './human-user.ts';
import type { EpisodeInput } from './input.ts';
import type { OutsideHarness } from './outside-harness.ts';
import type { Display, ModelCall } from './ports.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';
import { EpisodeSession } from './session.ts';
import { EnvironmentSteps, LastWords, UserSteps, openConversation } from './takers.ts';
import { UserCalls } from './user-calls.ts';

/** Ports and participants for opening an episode. */
export interface OpeningParts {
  readonly display: Display;
  readonly takeStep: TakeStep;
  /** Waits before a call that a condition delays. */
  readonly wait: (ms: number) => Promise<void>;
  /** The environment service's answer to the episode's start; absent for a pack without one. */
  readonly started?: StartOutput | undefined;
  /** Makes the agent's model calls. */
  readonly complete: ModelCall;
  /** Makes the model calls of the simulated user. */
  readonly completeUser: ModelCall;
  /** The replayed prefix; present in a fork. */
  readonly prefix?: ReplayedPrefix | undefined;
  /** The human user; absent if the user is simulated. */
  readonly person?: HumanUser | undefined;
  /** The outside harness that steps the environment; absent: none. */
  readonly outside?: OutsideHarness | undefined;
  /** Creates the port of an agent service; absent for other agents. */
  readonly service?: ((session: EpisodeSession) => ServicePort) | undefined;
}

/** Lets the user, or the outside harness, open the conversation. */
export async function openSession(input: EpisodeInput, surroundings: OpeningParts): Promise<EpisodeSession> {
  const { display, takeStep, wait, complete, completeUser, prefix, person, outside, service, started } = surroundings;
  const { version = 1 } = input;
  const { env, userStrategy, maxSteps, pack } = input.config;
  const { firstMessage, life } = started ?? {};
  const rules = getBenchmark(env).openRules({ maxSteps, rules: pack.environment?.rules, greeting: firstMessage });
  const environment = new EpisodeEnvironment(input, takeStep, life);
  const { writes } = environment;
  const trajectory: Message[] = [];
  const parts = { rules, complete, trajectory, writes, life, display, prefix, service };
  if (outside !== undefined) {
    const opening = await outside.open();
    openConversation(rules, opening);
    return new EpisodeSession(input, { ...parts, takers: { calls: outside, messages: outside } }, opening);
  }
  const ref = conditionOf(input.config, input.episode);
  const condition = ref && new EpisodeCondition(ref, input.episode);
  const steps = new EnvironmentSteps({ rules, environment, prefix, condition, wait });
  if (!rules.hasUser) {
    prefix?.opened();
    return new EpisodeSession(
      input,
      { ...parts, takers: { calls: steps, messages: new LastWords(rules) } },
      firstMessage ?? '',
    );
  }
  const calls = rules.hasUserTools ? new UserCalls(rules, environment, trajectory) : undefined;
  const user = requireDefined(
    findUserStrategy(userStrategy),
    `user strategy "${userStrategy}"`,
  )({
    complete: completeUser,
    person: (said) => requireDefined(person, `person in the place of the user strategy "${userStrategy}"`).ask(said),
    ...(calls === undefined ? {} : { tools: calls }),
  });
  const messages = new UserSteps({ rules, user, calls, prefix, refusesSilence: version >= 3 });
  const isGiven = version >= 4 && pack.environment?.rules === 'tau-bench';
  const opening = await messages.open(isGiven ? firstMessage : undefined);
  const takers = { calls: steps, messages };
  return new EpisodeSession(input, { ...parts, takers }, opening);
}

/** @throws EpisodeError if this worker's code differs from that of the command that started the run */
export function requireDefined<T>(found: T | undefined, what: string): T {
  if (found !== undefined) return found;
  throw new EpisodeError(`this worker knows no ${what}; start a worker of the same version`, FailureType.BadRequest);
}
