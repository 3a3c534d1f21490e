/**
 * Input and summary of an episode workflow, the replayed prefix of a fork, and the conversation with a human user.
 *
 * A fork is an episode that replays the first steps of another one, its origin, and goes on by itself. A strategy and a
 * simulated user are functions of the replies that they get, and the environment is a fold over the actions: replaying
 * the origin's replies restores its conversation, state and memory, whatever the strategy keeps in them.
 */

import {
  AgentError,
  type AgentErrorKind,
  type AssistantMessage,
  type CallRole,
  type Completion,
  type CompletionRequest,
  type ReplyFieldValues,
  type Usage,
} from '../agents/index.ts';
import { isUserRole, type EpisodeKey, type EvaluationConfig, type RunRef } from './config.ts';
import { dumpJson, isDict, parseJson } from '../benchmarks/python/index.ts';
import { STOP_MARKER, type Action } from '../benchmarks/index.ts';

export interface EpisodeInput {
  readonly run: RunRef;
  readonly episode: EpisodeKey;
  readonly config: EvaluationConfig;
  readonly queues: TaskQueues;
  /** True if the namespace has the search attributes (a server may refuse to register them). */
  readonly indexed: boolean;
  /** See `WORKFLOW_VERSION`. */
  readonly version?: number;
  /**
   * Set where earlier episodes of the sweep have met several workers: the first calls repeat what was sent before, for
   * those that do not know it.
   */
  readonly repeats?: true;
  /** Set where an earlier episode was ended with its sweep, and this one begins again in its place. */
  readonly resumes?: EarlierEpisode;
  /** Absent in an episode that starts at its beginning. */
  readonly fork?: ForkInput;
}

/** Episode whose finished model calls answer those of the one that begins again in its place. */
export interface EarlierEpisode {
  /** Null: the newest of the same workflow id. */
  readonly workflowRunId: string | null;
}

/** Place in which an episode's activities note what they did, for people who watch it. A fork is no part of its run. */
export function notedIn({ run, fork }: Pick<EpisodeInput, 'run' | 'fork'>): { readonly logDir?: string } {
  return fork === undefined ? { logDir: run.logDir } : {};
}

