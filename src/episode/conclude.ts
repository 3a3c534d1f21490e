/** Grades and records an episode whose conversation has ended. */

import { findStrategy } from '../agents/index.ts';
import { getBenchmark, type GradeOutput, type SentenceVerdict } from '../benchmarks/pure.ts';
import { alteredBy, type ConversationChanges } from '../conditions/index.ts';
import {
  conditionOf,
  isAgentRole,
  isUserRole,
  type EpisodeSummary,
  type TranscriptDelta,
  type TranscriptSender,
} from '../evaluation/index.ts';
import type { EpisodeContext } from './context.ts';
import { withService } from './environment-service.ts';
import { infrastructureError, toOutcome } from './failures.ts';
import type { EpisodeInput } from './input.ts';
import { sendTranscript } from './model-calls.ts';
import type { RecordInput } from './record.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';
import type { EpisodeSession } from './session.ts';
import { sumUsage } from './usage.ts';

/** Most characters of error texts, so that summaries stay small. */
const ERROR_CHARS = 200;

/** An episode whose conversation has ended. */
export interface EndedEpisode extends Pick<RecordInput, 'outcome'> {
  /** Session of the episode; null if the simulated user never opened the conversation. */
  readonly session: EpisodeSession | null;
  /** The replayed prefix of a fork. */
  readonly prefix?: ReplayedPrefix;
}

export type GradedEpisode = Pick<RecordInput, 'outcome' | 'reward' | 'grade' | 'wouldBeGrade'>;

/** The workflow of an episode, and the time of its start in milliseconds since the epoch. */
interface EpisodeRun extends Pick<RecordInput, 'workflowId' | 'workflowRunId'> {
  readonly startedAt: number;
}

/**
 * Grades an episode. The reference never grades an episode that is out of steps: its reward is 0 even if the data are
 * right. The record has the grade as if it had ended.
 */
export async function gradeEpisode(context: EpisodeContext, ended: EndedEpisode): Promise<GradedEpisode> {
  const { outcome, session } = ended;
  const { input, ports } = context;
  const { config } = input;
  const ungraded: GradedEpisode = { outcome, reward: 0, grade: null, wouldBeGrade: null };
  const isDone = outcome.kind === 'user_stop' || outcome.kind === 'transferred' || outcome.kind === 'agent_stop';
  if (session === null || !(isDone || outcome.kind === 'max_steps')) return ungraded;
  let output: GradeOutput;
  try {
    output = await askForGrade(context, ended);
  } catch (error) {
    const failed = toOutcome(error, ports.readFailure(error));
    if (failed === undefined) throw error;
    return { ...ungraded, outcome: failed };
  }
  if (!isDone) return { ...ungraded, wouldBeGrade: output };
  if (output.kind === 'raised') {
    return { ...ungraded, outcome: { kind: 'agent_error', error: 'ungradable_content', message: output.message } };
  }
  const { reward } = getBenchmark(config.env).grading.fromInfo(output.info);
  return { outcome, reward, grade: output, wouldBeGrade: null };
}

/** @param verdicts the judge's verdicts, for a second request for a grade with sentences */
export function askForGrade(
  context: EpisodeContext,
  ended: Pick<EndedEpisode, 'session' | 'outcome'>,
  verdicts?: readonly SentenceVerdict[],
): Promise<GradeOutput> {
  const { input, ports, sender } = context;
  const { config, episode } = input;
  const { pack, split } = config;
  const form = findStrategy(config.strategy, config.strategyOptions.agentFile)?.form;
  return withService(context, ended, verdicts, (service) =>
    sendTranscript(context, trajectoryDelta(sender, ended.session), (trajectory) =>
      ports.activities.grade(`grade task ${episode.taskId}`, {
        ...{ pack, split, taskId: episode.taskId, trajectory, form, altered: findAltered(input, ended.session) },
        ...service,
      }),
    ),
  );
}

/** Returns differences of an episode's conversation from the benchmark's own; undefined for `base`. */
export function findAltered(
  { config, episode }: Pick<EpisodeInput, 'config' | 'episode'>,
  session: EpisodeSession | null,
): ConversationChanges | undefined {
  const condition = conditionOf(config, episode);
  return condition && alteredBy(condition, session?.steps ?? []);
}

