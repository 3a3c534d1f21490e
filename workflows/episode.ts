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
import { agentSentence, findOwnStrategy } from '../src/agents/index.ts';
import { HUMAN } from '../src/users/index.ts';
import {
  FailureType,
  TranscriptSender,
  UsageLedger,
  otherWorkerNeeded,
  refuseNewer,
  type EpisodeInput,
  type EpisodeSummary,
  type Outcome,
} from '../src/wire/index.ts';
import { CallHolder } from './call-holder.ts';
import { conclude, type Played } from './conclude.ts';
import { Deadline } from './deadline.ts';
import { failureText } from './details.ts';
import { outcomeOf } from './failures.ts';
import { KeptSteps } from './kept-steps.ts';
import { Person } from './person.ts';
import { costAttribute, TauOutcome, TauReward } from './search-attributes.ts';
import type { EpisodeSession } from './session.ts';
import { solve } from './solve.ts';

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
  const sender = new TranscriptSender();
  const ledger = new UsageLedger();
  const kept = input.fork === undefined ? undefined : new KeptSteps(input.fork);
  let session: EpisodeSession | null = null;
  const opened = (made: EpisodeSession): void => void (session = made);
  const deadline = new Deadline(config.episodeTimeoutMs);
  const person = config.userStrategy === HUMAN ? new Person(input, deadline) : undefined;
  const holder = CallHolder.of(input, deadline);
  const isStoppable = person !== undefined || holder !== undefined;
  let outcome: Outcome;
  try {
    outcome = await deadline.run(() => solve(input, { sender, ledger, kept, person, holder }, opened), isStoppable);
  } catch (error) {
    outcome = endedByError(error, deadline, config.episodeTimeoutMs);
  }
  return { outcome, session, sender, ledger, kept };
}

/**
 * Whatever an activity makes of being cancelled (it may fail, or time out with its worker), it ended because of that.
 * @throws the error itself when it is a bug: the workflow task then fails, and goes on when the bug is mended
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
