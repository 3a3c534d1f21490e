/** The usage in an episode's record, and the input of the activity that writes it. */

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
  /** Number of {@link calls} that a response cache answered: their tokens are in the sums, their cost is 0. */
  readonly cachedCalls: number;
  /** Attempts beyond the last that may have been paid: sent, and then failed or lost. A 429 is never paid. */
  readonly extraAttempts: number;
  /** Number of {@link calls} whose completion reached a limit on tokens and was cut. */
  readonly truncatedReplies: number;
  /** Fields of requests that the model refused, and that were left out. Absent: none. */
  readonly leftOut?: readonly string[];
  /** Repairs without which replies could not be read, by kind. Absent: none. */
  readonly repairs?: readonly Repair[];
  /** Models that answered the calls of an agent that is a service, as served or as it reports them. Absent: not known. */
  readonly models?: readonly string[];
  /** USD; null as soon as one call's price is unknown. */
  readonly costUsd: number | null;
  /** USD of the calls of known price, a lower bound of the cost. Absent: {@link costUsd} is known. */
  readonly knownCostUsd?: number;
  /** Cost of the role's last call: what the reference calls `user_cost`. */
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
  /** Replies that were too long to be used, the first few; absent: none. */
  readonly longReplies?: readonly LongReply[];
  /** Served model names and fingerprints, as the providers report them. */
  readonly served: readonly string[];
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Absent in an episode that began at its beginning. */
  readonly fork?: ForkToRecord;
  /** Attempts of an agent service that were taken back; absent: none. */
  readonly abandoned?: readonly AbandonedAttempt[];
  /** See `EpisodeInput.repeat`. @default 0 */
  readonly repeat?: number;
  /** Calls among {@link usage} that are from the record that this one replaces; absent: none. */
  readonly reusedCalls?: number;
}

/** null, also by a worker of an earlier version: the user is not known to be suspect. */
export type RecordOutput = { readonly isSuspect: true } | null;

export interface ForkToRecord extends ForkFacts {
  /** Calls of the replayed prefix that were answered with the origin's replies: no part of the usage. */
  readonly replayedCalls: number;
}

/** An attempt at a request that was taken back: its messages of the trajectory. */
export interface AbandonedAttempt {
  readonly request: number;
  readonly attempt: number;
  /** Empty where the record has no space for them. */
  readonly messages: readonly Message[];
  /** A sentence on the agent's divergence; all of the conversation so far was restarted. */
  readonly diverged?: string;
}

/** A reply that was too long, as an episode's record keeps it. */
export interface LongReply extends ReplyExcess {
  readonly role: CallRole;
  /** Its beginning and its end. */
  readonly excerpt: string;
}