/** Workflows and quick activities share one queue; model calls have one for each provider and endpoint. */
export interface TaskQueues {
  readonly main: string;
  readonly llm: string;
  /** Label of the endpoint that a provider's calls are for, by provider; one that is absent: any worker's. */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/**
 * Outcome of an episode. `infrastructure_error` is never the model's fault; the reference turns it into reward 0,
 * so both readings are reported.
 */
export type Outcome =
  | { readonly kind: 'user_stop' }
  | { readonly kind: 'transferred' }
  | { readonly kind: 'max_steps' }
  /** The agent, a service, has ended the conversation. */
  | { readonly kind: 'agent_stop' }
  | { readonly kind: 'agent_error'; readonly error: AgentErrorKind; readonly message: string }
  | { readonly kind: 'infrastructure_error'; readonly error: string; readonly message: string }
  | { readonly kind: 'cancelled' }
  /** The agent was only to decide (`--decision-only`): its actions are in the record, none was taken. */
  | { readonly kind: 'decision_only' };

export type OutcomeKind = Outcome['kind'];

/** @returns false for the outcomes that run again when the run is resumed: cancelled, or ended by infrastructure */
export function isFinal(outcome: OutcomeKind): boolean {
  return outcome !== 'infrastructure_error' && outcome !== 'cancelled';
}

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

/** One environment step, without its texts. */
export interface StepMetric {
  /** 1-based. */
  readonly index: number;
  readonly name: string;
  /** True if the environment's data changed. */
  readonly changed: boolean;
  /** Milliseconds of workflow time from the step's start to its result. */
  readonly durationMs: number;
  /** Milliseconds from the end of the step before, or the user's first message, to this one's start. */
  readonly thinkMs: number;
  /** The agent's model calls since the step before, and what they used. */
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** USD; null when one of these calls has no known price. */
  readonly costUsd: number | null;
}

/** All that travels up to the sweep: under 2 kB, never the trajectory. */
export interface EpisodeSummary {
  readonly episode: EpisodeKey;
  readonly reward: number;
  readonly outcome: OutcomeKind;
  /** The outcome's message where it has one, cut to 200 characters. */
  readonly error: string | null;
  /** Failure type of an infrastructure error. Absent for all other outcomes. */
  readonly fault?: string;
  readonly steps: number;
  readonly turns: number;
  readonly calls: number;
  readonly extraAttempts: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly agentCostUsd: number | null;
  readonly userCostUsd: number | null;
  /** Absent where no judge was asked. */
  readonly judgeCostUsd?: number | null;
  /** USD of all calls of known price. Absent: every price is known. */
  readonly knownCostUsd?: number;
  readonly durationMs: number;
  /** Set if a worker did not know the conversation, as another one had the calls before. */
  readonly hasMissed?: true;
  /** USD among the costs that the earlier episode had paid, where its record counts them too. Absent: none. */
  readonly reusedUsd?: number;
}

/** An action as it crosses Temporal: arguments as JSON text, which keeps spelling of numbers and order of keys. */
export interface ActionWire {
  readonly name: string;
  /** A JSON object in Python's spelling. */
  readonly kwargsJson: string;
  /** See `Action.requestor`. */
  readonly requestor?: 'user';
}

export function toActionWire(action: Action): ActionWire {
  const { name, kwargs, requestor } = action;
  return { name, kwargsJson: dumpJson(kwargs), ...(requestor === undefined ? {} : { requestor }) };
}

/** @throws Error when `kwargsJson` is not a JSON object, which only a hand-made payload can be. */
export function fromActionWire(wire: ActionWire): Action {
  const kwargs = parseJson(wire.kwargsJson);
  if (!isDict(kwargs)) throw new Error(`the arguments of action ${wire.name} are not a JSON object`);
  return { name: wire.name, kwargs, ...(wire.requestor === undefined ? {} : { requestor: wire.requestor }) };
}

/** The episode that was forked. Its workflow id is used again when it is run again; the run's id is not. */
export interface ForkOrigin {
  readonly workflowId: string;
  readonly workflowRunId: string;
}

/** Result of a model call of the origin. Its usage stays with the origin. */
export interface RecordedReply {
  readonly role: CallRole;
  readonly thread: string;
  readonly result:
    | {
        readonly kind: 'completion';
        readonly message: AssistantMessage;
        readonly finishReason: string;
        /** See `Completion.fields`. */
        readonly fields?: ReplyFieldValues | null;
      }
    /** A failure that the strategy saw, and may have answered with another request. */
    | { readonly kind: 'failure'; readonly error: AgentErrorKind; readonly message: string };
}

/** A step of the origin that a fork replays, with the usage of the agent's calls before it. */
export interface ReplayedStep extends Pick<StepMetric, 'calls' | 'promptTokens' | 'completionTokens' | 'costUsd'> {
  readonly action: ActionWire;
  /** Durations of the step in the origin. */
  readonly timing: Pick<StepMetric, 'durationMs' | 'thinkMs'>;
}

/** Replaces the observation of a replayed step. The environment's data do not change. */
export interface Correction {
  /** 1-based; 0 is the user's first message. */
  readonly step: number;
  readonly observation: string;
}

/** Facts about a fork that its record holds. */
export interface ForkFacts {
  /** `fork-2`: the last part of its workflow id. */
  readonly name: string;
  readonly origin: ForkOrigin;
  /** The first step that is taken anew, from 1 to one more than the origin has. */
  readonly atStep: number;
  /**
   * Number of leading replayed steps that are taken by their actions alone, because another strategy chose
   * them; the fork's own strategy takes over after them.
   */
  readonly takenOver: number;
  /** Includes the corrections of the origin, if that is a fork itself. */
  readonly corrections: readonly Correction[];
  /** Differences from the origin's configuration, for people: `model: openai/gpt-4o, now openai/gpt-5`. */
  readonly changes: readonly string[];
}

export interface ForkInput extends ForkFacts {
  /** The steps before `atStep`. */
  readonly kept: readonly ReplayedStep[];
  /**
   * Replies in the order in which the calls were made; of steps that are taken by their actions, the user's alone. There may be
   * more than the replayed steps need.
   */
  readonly replies: readonly RecordedReply[];
  /** USD that the fork's own calls may cost: once they have cost as much, no further one is made. Absent: no limit. */
  readonly maxCostUsd?: number;
}

/** Turns a recorded reply into the completion that the strategy or the simulated user gets again, without usage or cost. */
export function toCompletion({ result }: RecordedReply): Completion {
  if (result.kind === 'failure') throw new AgentError(result.error, result.message);
  const { message, finishReason, fields } = result;
  return {
    message,
    finishReason,
    usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
    costUsd: 0,
    latencyMs: 0,
    ...(fields === undefined ? {} : { fields }),
  };
}

export function fitsRequest({ role, thread }: RecordedReply, request: CompletionRequest): boolean {
  return role === request.role && thread === request.thread;
}

/**
 * The replies up to the agent's call of that number, and what follows until its next one has been answered: at least
 * those that the steps need which these calls led to.
 * @param agentCalls answered calls, as step metrics count them
 */
export function repliesUntil(replies: readonly RecordedReply[], agentCalls: number): RecordedReply[] {
  let answered = 0;
  const end = replies.findIndex(({ role, result }) => {
    if (!isUserRole(role) && result.kind === 'completion') answered += 1;
    return answered > agentCalls;
  });
  return end < 0 ? [...replies] : replies.slice(0, end);
}

/** One message of a conversation with a human user; the agent's null is a reply without text. */
export interface SpokenLine {
  readonly who: 'agent' | 'user';
  readonly text: string | null;
}

/** The question that waits for the human user's answer. */
export interface OpenQuestion {
  /** Counts from 1, which is the opening. */
  readonly number: number;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
}

export interface Conversation {
  readonly lines: readonly SpokenLine[];
  /** Null while the agent works, and when the episode has ended. */
  readonly question: OpenQuestion | null;
}

/** Names the question it answers, so that the second of two answers to one question is rejected. */
export interface Answer {
  readonly question: number;
  readonly text: string;
}

/** Characters of an answer: pages of text, and far below the size limit of a workflow's input. */
export const MAX_ANSWER_CHARS = 10_000;

/** @returns why the answer is rejected, as a sentence without its full stop; null if it is accepted */
export function findAnswerProblem(answer: Answer, open: OpenQuestion | null): string | null {
  if (!isAnswer(answer)) return 'an answer is the number of its question and a text';
  const { question, text } = answer;
  if (open === null) return 'nobody is asked now: the agent works, or the conversation has ended';
  if (question !== open.number) {
    return question < open.number
      ? `question ${question} has been answered; the conversation is at question ${open.number}`
      : `the conversation is at question ${open.number}, not yet at ${question}`;
  }
  if (text.trim() === '') return 'an answer must have words';
  if (text.length > MAX_ANSWER_CHARS) {
    return `an answer may have ${MAX_ANSWER_CHARS} characters, and this one has ${text.length}`;
  }
  // The reference looks for the marker in replies only, and its agent would be shown it.
  if (open.number === 1 && text.includes(STOP_MARKER)) {
    return `the conversation has to be opened before ${STOP_MARKER} can end it`;
  }
  return null;
}

/** Checks what arrived, since a client of any version may have sent it. */
function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null) return false;
  const { question, text } = value as Partial<Record<keyof Answer, unknown>>;
  return Number.isSafeInteger(question) && typeof text === 'string';
}
