/**
 * One task, one trial. The agent's strategy and the simulated user are plain deterministic code; whatever they ask
 * for is an activity. When the conversation has ended it is graded and recorded, and a summary goes up.
 */

import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import {
  agentSentence,
  asToolCalls,
  findOwnStrategy,
  findStrategy,
  serviceOptions,
  type SolveEnd,
  type Strategy,
  type StrategyDefinition,
} from '../src/agents/index.ts';
import { benchmarkOf, undecidedSentences } from '../src/benchmarks/index.ts';
import { describeValue } from '../src/errors/index.ts';
import { failureText } from '../src/orchestration/index.ts';
import { HUMAN, OUTSIDE } from '../src/agents/users/index.ts';
import {
  AGENT_SERVICE,
  FailureType,
  TranscriptSender,
  costOfEpisode,
  otherWorkerNeeded,
  refuseNewer,
  type EpisodeSummary,
  type Outcome,
} from '../src/evaluation/index.ts';
import {
  UsageLedger,
  type EpisodeInput,
  ReplayedPrefix,
  known,
  openSession,
  type EpisodeSession,
  type HumanUser,
  type OutsideHarness,
  type Surroundings,
} from '../src/episode/index.ts';
import { environment } from './activities.ts';
import { display, humanUser, outsideHarness } from './waiting.ts';
import { ServiceCaller } from './agent-service.ts';
import { conclude, grade, rewardOf, type Graded, type Played } from './conclude.ts';
import { CallHolder, modelCalls, type CallCount } from './model-calls.ts';
import { judgeSentences } from './sentence-judge.ts';
import { Deadline } from './deadline.ts';
import { TauOutcome, TauReward, costAttribute } from './visibility.ts';
import { outcomeOf } from './failures.ts';

/**
 * @returns the summary of an episode that ended by the agent's or the user's doing
 * @throws ApplicationFailure `EpisodeFailed`, with the summary as first detail, when infrastructure ended it, so that
 * it shows as failed and may be run again; the cancellation, when it was cancelled. Both are recorded first.
 */
export async function episode(input: EpisodeInput): Promise<EpisodeSummary> {
  refuseNewer(input);
  refuseMissingAgent(input.config);
  const startedAt = Date.now();
  const played = await play(input);
  const graded = await judged(input, played, await CancellationScope.nonCancellable(() => grade(input, played)));
  const { summary, message } = await CancellationScope.nonCancellable(() => conclude(input, played, graded, startedAt));
  if (input.indexed) publish(summary);
  switch (summary.outcome) {
    case 'infrastructure_error':
      throw ApplicationFailure.create({
        type: FailureType.EpisodeFailed,
        message: failureText(input, message),
        nonRetryable: true,
        details: [summary],
      });
    case 'cancelled':
      throw new CancelledFailure('the episode was cancelled', [summary]);
    case 'user_stop':
    case 'transferred':
    case 'max_steps':
    case 'agent_stop':
    case 'agent_error':
    case 'decision_only':
      return summary;
  }
}

/** A grade with the verdicts of the run's judge, where it has one and the task has sentences. */
async function judged({ config }: EpisodeInput, { session, judge }: Played, graded: Graded): Promise<Graded> {
  const { grade: given } = graded;
  const { judging, fromInfo, toInfo } = benchmarkOf(config.env).grading;
  if (session === null || judge === undefined || judging === undefined || given?.kind !== 'graded') return graded;
  const undecided = fromInfo(given.info);
  if (undecidedSentences(undecided).length === 0) return graded;
  try {
    const form = findStrategy(config.strategy, config.strategyOptions.agentFile)?.form;
    const decided = await judgeSentences(judging, judge, asToolCalls(session.trajectory, form), undecided);
    return { ...graded, reward: rewardOf(config, decided), grade: { kind: 'graded', info: toInfo(decided) } };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return { ...graded, outcome: { kind: 'cancelled' }, reward: 0, grade: null };
  }
}

/**
 * An agent from a file is in the sandbox of those workers alone that were given the same file.
 * @throws Error, not a failure: it fails the workflow task, which another worker takes, and nothing is lost
 */
function refuseMissingAgent({ strategy, strategyOptions: { agentFile } }: EpisodeInput['config']): void {
  if (agentFile === undefined || findOwnStrategy(agentFile) !== undefined) return;
  throw otherWorkerNeeded(`this worker has no ${agentSentence(strategy, agentFile)}`);
}

/** Lets the agent solve the task, within the episode's deadline. */
async function play(input: EpisodeInput): Promise<Played> {
  const { config } = input;
  const sender = new TranscriptSender(input.repeats);
  const ledger = new UsageLedger();
  const deadline = new Deadline(config.episodeTimeoutMs);
  const person = config.userStrategy === HUMAN ? humanUser(input, deadline) : undefined;
  const outside = config.userStrategy === OUTSIDE ? outsideHarness(deadline) : undefined;
  const holder = CallHolder.of(input, deadline);
  const service = config.strategy === AGENT_SERVICE ? new ServiceCaller({ input, sender, ledger, holder }) : undefined;
  const isStoppable = person !== undefined || outside !== undefined || holder !== undefined;
  const stage = { sender, ledger, person, outside, holder, service, userCalls: { calls: 0 } };
  const { session, kept, ...end } = await deadline.run(() => solveOrStartAnew(input, stage), isStoppable);
  const outcome = 'error' in end ? endedByError(end.error, deadline, config.episodeTimeoutMs) : end.outcome;
  const judge = config.judgeModel && modelCalls(input, sender, ledger, undefined, holder);
  return { outcome, session, sender, ledger, kept, ...(judge === undefined ? {} : { judge }) };
}

