/** Usage in an episode's record, and the input of the activity that writes the record. */

import type { CallRole, Message, Usage } from '../agents/index.ts';
import type { GradeOutput } from '../benchmarks/index.ts';
import type {
  EpisodeKey,
  EvaluationConfig,
  Outcome,
  ReplyExcess,
  RunRef,
  TranscriptDelta,
} from '../evaluation/index.ts';
import type { StepMetric } from './environment.ts';
import type { ForkFacts } from './fork.ts';

/** A kind of repair of replies, and the number of replies that needed it. */
export interface Repair {
  readonly what: string;
  readonly replies: number;
}

/** Sums over the model calls of one role. */
export interface RoleUsage extends Usage {
  readonly role: CallRole;
  readonly calls: number;
  /** Number of {@link calls} that a response cache answered. The sums include their tokens; their cost is 0. */
  readonly cachedCalls: number;
  /**
   * Number of attempts before the last one that may have been paid: sent, and then failed or lost. A 429 is never paid.
   */
  readonly extraAttempts: number;
  /** Number of {@link calls} whose completion reached a limit on tokens and was cut. */
  readonly truncatedReplies: number;
  /** Fields that were left out of requests because the model refuses them. Absent: none. */
  readonly leftOut?: readonly string[];
  /** Repairs of unreadable replies, by kind; absent: none. */
  readonly repairs?: readonly Repair[];
  /** Models that answered an agent service's calls, as providers or the service report them. Absent: unknown. */
  readonly models?: readonly string[];
  /** Cost in USD; null if any call's price is unknown. */
  readonly costUsd: number | null;
  /** Cost of the calls with a known price in USD, a lower bound. Absent if {@link costUsd} is known. */
  readonly knownCostUsd?: number;
  /** Cost of the role's last call, which the reference calls `user_cost`. */
  readonly lastCallCostUsd: number | null;
  readonly latencyMs: number;
}

export interface RecordInput {
  readonly run: RunRef;
  readonly episode: EpisodeKey;
  readonly config: EvaluationConfig;
  readonly workflowId: string;
  readonly workflowRunId: string;
  readonly trajectory: TranscriptDelta;
  readonly outcome: Outcome;
  /** Reward of the episode: 0 unless the episode was done and graded 1, as in the reference. */
  readonly reward: number;
  /** Grade of the episode; null if it was not done. */
  readonly grade: GradeOutput | null;
  /** Grade of an episode that ran out of steps, as if it had ended; null otherwise. */
  readonly wouldBeGrade: GradeOutput | null;
  readonly steps: readonly StepMetric[];
  /** The strategy's counters, in the order of first mention. */
  readonly counts: Readonly<Record<string, number>>;
  readonly usage: readonly RoleUsage[];
  /** The first few replies that were too long to use; absent: none. */
  readonly longReplies?: readonly LongReply[];
  /** Served model names and fingerprints, as the providers report them. */
  readonly served: readonly string[];
  /** Start of the episode, ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Facts about a fork; absent for any other episode. */
  readonly fork?: ForkToRecord;
  /** Attempts of an agent service that were undone; absent: none. */
  readonly abandoned?: readonly AbandonedAttempt[];
  /** See `EpisodeInput.repeat`. @default 0 */
  readonly repeat?: number;
  /** Number of calls in {@link usage} that were reused from the replaced record; absent: none. */
  readonly reusedCalls?: number;
}

/**
 * Output of the activity `record`: set if the user is suspect, null if that is unknown. Workers of earlier versions
 * always return null.
 */
export type RecordOutput = { readonly isSuspect: true } | null;

export interface ForkToRecord extends ForkFacts {
  /** Number of calls in the replayed prefix that got the origin's replies; they are not in the usage. */
  readonly replayedCalls: number;
}

/** An undone attempt at a request, with its messages. */
export interface AbandonedAttempt {
  readonly request: number;
  readonly attempt: number;
  /** Messages of the attempt; empty if they do not fit into the record. */
  readonly messages: readonly Message[];
  /** A sentence on the agent's divergence, after which the whole conversation was restarted. */
  readonly diverged?: string;
}

/** A reply that was too long, in the form for the episode's record. */
export interface LongReply extends ReplyExcess {
  readonly role: CallRole;
  /** Beginning and end of the reply. */
  readonly excerpt: string;
}
