/**
 * An environment service: the environment, tasks and grades of a benchmark outside of the program. Some are reached
 * over HTTP, others are folders that run in the worker; all answer the same four requests.
 *
 * The state after n calls follows from the task and the earlier calls, so every request includes the earlier calls that
 * changed the state. A service need not keep anything, and a repeated request gets the same answer.
 */

import type { EpisodeRulesName } from '../rules.ts';
import type { GradePart } from '../grade.ts';
import type { SentenceVerdict } from '../types.ts';

/** A service's description of itself. */
export interface ServiceDescription {
  /** Name of the service. Together with {@link version}, it is part of a run's identity. */
  readonly name: string;
  readonly version: string;
  /** False if calls cannot be repeated, so that an episode belongs to one life of the service. */
  readonly replays: boolean;
  readonly rules: EpisodeRulesName;
  readonly domains: readonly string[];
  /** JSON Schema of the service's options. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Default values of a run's options. @default the first split; the rules' own number of steps */
  readonly defaults?: { readonly split?: string; readonly maxSteps?: number };
}

/** A domain of a service, with its options. */
export interface ServiceDomain {
  readonly domain: string;
  /** Values of the service's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Address of a service. A user may declare `replays` for a service that does not. */
export type ServiceSource =
  | { readonly kind: 'url'; readonly url: string; readonly replays?: true | undefined }
  | { readonly kind: 'folder'; readonly path: string }
  /** A program that Tauflow starts, such as `tau2`. */
  | { readonly kind: 'adapter'; readonly name: string };

/** A run's reference to a domain of a service, by the service's own name. */
export interface EnvironmentRef
  extends ServiceDomain, Pick<ServiceDescription, 'name' | 'version' | 'rules' | 'replays'> {
  readonly source: ServiceSource;
  /** Time limit of a request, in seconds. @default 1,800 */
  readonly requestTimeout?: number | undefined;
}

/** A tool call. Arguments are JSON text, so that `131.0` keeps its spelling. */
export interface ServiceCall {
  readonly requestor: 'assistant' | 'user';
  readonly name: string;
  readonly arguments: string;
}

/** A task, for the program only; agents see nothing of it. */
export interface ServiceTask {
  readonly id: string;
  /**
   * The ground truth, for the scripted model, checks and fault attribution. Absent if the service does not reveal it.
   */
  readonly actions?: readonly ServiceCall[];
  /** Texts that the agent must say, for the same purposes as {@link actions}. */
  readonly outputs?: readonly string[];
  /** Description of the user and their wishes, for readers of a report. */
  readonly instruction?: string;
  /** Sentences that a judge decides on. */
  readonly sentences?: readonly string[];
}

export interface ServiceTasks {
  /** Digest of the task set, part of a run's identity. */
  readonly digest: string;
  /** Rules of an episode with the request's options. @default the description's rules */
  readonly rules?: EpisodeRulesName | undefined;
  readonly tasks: readonly ServiceTask[];
  /** Ids of the tasks of each split, in order. */
  readonly splits: Readonly<Record<string, readonly string[]>>;
}

/** Digests of the agent's and the user's data in a state; null without such data. */
export interface ServiceState {
  readonly agent: string | null;
  readonly user: string | null;
}

/** The beginning of a task's episode. */
export interface ServiceStart {
  readonly policy: string;
  /** Tools in the form of OpenAI's chat completions. */
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  /** Tools of the simulated user. @default none */
  readonly userTools?: readonly Readonly<Record<string, unknown>>[];
  /** The agent's whole system prompt, including the policy. @default the rules' prompt */
  readonly agentPrompt?: string;
  /** The whole system prompt of the simulated user. @default made from {@link scenario} and {@link guidelines} */
  readonly userPrompt?: string;
  readonly scenario?: string;
  readonly guidelines?: string;
  /**
   * The words that open the conversation: the agent's greeting under the rules `tau2`, the user's first message under
   * `tau-bench`, the task under `solo`. @default the rules' own greeting; the simulated user opens
   */
  readonly firstMessage?: string;
  /** JSON text of the task in the benchmark's own form, for exports. */
  readonly content?: string;
  readonly state: ServiceState;
  /** Name of the service's current life, if its calls cannot be repeated. */
  readonly life?: string;
}

export interface ServiceObservation {
  readonly observation: string;
  /** True if the call has failed. */
  readonly error: boolean;
  /** The error in the environment's code that made the call fail, if one is known. */
  readonly mistake?: string;
  /** True if the state may have changed. */
  readonly changed: boolean;
  /** True if the episode has ended. */
  readonly done: boolean;
  readonly state: ServiceState;
}

export interface ServiceGrade {
  /** Reward, a number from 0 to 1. */
  readonly reward: number;
  readonly parts: readonly GradePart[];
}

/** Fields that every request about an episode has. */
interface EpisodeRequest extends ServiceDomain {
  /** Name of the episode, under which a service may keep its state. */
  readonly episode: string;
  /** Id of the task. */
  readonly task: string;
  /** The earlier calls that changed the state, in order. */
  readonly calls: readonly ServiceCall[];
  /** The `life` from the answer to `start`. */
  readonly life?: string | undefined;
}

export type StartRequest = Omit<EpisodeRequest, 'calls' | 'life'>;

export interface CallRequest extends EpisodeRequest {
  readonly call: ServiceCall;
  /** Key of the request; a repetition has the same one. */
  readonly idempotencyKey: string;
}

export interface GradeRequest extends EpisodeRequest {
  /** The whole conversation in OpenAI's form; a tool's message and a call of the user have `requestor`. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** The episode's outcome, such as `user_stop`. */
  readonly endedBy: string;
  /** The judge's verdicts, in a second request for a grade with sentences. */
  readonly verdicts?: readonly SentenceVerdict[];
}

/** An `AbortSignal`, which the types of workflow code do not have. */
interface Signal {
  readonly aborted: boolean;
}

/**
 * An environment service. Every method may throw an {@link EnvironmentServiceError}, or the signal's reason. A repeated
 * request gets the same answer.
 */
export interface EnvironmentService {
  readonly description: ServiceDescription;
  /** @param request `split` null: the tasks of all splits */
  tasks(request: ServiceDomain & { readonly split: string | null }, signal?: Signal): Promise<ServiceTasks>;
  start(request: StartRequest, signal?: Signal): Promise<ServiceStart>;
  call(request: CallRequest, signal?: Signal): Promise<ServiceObservation>;
  grade(request: GradeRequest, signal?: Signal): Promise<ServiceGrade>;
}

/**
 * - `outage`: the service is away, busy or broken (refused, timed out, 429, 5xx); a later request may succeed.
 * - `refused`: the service refuses this request with a reason (4xx); a repetition would be refused too.
 * - `invalid`: the service's answer does not follow the protocol.
 * - `contradiction`: the service gave two answers to the same request.
 * - `lost`: the service has lost the episode, whose calls cannot be repeated.
 */
export type ServiceFault = 'outage' | 'refused' | 'invalid' | 'contradiction' | 'lost';

/** Advice for an outage at the start of a command, added to the error's message. */
export const OUTAGE_ADVICE = '; start the service, or check its URL.';

export class EnvironmentServiceError extends Error {
  override readonly name = 'EnvironmentServiceError';
  readonly fault: ServiceFault;
  /** Wait before the next request in milliseconds, if the service names one. */
  readonly retryAfterMs: number | undefined;

  constructor(
    fault: ServiceFault,
    message: string,
    { retryAfterMs, cause }: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
  }
}
