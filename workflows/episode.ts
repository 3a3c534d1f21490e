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
  workflowInfo,
} from '@temporalio/workflow';
import {
  agentSentence,
  findOwnStrategy,
  findStrategy,
  type SolveEnd,
  type Strategy,
  type StrategyDefinition,
} from '../src/agents/index.ts';
import { failureText } from '../src/orchestration/index.ts';
import { HUMAN, OUTSIDE, findUserStrategy, type UserSimulator } from '../src/users/index.ts';
import {
  FailureType,
  TranscriptSender,
  UsageLedger,
  describeValue,
  otherWorkerNeeded,
  refuseNewer,
  type EpisodeInput,
  type EpisodeSummary,
  type Outcome,
  isAgentRole,
  isUserRole,
  sumUsage,
  type GradeOutput,
  type TranscriptDelta,
} from '../src/wire/index.ts';
import { CallHolder, modelCalls, sendTranscript } from './model-calls.ts';
import { Deadline } from './deadline.ts';
import { TauOutcome, TauReward, costAttribute } from './visibility.ts';
import { outcomeOf } from './failures.ts';
import { OutsideEnvironment } from './outside.ts';
import { ReplayedPrefix } from './replayed-prefix.ts';
import { HumanUser, EpisodeSession, correctedUser } from './session.ts';
import { environment, episodeLog } from './activities.ts';

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
  const { summary, message } = await CancellationScope.nonCancellable(() => conclude(input, played, startedAt));
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
    case 'agent_error':
    case 'decision_only':
      return summary;
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
  const kept = input.fork === undefined ? undefined : new ReplayedPrefix(input.fork);
  const deadline = new Deadline(config.episodeTimeoutMs);
  const person = config.userStrategy === HUMAN ? new HumanUser(input, deadline) : undefined;
  const outside = config.userStrategy === OUTSIDE ? new OutsideEnvironment(deadline) : undefined;
  const holder = CallHolder.of(input, deadline);
  const isStoppable = person !== undefined || outside !== undefined || holder !== undefined;
  const stage = { sender, ledger, kept, person, outside, holder };
  const { session, ...end } = await deadline.run(() => solve(input, stage), isStoppable);
  const outcome = 'error' in end ? endedByError(end.error, deadline, config.episodeTimeoutMs) : end.outcome;
  return { outcome, session, sender, ledger, kept };
}

/**
 * Whatever an activity makes of being cancelled (it may fail, or time out with its worker), it ended because of that.
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
  const { agentCostUsd, userCostUsd } = summary;
  upsertSearchAttributes([
    { key: TauReward, value: summary.reward },
    { key: TauOutcome, value: summary.outcome },
    costAttribute(agentCostUsd === null || userCostUsd === null ? null : agentCostUsd + userCostUsd),
  ]);
}

/** Result of a file's `solve`, which no compiler has checked. */
const ENDS: readonly SolveEnd[] = ['done', 'max_steps', 'decided'];

interface Stage {
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  /** Of a fork. */
  readonly kept: ReplayedPrefix | undefined;
  /** Present if the user is human. */
  readonly person?: HumanUser | undefined;
  /** Present if an outside harness steps the environment. */
  readonly outside?: OutsideEnvironment | undefined;
  /** Of an episode that has a sweep. */
  readonly holder?: CallHolder | undefined;
}

/** End of a conversation; its session is null where the simulated user never opened it. */
type Solved = { readonly session: EpisodeSession | null } & (
  { readonly outcome: Outcome } | { readonly error: unknown }
);

/** @returns the session also with the error that has ended the episode: a model's mistake, a failure, a cancellation */
export async function solve(input: EpisodeInput, stage: Stage): Promise<Solved> {
  const { strategy: name, strategyOptions } = input.config;
  let session: EpisodeSession | null = null;
  try {
    const strategy = known(findStrategy(name, strategyOptions.agentFile), `agent strategy "${name}"`);
    session = await openSession(input, stage);
    return { session, outcome: await lead(strategy, input, session, stage) };
  } catch (error) {
    return { session, error };
  }
}

/** Lets the simulated user, or the outside harness, open the conversation. */
async function openSession(input: EpisodeInput, stage: Stage): Promise<EpisodeSession> {
  const { sender, ledger, kept, person, outside, holder } = stage;
  const { strategyOptions, userStrategy } = input.config;
  const complete = modelCalls(input, sender, ledger, kept, holder);
  const simulate = () =>
    known(
      findUserStrategy(userStrategy),
      `user strategy "${userStrategy}"`,
    )({
      complete: modelCalls(input, sender, ledger, kept, holder),
      person: (said) => known(person, `person in the place of the user strategy "${userStrategy}"`).ask(said),
      compat: strategyOptions.compat ?? [],
    });
  const user = outside ?? simulate();
  const opening = user instanceof OutsideEnvironment ? await user.open() : await openingOf(user, kept);
  return new EpisodeSession(input, complete, user, opening, kept);
}

