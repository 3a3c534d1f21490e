/**
 * An environment service: the environment, tasks and grades of a benchmark that is no part of the program. One is asked
 * over HTTP, one is a folder that runs in the worker; both answer the same four requests.
 *
 * The state after n calls follows from the task and the calls before, so every request carries the earlier calls that
 * changed the state: a service may keep nothing, and a repeated request gets the same answer.
 */

import type { EpisodeRulesName } from '../rules.ts';
import type { GradePart } from '../grade.ts';
import type { SentenceVerdict } from '../types.ts';

/** A service's description of itself. */
export interface ServiceDescription {
  /** Part of a run's identity, as is {@link version}. */
  readonly name: string;
  readonly version: string;
  /** False: its calls cannot be made again, so an episode belongs to one life of the service. */
  readonly replays: boolean;
  readonly rules: EpisodeRulesName;
  readonly domains: readonly string[];
  /** JSON Schema of its options. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Values of a run's options that a person leaves out. @default the first split; the rules' own number of steps */
  readonly defaults?: { readonly split?: string; readonly maxSteps?: number };
}

/** A domain of a service, with its options. */
export interface ServiceDomain {
  readonly domain: string;
  /** Values of the service's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Place of a service; `replays` is set where a person says so of one that does not say it itself. */
export type ServiceSource =
  | { readonly kind: 'url'; readonly url: string; readonly replays?: true | undefined }
  | { readonly kind: 'folder'; readonly path: string }
  /** A program that is started for it, such as `tau2`. */
  | { readonly kind: 'adapter'; readonly name: string };

/** A domain of a service as a run knows it. The domain is the service's own name for it. */
export interface EnvironmentRef
  extends ServiceDomain, Pick<ServiceDescription, 'name' | 'version' | 'rules' | 'replays'> {
  readonly source: ServiceSource;
  /** Time limit of a request, in seconds. @default 1,800 */
  readonly requestTimeout?: number | undefined;
}

/** A tool call. Arguments are JSON text, so that `131.0` stays as it is. */
export interface ServiceCall {
  readonly requestor: 'assistant' | 'user';
  readonly name: string;
  readonly arguments: string;
}

/** A task, as the program may know it; agents are shown nothing of it. */
export interface ServiceTask {
  readonly id: string;
  /** The ground truth, for the scripted model, checks and fault attribution. Absent: the service keeps it to itself. */
  readonly actions?: readonly ServiceCall[];
  /** Texts that the agent must say, for the same readers. */
  readonly outputs?: readonly string[];
  /** The user and their wishes, for people who read a report. */
  readonly instruction?: string;
  /** Sentences that a judge decides on. */
  readonly sentences?: readonly string[];
}

export interface ServiceTasks {
  /** Digest of the task set, part of a run's identity. */
  readonly digest: string;
  /** Rules of an episode with the request's options. @default those of the description */
  readonly rules?: EpisodeRulesName | undefined;
  readonly tasks: readonly ServiceTask[];
  /** Split name → ids of its tasks, in order. */
  readonly splits: Readonly<Record<string, readonly string[]>>;
}

/** Digests of a state, of the agent's data and of the user's; null where there are none. */
export interface ServiceState {
  readonly agent: string | null;
  readonly user: string | null;
}

/** The beginning of an episode of a task. */
export interface ServiceStart {
  readonly policy: string;
  /** Tools in the form of OpenAI's chat completions. */
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  /** Tools of the simulated user. @default none */
  readonly userTools?: readonly Readonly<Record<string, unknown>>[];
  /** The agent's whole system prompt, of which the policy is part. @default that of the rules */
  readonly agentPrompt?: string;
  /** The whole system prompt of the simulated user. @default made of {@link scenario} and {@link guidelines} */
  readonly userPrompt?: string;
  readonly scenario?: string;
  readonly guidelines?: string;
  /**
   * The words that open the conversation: the agent's greeting under the rules `tau2`, the user's first message under
   * `tau-bench`, the task under `solo`. @default the rules' own greeting; the simulated user opens
   */
  readonly firstMessage?: string;
  readonly state: ServiceState;
  /** The life of a service whose calls cannot be made again. */
  readonly life?: string;
}

export interface ServiceObservation {
  readonly observation: string;
  /** True if the call has failed. */
  readonly error: boolean;
  /** The mistake in the environment's code that made it fail, where it is known to be one. */
  readonly mistake?: string;
  /** True if the state may have changed. */
  readonly changed: boolean;
  /** True if the episode has ended. */
  readonly done: boolean;
  readonly state: ServiceState;
}

export interface ServiceGrade {
  /** A number from 0 to 1. */
  readonly reward: number;
  readonly parts: readonly GradePart[];
}

/** Fields that every request about an episode has. */
interface EpisodeRequest extends ServiceDomain {
  /** Names the episode; a service may keep its state under it. */
  readonly episode: string;
  /** Id of the task. */
  readonly task: string;
  /** The earlier calls that changed the state, in order. */
  readonly calls: readonly ServiceCall[];
  /** The life that `start` answered. */
  readonly life?: string | undefined;
}

export type StartRequest = Omit<EpisodeRequest, 'calls' | 'life'>;

export interface CallRequest extends EpisodeRequest {
  readonly call: ServiceCall;
  /** The same for a request that is sent again. */
  readonly idempotencyKey: string;
}

export interface GradeRequest extends EpisodeRequest {
  /** The whole conversation in OpenAI's form; a tool's message and a call of the user have `requestor`. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** The episode's outcome, such as `user_stop`. */
  readonly endedBy: string;
  /** The judge's verdicts, when it is asked again for a grade that had sentences. */
  readonly verdicts?: readonly SentenceVerdict[];
}

/** An `AbortSignal`, which the types of workflow code do not have. */
interface Signal {
  readonly aborted: boolean;
}

/**
 * Every method may throw an {@link EnvironmentServiceError}, or the signal's reason; asked again, it answers the same.
 */
export interface EnvironmentService {
  readonly description: ServiceDescription;
  /** @param request `split` null: all of them */
  tasks(request: ServiceDomain & { readonly split: string | null }, signal?: Signal): Promise<ServiceTasks>;
  start(request: StartRequest, signal?: Signal): Promise<ServiceStart>;
  call(request: CallRequest, signal?: Signal): Promise<ServiceObservation>;
  grade(request: GradeRequest, signal?: Signal): Promise<ServiceGrade>;
}

/**
 * - `outage`: the service is away, busy or broken (refused, timed out, 429, 5xx): asked again later, it may answer.
 * - `refused`: it says why it does not answer this request (4xx); asking again changes nothing.
 * - `invalid`: what it answered is none of the protocol's answers.
 * - `contradiction`: it answered the same request differently.
 * - `lost`: it has lost the episode, whose calls cannot be made again.
 */
export type ServiceFault = 'outage' | 'refused' | 'invalid' | 'contradiction' | 'lost';

/** Says what a person does about an outage at the start of a command, after the message of the error. */
export const OUTAGE_ADVICE = '; start the service, or check its URL.';

export class EnvironmentServiceError extends Error {
  override readonly name = 'EnvironmentServiceError';
  readonly fault: ServiceFault;
  /** Milliseconds until the service wants to be asked again, where it says so. */
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
