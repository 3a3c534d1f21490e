/** The usage in an episode's record, and the input of the activity that writes the record. */

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
  /** Repairs without which replies could not be read, by kind. Absent: none. */
  readonly repairs?: readonly Repair[];
  /** Models that answered an agent service's calls, as served or as it reports them. Absent: unknown. */
  readonly models?: readonly string[];
  /** USD; null if any call's price is unknown. */
  readonly costUsd: number | null;
  /** USD of the calls with a known price, a lower bound of the cost. Absent if {@link costUsd} is known. */
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
  /** 0 unless the episode was done and graded 1, as in the reference. */
  readonly reward: number;
  /** null when the episode was not done. */
  readonly grade: GradeOutput | null;
  /** Grade of an episode that ran out of steps, as if it had ended; null otherwise. */
  readonly wouldBeGrade: GradeOutput | null;
  readonly steps: readonly StepMetric[];
  /** The strategy's counters, in the order of first mention. */
  readonly counts: Readonly<Record<string, number>>;
  readonly usage: readonly RoleUsage[];
  /** The first few replies that were too long to be used; absent: none. */
  readonly longReplies?: readonly LongReply[];
  /** Served model names and fingerprints, as the providers report them. */
  readonly served: readonly string[];
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Absent in an episode that is not a fork. */
  readonly fork?: ForkToRecord;
  /** Attempts of an agent service that were undone; absent: none. */
  readonly abandoned?: readonly AbandonedAttempt[];
  /** See `EpisodeInput.repeat`. @default 0 */
  readonly repeat?: number;
  /** Number of calls among {@link usage} that come from the replaced record; absent: none. */
  readonly reusedCalls?: number;
}

/** Null if the user is not known to be suspect; workers of earlier versions always return null. */
export type RecordOutput = { readonly isSuspect: true } | null;

export interface ForkToRecord extends ForkFacts {
  /** Number of the replayed prefix's calls that were answered with the origin's replies; they are not in the usage. */
  readonly replayedCalls: number;
}

/** An attempt at a request that was undone, with its messages of the trajectory. */
export interface AbandonedAttempt {
  readonly request: number;
  readonly attempt: number;
  /** Empty if they do not fit into the record. */
  readonly messages: readonly Message[];
  /** A sentence on the agent's divergence, after which the whole conversation was restarted. */
  readonly diverged?: string;
}

/** A reply that was too long, as an episode's record keeps it. */
export interface LongReply extends ReplyExcess {
  readonly role: CallRole;
  /** Its beginning and its end. */
  readonly excerpt: string;
}
