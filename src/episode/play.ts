/** Plays an episode: opens the conversation, and lets the agent lead it to its end. */

import {
  adaptStrategy,
  findStrategy,
  serviceOptions,
  type SolveEnd,
  type Strategy,
  type StrategyDefinition,
} from '../agents/index.ts';
import { toolChanges } from '../conditions/index.ts';
import { describeValue } from '../errors/index.ts';
import { FailureType, conditionOf, type Outcome } from '../evaluation/index.ts';
import type { AgentRequests } from './agent-requests.ts';
import type { EpisodeContext } from './context.ts';
import { startEnvironment, stepTaker } from './environment-service.ts';
import { EpisodeError, toOutcome } from './failures.ts';
import type { HumanUser } from './human-user.ts';
import { modelCalls, type CallCount } from './model-calls.ts';
import { requireDefined, openSession } from './open.ts';
import type { OutsideHarness } from './outside-harness.ts';
import { ReplayedPrefix } from './replayed-prefix.ts';
import type { EpisodeSession } from './session.ts';

/** Participants of an episode other than models. */
interface Participants {
  /** The human user; absent if the user is simulated. */
  readonly person?: HumanUser;
  /** The outside harness that steps the environment; absent: none. */
  readonly outside?: OutsideHarness;
  /** Requests to the agent, if it is a service. */
  readonly agent?: AgentRequests;
}

/** An episode whose conversation has ended, possibly by an error: a model's mistake, a failure, a cancellation. */
export type PlayedEpisode = {
  /** Session of the episode; null if the simulated user never opened the conversation. */
  readonly session: EpisodeSession | null;
  /** The replayed prefix; present in a fork. */
  readonly prefix?: ReplayedPrefix;
} & ({ readonly outcome: Outcome } | { readonly error: unknown });

/** Most restarts of an episode whose agent diverged or whose environment lost it. */
const MOST_RESTARTS = 3;

/**
 * Plays an episode. It restarts from the user's first message if the agent diverges and the run allows that, or if the
 * environment service has lost calls that cannot be repeated.
 */
export async function playEpisode(context: EpisodeContext, participants: Participants): Promise<PlayedEpisode> {
  const { input, ports } = context;
  const { person, outside, agent } = participants;
  // A person is not asked the same questions again.
  const mayRestart = (person ?? outside) === undefined;
  const mayDiverge = serviceOptions(input.config.strategyOptions).agentDiverged === 'restart' && agent !== undefined;
  const calls = { agent: { calls: 0 }, user: { calls: 0 } };
  let begin = (_: EpisodeSession): void => undefined;
  for (let restarts = 0; ; restarts++) {
    const played = await playOnce(context, participants, calls, begin);
    const { session } = played;
    if (!mayRestart || restarts === MOST_RESTARTS || session === null) return played;
    const end = 'error' in played ? toOutcome(played.error, ports.readFailure(played.error)) : played.outcome;
    if (end?.kind !== 'infrastructure_error') return played;
    const isLost = end.error === FailureType.EnvironmentLost;
    if (!isLost && !(mayDiverge && end.error === FailureType.AgentDiverged)) return played;
    session.count(isLost ? 'environment_restarts' : 'agent_restarts');
    const abandoned = { request: 0, attempt: 0, ...agent?.startAnew(), diverged: end.message };
    const reason = isLost ? 'the environment has lost the episode' : 'the agent did otherwise than before';
    begin = (next) => next.succeed(session, abandoned, reason);
  }
}

/**
 * @param calls number of calls of each side's models so far
 * @param begin called with the session before the agent starts
 */
async function playOnce(
  context: EpisodeContext,
  { person, outside, agent }: Participants,
  calls: Readonly<Record<'agent' | 'user', CallCount>>,
  begin: (session: EpisodeSession) => void,
): Promise<PlayedEpisode> {
  const { input, ports } = context;
  const { config, episode } = input;
  const { strategy: name, strategyOptions } = config;
  const prefix = input.fork && new ReplayedPrefix(input.fork);
  let session: EpisodeSession | null = null;
  try {
    const found = requireDefined(findStrategy(name, strategyOptions.agentFile), `agent strategy "${name}"`);
    const strategy = adaptStrategy(found, strategyOptions, toolChanges(conditionOf(config, episode)));
    session = await openSession(input, {
      display: ports.display,
      takeStep: stepTaker(context),
      wait: ports.wait,
      started: input.config.pack.environment && (await startEnvironment(context)),
      complete: modelCalls(context, prefix, calls.agent),
      completeUser: modelCalls(context, prefix, calls.user),
      ...{ prefix, person, outside, service: agent && ((opened) => agent.createPort(opened)) },
    });
    begin(session);
    const end = await lead(context, strategy, session, prefix);
    // Only the outside harness has the environment's data, so nothing can be graded here.
    return { session, prefix, outcome: outside === undefined ? session.outcome(end) : { kind: 'decision_only' } };
  } catch (error) {
    return { session, prefix, error };
  }
}

/** Lets the agent lead the conversation to its end. */
async function lead(
  context: EpisodeContext,
  strategy: StrategyDefinition,
  session: EpisodeSession,
  prefix: ReplayedPrefix | undefined,
): Promise<SolveEnd> {
  const { version = 1, config } = context.input;
  const { strategy: name, strategyOptions } = config;
  const watched = session.watched();
  let solve: Strategy = strategy.solve;
  if (prefix?.isTakenOver === true) {
    solve = requireDefined(strategy.takeOver, `way for the agent strategy "${name}" to take over a conversation`);
    await prefix.takeSteps(watched);
  }
  const options = version === 1 ? { ...strategyOptions, isOfVersion1: true } : strategyOptions;
  const solveTask = () => solve(watched, options);
  return strategyOptions.agentFile === undefined ? await solveTask() : await solveByFile(context, solveTask);
}

/** Valid results of `solve` in an agent's file, which no compiler has checked. */
const ENDS: readonly SolveEnd[] = ['done', 'max_steps', 'decided'];

/**
 * Solves a task with a strategy from a file. A bug in the file ends the episode, because a fixed file would be another
 * agent. A bug in the program's own strategies makes the workflow wait for a fix.
 */
async function solveByFile({ input, ports }: EpisodeContext, solveTask: () => Promise<SolveEnd>): Promise<SolveEnd> {
  const broken = (what: string) =>
    new EpisodeError(`the agent ${input.config.strategy} ${what}`, FailureType.AgentBroken);
  let end: SolveEnd;
  try {
    end = await solveTask();
  } catch (error) {
    if (toOutcome(error, ports.readFailure(error)) !== undefined) throw error;
    throw broken(`has thrown ${describeValue(error)}`);
  }
  if (ENDS.includes(end)) return end;
  throw broken(`has returned ${describeValue(end)}; solve returns one of ${ENDS.join(', ')}`);
}
