/**
 * One task, one trial. The agent's strategy and the simulated user are plain deterministic code, and each request of
 * theirs is an activity. When the conversation has ended, it is graded and recorded, and the sweep gets a summary.
 */

import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  sleep,
  upsertSearchAttributes,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { agentSentence, findOwnStrategy } from '../src/agents/index.ts';
import { HUMAN, OUTSIDE } from '../src/agents/users/index.ts';
import { conditionSentence, findCondition } from '../src/conditions/index.ts';
import {
  Deadline,
  UsageLedger,
  concludeEpisode,
  gradeEpisode,
  infrastructureError,
  judgeGrade,
  playEpisode,
  toOutcome,
  type Clock,
  type EndedEpisode,
  type EpisodeContext,
  type EpisodeInput,
} from '../src/episode/index.ts';
import {
  AGENT_SERVICE,
  FailureType,
  TranscriptSender,
  conditionOf,
  costOfEpisode,
  describeRemovedVariants,
  type EpisodeSummary,
  type Outcome,
} from '../src/evaluation/index.ts';
import { failureText } from '../src/orchestration/index.ts';
import { display, episodeActivities } from './activities.ts';
import { otherWorkerNeeded, readFailure, refuseNewer } from './failures.ts';
import { agentService, callHolder, createHumanUser, outsideHarness } from './participants.ts';
import { TauOutcome, TauReward, costAttribute } from './visibility.ts';

/**
 * @returns the summary of an episode that the agent or the user has ended
 * @throws ApplicationFailure `EpisodeFailed`, with the summary as first detail, if infrastructure ended the episode, so
 * that it shows as failed and may run again; the cancellation, if it was canceled. Both are recorded first.
 */
export async function episode(input: EpisodeInput): Promise<EpisodeSummary> {
  refuseNewer(input);
  refuseRemovedVariants(input.config);
  refuseMissingAgent(input.config);
  refuseMissingCondition(input);
  const startedAt = Date.now();
  const { workflowId, runId: workflowRunId } = workflowInfo();
  const run = { startedAt, workflowId, workflowRunId };
  const { context, ended } = await play(input);
  const grading = () => gradeEpisode(context, ended);
  // The grade of a service may have to wait for the service, so it can be canceled.
  const isService = input.config.pack.environment !== undefined;
  const ungraded = await (isService ? grading() : CancellationScope.nonCancellable(grading));
  const graded = await judgeGrade(context, ended.session, ungraded);
  const { summary, message } = await CancellationScope.nonCancellable(() =>
    concludeEpisode(context, ended, graded, run),
  );
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

/** @throws Error, which fails only the workflow task: a worker of the version that began the episode can take it */
function refuseRemovedVariants({ strategyOptions }: EpisodeInput['config']): void {
  const removed = describeRemovedVariants(strategyOptions);
  if (removed === null) return;
  throw otherWorkerNeeded(`the run ${removed}; finish it with a worker of that version, or cancel it`);
}

/**
 * Refuses the task if this worker lacks the agent's file. Only workers that were given the same file have the agent in
 * their sandbox.
 * @throws Error, not a failure: it fails the workflow task, which another worker takes, and nothing is lost
 */
function refuseMissingAgent({ strategy, strategyOptions: { agentFile } }: EpisodeInput['config']): void {
  if (agentFile === undefined || findOwnStrategy(agentFile) !== undefined) return;
  throw otherWorkerNeeded(`this worker has no ${agentSentence(strategy, agentFile)}`);
}

/** Refuses the task if this worker lacks the condition's file. */
function refuseMissingCondition({ config, episode }: EpisodeInput): void {
  const condition = conditionOf(config, episode);
  if (condition === undefined || findCondition(condition) !== undefined) return;
  throw otherWorkerNeeded(`this worker has no ${conditionSentence(condition)}`);
}

const clock: Clock = {
  now: display.now,
  sleep,
  until: (isMet) => condition(isMet),
  openScope: () => new CancellationScope(),
  isCancellation,
};

/** Plays the episode within its deadline. */
async function play(input: EpisodeInput): Promise<{ readonly context: EpisodeContext; readonly ended: EndedEpisode }> {
  const { strategy, userStrategy, episodeTimeoutMs } = input.config;
  const deadline = new Deadline(episodeTimeoutMs, clock);
  const person = userStrategy === HUMAN ? createHumanUser(input, deadline) : undefined;
  const outside = userStrategy === OUTSIDE ? outsideHarness(deadline) : undefined;
  const context: EpisodeContext = {
    input,
    ports: {
      activities: episodeActivities(input),
      display,
      readFailure,
      openScope: clock.openScope,
      uuid: uuid4,
      wait: (ms) => deadline.uncounted(() => sleep(ms)),
    },
    sender: new TranscriptSender(input.repeats),
    ledger: new UsageLedger(),
    holder: callHolder(input, deadline),
  };
  const agent = strategy === AGENT_SERVICE ? agentService(context) : undefined;
  const isConditioned = input.episode.condition !== undefined;
  const isStoppable = person !== undefined || outside !== undefined || context.holder !== undefined || isConditioned;
  const played = await deadline.run(() => playEpisode(context, { person, outside, agent }), isStoppable);
  const outcome = 'error' in played ? endedByError(played.error, deadline, episodeTimeoutMs) : played.outcome;
  return { context, ended: { ...played, outcome } };
}

/**
 * Maps an error to the outcome. After a cancellation the outcome is canceled, even if the activity failed or timed out.
 * @throws the error itself when it is a bug: the workflow task then fails, and continues when the bug is fixed
 */
function endedByError(error: unknown, deadline: Deadline, episodeTimeoutMs: number): Outcome {
  const outcome = toOutcome(error, readFailure(error));
  if (outcome === undefined) throw error;
  if (outcome.kind === 'agent_error') return outcome;
  if (CancellationScope.current().consideredCancelled) return { kind: 'cancelled' };
  if (!deadline.passed) return outcome;
  const message = `the episode was worked on for ${episodeTimeoutMs / 1000} s and did not end`;
  return infrastructureError('EpisodeDeadline', message);
}

/**
 * Sets the search attributes. They are set once, at the end: each upsert is an event and a write to the visibility
 * store.
 */
function publish(summary: EpisodeSummary): void {
  upsertSearchAttributes([
    { key: TauReward, value: summary.reward },
    { key: TauOutcome, value: summary.outcome },
    costAttribute(costOfEpisode(summary)),
  ]);
}
