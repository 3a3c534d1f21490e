/** Grades and records an episode whose conversation has ended. */

import { workflowInfo } from '@temporalio/workflow';
import { findStrategy } from '../src/agents/index.ts';
import { benchmarkOf, type Grade, type GradeOutput } from '../src/benchmarks/index.ts';
import {
  isAgentRole,
  isUserRole,
  type EvaluationConfig,
  type EpisodeSummary,
  type Outcome,
  type TranscriptDelta,
  type TranscriptSender,
} from '../src/evaluation/index.ts';
import {
  sumUsage,
  type EpisodeSession,
  type ModelCall,
  type ReplayedPrefix,
  type EpisodeInput,
  type UsageLedger,
  type RecordInput,
} from '../src/episode/index.ts';
import { environment, episodeLog } from './activities.ts';
import { outcomeOf } from './failures.ts';
import { sendTranscript } from './model-calls.ts';

/** A summary stays small: error texts are cut to this many characters. */
const ERROR_CHARS = 200;

/** An episode whose conversation has ended. */
export interface Played {
  readonly outcome: Outcome;
  /** Null when the simulated user never opened the conversation. */
  readonly session: EpisodeSession | null;
  readonly sender: TranscriptSender;
  readonly ledger: UsageLedger;
  /** Present in a fork. */
  readonly kept: ReplayedPrefix | undefined;
  /** Present in a run that has a judge. */
  readonly judge?: ModelCall;
}

interface Concluded {
  readonly summary: EpisodeSummary;
  /** The outcome's message where it has one, else its kind. */
  readonly message: string;
}

/** Records an episode, and sums it up. */
export async function conclude(
  input: EpisodeInput,
  played: Played,
  graded: Graded,
  startedAt: number,
): Promise<Concluded> {
  const endedAt = Date.now();
  const unrecorded = await record(input, played, graded, startedAt, endedAt);
  const { outcome, reward } = unrecorded ?? graded;
  const message = 'message' in outcome ? outcome.message : outcome.kind;
  const roles = played.ledger.roles();
  const judging = roles.filter(({ role }) => role === 'judge');
  const reused = played.ledger.reused();
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
    ...(judging.length === 0 ? {} : { judgeCostUsd: sumUsage(judging).costUsd }),
    ...(roles.some(({ costUsd }) => costUsd === null) ? { knownCostUsd: played.ledger.knownCostUsd() } : {}),
    durationMs: endedAt - startedAt,
    ...(played.sender.hasMissed ? { hasMissed: true } : {}),
    ...(reused.calls === 0 ? {} : { reusedUsd: reused.costUsd }),
  };
  return { summary, message };
}

export type Graded = Pick<RecordInput, 'outcome' | 'reward' | 'grade' | 'wouldBeGrade'>;

/**
 * An episode that is out of steps is never graded by the reference: reward 0, even if the data are right. What the
 * grade would have been is recorded beside it.
 */
export async function grade({ config, episode }: EpisodeInput, { outcome, session, sender }: Played): Promise<Graded> {
  const ungraded: Graded = { outcome, reward: 0, grade: null, wouldBeGrade: null };
  const isDone = outcome.kind === 'user_stop' || outcome.kind === 'transferred' || outcome.kind === 'agent_stop';
  if (session === null || !(isDone || outcome.kind === 'max_steps')) return ungraded;
  const { pack, split } = config;
  const form = findStrategy(config.strategy, config.strategyOptions.agentFile)?.form;
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
  const reward = rewardOf(config, benchmarkOf(config.env).grading.fromInfo(output.info));
  return { outcome, reward, grade: output, wouldBeGrade: null };
}

/** The grade itself stays what it is, and is recorded beside a reward that a strategy's variant has made of it. */
export function rewardOf({ strategy, strategyOptions }: EvaluationConfig, grade: Grade): number {
  return findStrategy(strategy, strategyOptions.agentFile)?.rewardOf?.(grade, strategyOptions) ?? grade.reward;
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
  const reused = ledger.reused();
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
        ...(reused.calls === 0 ? {} : { reusedCalls: reused.calls }),
        ...(session === null || session.abandoned.length === 0 ? {} : { abandoned: session.abandoned }),
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