/** Lets the agent lead the conversation to its end. */
async function lead(
  strategy: StrategyDefinition,
  { config: { strategy: name, strategyOptions } }: EpisodeInput,
  session: EpisodeSession,
  { kept, outside }: Stage,
): Promise<Outcome> {
  const watched = session.watched();
  let solveTask: Strategy = strategy.solve;
  if (kept?.isTakenOver === true) {
    solveTask = known(strategy.takeOver, `way for the agent strategy "${name}" to take over a conversation`);
    await kept.takeSteps(watched);
  }
  const play = () => solveTask(watched, strategyOptions);
  const end = strategyOptions.agentFile === undefined ? await play() : await playFromFile(name, play);
  // Whoever steps the environment has its data, so nothing can be graded here.
  return outside === undefined ? outcomeOfEnd(end, session) : { kind: 'decision_only' };
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

async function openingOf(user: UserSimulator, kept: ReplayedPrefix | undefined): Promise<string> {
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

/** A summary stays small: error texts are cut to this many characters. */
const ERROR_CHARS = 200;

/** An episode whose conversation has ended. */
interface Played {
  readonly outcome: Outcome;
  /** Null when the simulated user never opened the conversation. */
  readonly session: EpisodeSession | null;
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  /** Of a fork. */
  readonly kept: ReplayedPrefix | undefined;
}

interface Concluded {
  readonly summary: EpisodeSummary;
  /** The outcome's message where it has one, else its kind. */
  readonly message: string;
}

/** Grades and records an episode, and sums it up. */
async function conclude(input: EpisodeInput, played: Played, startedAt: number): Promise<Concluded> {
  const graded = await grade(input, played);
  const endedAt = Date.now();
  const unrecorded = await record(input, played, graded, startedAt, endedAt);
  const { outcome, reward } = unrecorded ?? graded;
  const message = 'message' in outcome ? outcome.message : outcome.kind;
  const roles = played.ledger.roles();
  const { calls, extraAttempts, promptTokens, completionTokens } = sumUsage(roles);
  const summary: EpisodeSummary = {
    episode: input.episode,
    reward,
    outcome: outcome.kind,
    error: 'message' in outcome ? message.slice(0, ERROR_CHARS) : null,
    ...(outcome.kind === 'infrastructure_error' ? { fault: outcome.error } : {}),
    steps: played.session?.steps.length ?? 0,
    turns: played.session?.turns ?? 0,
    calls,
    extraAttempts,
    promptTokens,
    completionTokens,
    agentCostUsd: sumUsage(roles, isAgentRole).costUsd,
    userCostUsd: sumUsage(roles, isUserRole).costUsd,
    durationMs: endedAt - startedAt,
    ...(played.sender.hasMissed ? { hasMissed: true } : {}),
  };
  return { summary, message };
}

interface Graded {
  readonly outcome: Outcome;
  readonly reward: number;
  readonly grade: GradeOutput | null;
  readonly wouldBeGrade: GradeOutput | null;
}

/**
 * An episode that is out of steps is never graded by the reference: reward 0, even if the data are right. What the
 * grade would have been is recorded beside it.
 */
async function grade({ config, episode }: EpisodeInput, { outcome, session, sender }: Played): Promise<Graded> {
  const ungraded: Graded = { outcome, reward: 0, grade: null, wouldBeGrade: null };
  const isDone = outcome.kind === 'user_stop' || outcome.kind === 'transferred';
  if (session === null || !(isDone || outcome.kind === 'max_steps')) return ungraded;
  const { pack, split } = config;
  const strategy = findStrategy(config.strategy, config.strategyOptions.agentFile);
  const form = strategy?.form;
  let output: GradeOutput;
  try {
    output = await sendTranscript(sender, trajectoryDelta(sender, session), (trajectory) =>
      environment.grade.executeWithOptions({ summary: `grade task ${episode.taskId}` }, [
        { pack, split, taskId: episode.taskId, trajectory, ...(form === undefined ? {} : { form }) },
      ]),
    );
  } catch (error) {
    const failed = outcomeOf(error);
    if (failed === undefined) throw error;
    return { ...ungraded, outcome: failed };
  }
  if (!isDone) return { ...ungraded, wouldBeGrade: output };
  if (output.kind === 'raised') {
    return { ...ungraded, outcome: { kind: 'agent_error', error: 'ungradable_content', message: output.message } };
  }
  // The grade itself stays what it is, and is recorded beside a reward that a variant has made of it.
  const reward = strategy?.rewardOf?.(output.info, config.strategyOptions) ?? output.info.reward;
  return { outcome, reward, grade: output, wouldBeGrade: null };
}

/**
 * Writes the episode's record.
 * @returns null, or what an episode without a record has come to: it has to run again, so it has no reward either
 */
async function record(
  input: EpisodeInput,
  { session, sender, ledger, kept }: Played,
  graded: Graded,
  startedAt: number,
  endedAt: number,
): Promise<Pick<Graded, 'outcome' | 'reward'> | null> {
  const { workflowId, runId: workflowRunId } = workflowInfo();
  const longReplies = ledger.longReplies();
  const writing = sendTranscript(sender, trajectoryDelta(sender, session), (trajectory) =>
    episodeLog.record.executeWithOptions({ summary: `record ${graded.outcome.kind}, reward ${graded.reward}` }, [
      {
        run: input.run,
        episode: input.episode,
        config: input.config,
        workflowId,
        workflowRunId,
        trajectory,
        ...graded,
        steps: session?.steps ?? [],
        counts: Object.fromEntries(session?.counts ?? []),
        usage: ledger.roles(),
        served: ledger.served(),
        ...(longReplies.length === 0 ? {} : { longReplies }),
        startedAt: new Date(startedAt).toISOString(),
        endedAt: new Date(endedAt).toISOString(),
        ...(kept === undefined ? {} : { fork: kept.facts() }),
      },
    ]),
  );
  try {
    await writing;
    return null;
  } catch (error) {
    const failed = outcomeOf(error);
    if (failed === undefined) throw error;
    const reason = 'message' in failed ? failed.message : failed.kind;
    const message = `the episode's record could not be written: ${reason}`;
    return { outcome: { kind: 'infrastructure_error', error: 'RecordFailed', message }, reward: 0 };
  }
}

function trajectoryDelta(sender: TranscriptSender, session: EpisodeSession | null): TranscriptDelta {
  return sender.nextBest('trajectory', session?.trajectory ?? []);
}