/**
 * Maps an error to the outcome. An activity that was cancelled may fail or time out with its worker: the cancellation
 * counts.
 * @throws the error itself when it is a bug: the workflow task then fails, and continues when the bug is fixed
 */
function endedByError(error: unknown, deadline: Deadline, episodeTimeoutMs: number): Outcome {
  const outcome = outcomeOf(error);
  if (outcome === undefined && !isCancellation(error)) throw error;
  if (outcome?.kind === 'agent_error') return outcome;
  if (CancellationScope.current().consideredCancelled) return { kind: 'cancelled' };
  if (deadline.passed) {
    const message = `the episode was worked on for ${episodeTimeoutMs / 1000} s and did not end`;
    return { kind: 'infrastructure_error', error: 'EpisodeDeadline', message };
  }
  return outcome ?? { kind: 'cancelled' };
}

/** Search attributes are set once, at the end: each upsert is an event and a write to the visibility store. */
function publish(summary: EpisodeSummary): void {
  upsertSearchAttributes([
    { key: TauReward, value: summary.reward },
    { key: TauOutcome, value: summary.outcome },
    costAttribute(costOfEpisode(summary)),
  ]);
}

/** Result of a file's `solve`, which no compiler has checked. */
const ENDS: readonly SolveEnd[] = ['done', 'max_steps', 'decided'];

interface Stage {
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  /** Present in a fork. */
  readonly kept: ReplayedPrefix | undefined;
  /** Present if the user is human. */
  readonly person?: HumanUser | undefined;
  /** Present if an outside harness steps the environment. */
  readonly outside?: OutsideHarness | undefined;
  /** Present if the episode has a sweep. */
  readonly holder?: CallHolder | undefined;
  /** Present if the agent is a service. */
  readonly service?: ServiceCaller | undefined;
  /** Calls of the user's model, of an episode that may begin anew. */
  readonly userCalls?: CallCount;
  /** Called with the session before the agent gets it. */
  readonly begin?: (session: EpisodeSession) => void;
}

/** End of a conversation; its session is null where the simulated user never opened it. */
type Solved = { readonly session: EpisodeSession | null } & (
  { readonly outcome: Outcome } | { readonly error: unknown }
);

/** Times that an episode begins anew because its agent has diverged. */
const MOST_RESTARTS = 3;

/** Solves the task; where the agent diverges and the run allows it, once more from the user's first message on. */
async function solveOrStartAnew(
  input: EpisodeInput,
  stage: Omit<Stage, 'kept' | 'begin'>,
): Promise<Solved & Pick<Stage, 'kept'>> {
  const { person, outside, service } = stage;
  // A person is not asked for the same again.
  const mayRestart =
    serviceOptions(input.config.strategyOptions).agentDiverged === 'restart' && (person ?? outside) === undefined;
  let begin = (_: EpisodeSession): void => undefined;
  for (let restarts = 0; ; restarts++) {
    const kept = input.fork === undefined ? undefined : new ReplayedPrefix(input.fork);
    const solved = await solve(input, { ...stage, kept, begin });
    const { session } = solved;
    if (!mayRestart || restarts === MOST_RESTARTS || session === null || service === undefined)
      return { ...solved, kept };
    const end = 'error' in solved ? outcomeOf(solved.error) : solved.outcome;
    if (end?.kind !== 'infrastructure_error' || end.error !== FailureType.AgentDiverged) return { ...solved, kept };
    session.count('agent_restarts');
    const abandoned = { ...service.startAnew(), diverged: end.message };
    begin = (next) => next.succeed(session, abandoned);
  }
}

/** @returns the session also with the error that has ended the episode: a model's mistake, a failure, a cancellation */
export async function solve(input: EpisodeInput, stage: Stage): Promise<Solved> {
  const { strategy: name, strategyOptions } = input.config;
  let session: EpisodeSession | null = null;
  try {
    const strategy = known(findStrategy(name, strategyOptions.agentFile), `agent strategy "${name}"`);
    session = await openSession(input, surroundingsOf(input, stage));
    stage.begin?.(session);
    return { session, outcome: await lead(strategy, input, session, stage) };
  } catch (error) {
    return { session, error };
  }
}

function surroundingsOf(input: EpisodeInput, stage: Stage): Surroundings {
  const { sender, ledger, kept, person, outside, holder, service, userCalls } = stage;
  return {
    display,
    takeStep: (summary, step) => environment.step.executeWithOptions({ summary }, [step]),
    complete: modelCalls(input, sender, ledger, kept, holder),
    completeUser: modelCalls(input, sender, ledger, kept, holder, userCalls),
    ...{ prefix: kept, person, outside, service: service && ((session) => service.of(session)) },
  };
}

/** Lets the agent lead the conversation to its end. */
async function lead(
  strategy: StrategyDefinition,
  { config: { strategy: name, strategyOptions }, version = 1 }: EpisodeInput,
  session: EpisodeSession,
  { kept, outside }: Stage,
): Promise<Outcome> {
  const watched = session.watched();
  let solveTask: Strategy = strategy.solve;
  if (kept?.isTakenOver === true) {
    solveTask = known(strategy.takeOver, `way for the agent strategy "${name}" to take over a conversation`);
    await kept.takeSteps(watched);
  }
  const options = strategy.optionsOfVersion?.(version, strategyOptions) ?? strategyOptions;
  const play = () => solveTask(watched, options);
  const end = strategyOptions.agentFile === undefined ? await play() : await playFromFile(name, play);
  // Whoever steps the environment has its data, so nothing can be graded here.
  return outside === undefined ? session.outcome(end) : { kind: 'decision_only' };
}

/**
 * A bug in a file ends the episode: the workflow would wait for its fix, and a fixed file is another agent. That of
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