/**
 * Records an episode and summarizes it.
 * @returns the summary, and the outcome's message, or its kind if it has none
 */
export async function concludeEpisode(
  context: EpisodeContext,
  ended: EndedEpisode,
  graded: GradedEpisode,
  run: EpisodeRun,
): Promise<{ readonly summary: EpisodeSummary; readonly message: string }> {
  const { input, ports, sender, ledger } = context;
  const { session } = ended;
  const endedAt = ports.display.now();
  const { unrecorded, isSuspect } = await record(context, ended, graded, run, endedAt);
  const { outcome, reward } = unrecorded ?? graded;
  const message = 'message' in outcome ? outcome.message : outcome.kind;
  const roles = ledger.roles();
  const judging = roles.filter(({ role }) => role === 'judge');
  const reused = ledger.reused();
  const { calls, extraAttempts, promptTokens, completionTokens } = sumUsage(roles);
  const summary: EpisodeSummary = {
    episode: input.episode,
    reward,
    outcome: outcome.kind,
    error: 'message' in outcome ? message.slice(0, ERROR_CHARS) : null,
    fault: outcome.kind === 'infrastructure_error' ? outcome.error : undefined,
    steps: session?.steps.length ?? 0,
    turns: session?.turns ?? 0,
    ...{ calls, extraAttempts, promptTokens, completionTokens },
    agentCostUsd: sumUsage(roles, isAgentRole).costUsd,
    userCostUsd: sumUsage(roles, isUserRole).costUsd,
    judgeCostUsd: judging.length === 0 ? undefined : sumUsage(judging).costUsd,
    knownCostUsd: roles.some(({ costUsd }) => costUsd === null) ? ledger.knownCostUsd() : undefined,
    durationMs: endedAt - run.startedAt,
    hasMissed: sender.hasMissed || undefined,
    isSuspect,
    reusedUsd: reused.calls === 0 ? undefined : reused.costUsd,
  };
  return { summary, message };
}

/**
 * Writes the episode's record.
 * @returns another outcome, without a reward, if the episode could not be recorded, so that it runs again
 */
async function record(
  context: EpisodeContext,
  { session, prefix }: EndedEpisode,
  graded: GradedEpisode,
  { startedAt, workflowId, workflowRunId }: EpisodeRun,
  endedAt: number,
): Promise<{ readonly unrecorded?: Pick<GradedEpisode, 'outcome' | 'reward'>; readonly isSuspect?: true }> {
  const { input, ports, sender, ledger } = context;
  const { run, episode, config } = input;
  const longReplies = ledger.longReplies();
  const summary = `record ${graded.outcome.kind}, reward ${graded.reward}`;
  const writing = sendTranscript(context, trajectoryDelta(sender, session), (trajectory) =>
    ports.activities.record(summary, {
      ...{ run, episode, config, workflowId, workflowRunId, trajectory },
      ...graded,
      steps: session?.steps ?? [],
      counts: Object.fromEntries(session?.counts ?? []),
      usage: ledger.roles(),
      served: ledger.served(),
      longReplies: longReplies.length === 0 ? undefined : longReplies,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
      fork: prefix?.facts(),
      repeat: input.repeat,
      reusedCalls: ledger.reused().calls || undefined,
      abandoned: session === null || session.abandoned.length === 0 ? undefined : session.abandoned,
    }),
  );
  try {
    return { isSuspect: (await writing)?.isSuspect };
  } catch (error) {
    const failed = toOutcome(error, ports.readFailure(error));
    if (failed === undefined) throw error;
    const reason = 'message' in failed ? failed.message : failed.kind;
    const message = `the episode's record could not be written: ${reason}`;
    return { unrecorded: { outcome: infrastructureError('RecordFailed', message), reward: 0 } };
  }
}

function trajectoryDelta(sender: TranscriptSender, session: EpisodeSession | null): TranscriptDelta {
  return sender.nextBest('trajectory', session?.trajectory ?? []);
}
