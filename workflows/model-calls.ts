/**
 * Model calls of one episode: transcripts are sent as deltas, usage is added up, and a call that has failed for a reason
 * that lies with its provider is held until the sweep releases it.
 */

import {
  ApplicationFailure,
  TemporalFailure,
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
  type ExternalWorkflowHandle,
} from '@temporalio/workflow';
import { AgentError, type AgentErrorKind, type CallRole } from '../src/agents/index.ts';
import {
  AGENT_SERVICE,
  FailureType,
  episodeName,
  episodeSeed,
  fairnessKey,
  formatExcess,
  givenPrice,
  isHoldable,
  isTransient,
  isUserRole,
  modelOf,
  tokenCapOf,
  type EarlierAttempts,
  type EvaluationConfig,
  type ModelSettings,
  type TranscriptDelta,
  type TranscriptSender,
  type HeldCall,
} from '../src/evaluation/index.ts';
import {
  asMarkdown,
  callSummary,
  notedIn,
  requireSpace,
  type CompleteInput,
  type EpisodeInput,
  type ModelCall,
  type ReplayedPrefix,
  type UsageLedger,
} from '../src/episode/index.ts';
import { proxyModelCalls } from './activities.ts';
import { asAgentError, earlierAttemptsOf, failedCompletion, failedRepliesOf, failureTypeOf } from './failures.ts';
import type { Deadline } from './deadline.ts';
import { callAnswered, callHeld, releaseCall } from './messages.ts';

/**
 * Runs a call with what is new in a conversation; where the worker does not know what came before, once more with
 * the whole of it.
 */
export async function sendTranscript<T>(
  sender: TranscriptSender,
  delta: TranscriptDelta,
  call: (delta: TranscriptDelta, earlier?: EarlierAttempts) => Promise<T>,
): Promise<T> {
  try {
    return await call(delta);
  } catch (error) {
    if (failureTypeOf(error) !== FailureType.TranscriptMissing) throw error;
    return await call(sender.whole(delta.thread), earlierAttemptsOf(error));
  }
}

/** Calls of one side so far: each has a name of its own within the episode. */
export interface CallCount {
  calls: number;
}

/** The model of a role. @throws ApplicationFailure for a strategy that makes model calls in a run without its model */
function requireModel(config: EvaluationConfig, role: CallRole): ModelSettings {
  const model = modelOf(config, role);
  if (model !== null) return model;
  throw ApplicationFailure.nonRetryable(`the run names no model for the calls of ${role} (--model)`);
}

/**
 * Makes the `complete` of one side: the agent's, each of whose roles may have a model of its own, or the simulated
 * user's.
 *
 * Errors that the model caused are thrown as `AgentError`, which a strategy may answer with another request.
 *
 * @param kept of a fork: as long as its replayed prefix lasts, its replies answer, and no worker sees these calls, so
 * that the first one that is made carries its conversation whole
 * @param holder keeps calls that fail for their provider's sake; without one, such a failure is thrown
 * @param count of an episode that begins anew, whose calls are no repetitions. @default none
 */
export function modelCalls(
  input: EpisodeInput,
  sender: TranscriptSender,
  ledger: UsageLedger,
  kept?: ReplayedPrefix,
  holder?: CallHolder,
  count: CallCount = { calls: 0 },
): ModelCall {
  const { run, config, episode, queues } = input;
  const seed = episodeSeed(config.seed, episode);
  const priority = { fairnessKey: fairnessKey(run.runId) };
  return async (request) => {
    count.calls += 1;
    if (kept?.isOpen === true) return kept.answer(request);
    kept?.requireBudget(ledger);
    requireSpace(request.messages);
    const model = requireModel(config, request.role);
    const price = givenPrice(config, model);
    const cap = tokenCapOf(config, request.role);
    const activity = proxyModelCalls(queues, model.provider, config).complete;
    const summary = callSummary(request, count.calls);
    const asked: Omit<CompleteInput, 'transcript' | 'earlier'> = {
      call: `${request.role} ${count.calls}`,
      pack: config.pack,
      split: config.split,
      episode,
      strategy: config.strategy,
      strategyOptions: config.strategyOptions,
      role: request.role,
      model,
      ...(cap === null ? {} : { maxCompletionTokens: cap }),
      tools: request.tools ?? false,
      format: request.format ?? 'text',
      ...(request.schema === undefined ? {} : { schema: request.schema }),
      ...(request.replyFields === undefined ? {} : { replyFields: request.replyFields }),
      seed,
      maxRetries: config.maxRetries,
      ...(config.replyLimits === undefined ? {} : { replyLimits: config.replyLimits }),
      ...(config.responseCache === undefined ? {} : { cache: config.responseCache }),
      ...(price === undefined ? {} : { price }),
      ...notedIn(input),
      ...(config.keepRequests === true ? { keepRequests: true } : {}),
      ...reusedBy(input),
    };
    const delta = sender.next(request.thread, request.messages);
    const place = { call: asked.call, provider: model.provider };
    try {
      const output = await holdableCall(holder, place, async (held) => {
        const made = await sendTranscript(sender, delta, (transcript, missed) => {
          const earlier = addAttempts(held, missed);
          // A held call is tried once at a time: it is the sweep that knows when a further attempt makes sense.
          const retries = held === undefined ? {} : { maxRetries: 0 };
          const making = activity.executeWithOptions({ summary, priority }, [
            { ...asked, ...retries, transcript, ...(earlier === undefined ? {} : { earlier }) },
          ]);
          return enteringFailed(ledger, request.role, making);
        });
        ledger.enter(request.role, made);
        return made;
      });
      if (output.tooLong !== undefined) throw new AgentError('reply_too_long', formatExcess(output.tooLong));
      return output;
    } catch (error) {
      throw asSideError(request.role, asAgentError(error));
    }
  };
}

/**
 * Makes a call, again for as long as the sweep releases it after failures that lie with its provider.
 * @param make gets the attempts so far, once the call was held
 */
export async function holdableCall<T>(
  holder: CallHolder | undefined,
  place: Pick<FailedCall, 'call' | 'provider' | 'answeredAt'>,
  make: (held: EarlierAttempts | undefined) => Promise<T>,
): Promise<T> {
  let held: EarlierAttempts | undefined;
  for (;;) {
    try {
      const output = await make(held);
      if (held !== undefined) await holder?.answered(place);
      return output;
    } catch (error) {
      const failed = failedCompletion(error, held ?? NO_ATTEMPTS);
      // An episode without a sweep has no others that might fail for the set-up.
      const unheld = failed?.isOwnOnceWorked === true ? "the agent's fault" : 'failed';
      const fate = failed === null ? 'failed' : ((await holder?.hold({ ...place, ...failed })) ?? unheld);
      if (failed !== null && fate === 'again') {
        held = failed.earlier;
        continue;
      }
      if (failed !== null && fate === "the agent's fault") {
        const why = ' (the request failed each time, while other episodes were answered)';
        throw new AgentError('agent_failed', `${failed.message}${failed.isOwnOnceWorked === true ? '' : why}`);
      }
      // The provider has answered, if only that this request is at fault.
      if (held !== undefined && failed !== null && !isHoldable(failed.failure)) await holder?.answered(place);
      throw error;
    }
  }
}

/** Enters the paid replies of a call's activity where it fails. */
export async function enteringFailed<T>(ledger: UsageLedger, role: CallRole, making: Promise<T>): Promise<T> {
  try {
    return await making;
  } catch (error) {
    const failed = failedRepliesOf(error);
    if (failed !== undefined) ledger.enterFailed(role, failed);
    throw error;
  }
}

/** A service may say something else when it is asked again, and has calls of its own. */
function reusedBy({ config, resumes }: EpisodeInput): Pick<CompleteInput, 'resumes'> {
  return resumes === undefined || config.strategy === AGENT_SERVICE ? {} : { resumes };
}

const NO_ATTEMPTS: EarlierAttempts = { attempts: 0, apiFailures: 0 };

/**
 * @param held attempts of the activities that have failed
 * @param missed attempts of the one that found the conversation missing; its API failures include those of `held`
 */
function addAttempts(
  held: EarlierAttempts | undefined,
  missed: EarlierAttempts | undefined,
): EarlierAttempts | undefined {
  if (held === undefined || missed === undefined) return missed ?? held;
  return { attempts: held.attempts + missed.attempts, apiFailures: missed.apiFailures };
}

/** The agent is not to blame for what the simulated user's model writes: the episode has no score. */
function asSideError(role: CallRole, error: unknown): unknown {
  if (!isUserRole(role) || !(error instanceof AgentError)) return error;
  const type = USERS_FAULTS[error.kind];
  return type === undefined ? error : ApplicationFailure.nonRetryable(`simulated user: ${error.message}`, type);
}

const USERS_FAULTS: Readonly<Partial<Record<AgentErrorKind, FailureType>>> = {
  reply_too_long: FailureType.UserReplyTooLong,
  invalid_tool_arguments: FailureType.MalformedReply,
  context_overflow: FailureType.ContextOverflow,
  content_filter: FailureType.ContentFilter,
};

/** Characters of a failure's message that the sweep gets: enough to recognize it. */
const MESSAGE_CHARS = 200;

/** The fate of a held call: it is made again, or its failure ends the episode. */
type HeldFate = 'again' | 'failed' | "the agent's fault";

/** A failed call as {@link CallHolder.hold} needs it. */
type FailedCall = Omit<HeldCall, 'episode'>;

/**
 * Episode side of held calls: a model call that has failed for a reason that lies with its provider waits here until the
 * sweep releases it. The episode's deadline does not run meanwhile.
 */
export class CallHolder {
  readonly #input: EpisodeInput;
  readonly #deadline: Deadline;
  /** Answers of the sweep that have not been read, by call. */
  readonly #released = new Map<string, HeldFate>();
  readonly #sweep: ExternalWorkflowHandle;
  /** Present address of an agent that is a service; undefined: that of the configuration. */
  agentUrl: string | undefined;

  /**
   * Returns the holder of an episode's calls, or undefined for an episode without a sweep, whose failures end it. To be
   * called before the workflow's first await, so that no message comes too early.
   */
  static of(input: EpisodeInput, deadline: Deadline): CallHolder | undefined {
    const { parent } = workflowInfo();
    if (parent === undefined) return undefined;
    return new CallHolder(input, deadline, getExternalWorkflowHandle(parent.workflowId));
  }

  private constructor(input: EpisodeInput, deadline: Deadline, sweep: ExternalWorkflowHandle) {
    this.#input = input;
    this.#deadline = deadline;
    this.#sweep = sweep;
    setHandler(releaseCall, ({ call, again, isAgentsFault, agentUrl }) => {
      this.#released.set(call, again ? 'again' : isAgentsFault === true ? "the agent's fault" : 'failed');
      this.agentUrl = agentUrl ?? this.agentUrl;
    });
  }

  async hold(failed: FailedCall): Promise<HeldFate> {
    const { call, provider, failure } = failed;
    if (!isHoldable(failure)) return 'failed';
    if (isTransient(failure) && this.#input.config.outageTimeoutMs === 0) return 'failed';
    const message = failed.message.slice(0, MESSAGE_CHARS);
    const wasSent = await this.#signalSweep(() =>
      this.#sweep.signal(callHeld, { ...failed, message, episode: this.#input.episode }),
    );
    if (!wasSent) return 'failed';
    setCurrentDetails(
      `**waits for ${provider}** to make ${call} again: ${failure}: ${asMarkdown(message)}\n\n${this.#commands()}`,
    );
    await this.#deadline.uncounted(() => condition(() => this.#released.has(call)));
    const fate = this.#released.get(call) ?? 'failed';
    this.#released.delete(call);
    return fate;
  }

  /** The commands for a call that is held. */
  #commands(): string {
    const { run, episode } = this.#input;
    const { runId } = run;
    const name = episodeName(episode);
    return `\`npx tauflow status ${runId}\` shows until when, \`npx tauflow cancel ${runId} ${name}\` ends the episode`;
  }

  /** Reports the answer of a call that was held. */
  async answered({ call, provider }: Pick<FailedCall, 'call' | 'provider'>): Promise<void> {
    await this.#signalSweep(() => this.#sweep.signal(callAnswered, { episode: this.#input.episode, call, provider }));
  }

  /** @returns false when there is no sweep any more that could answer */
  async #signalSweep(signal: () => Promise<void>): Promise<boolean> {
    try {
      await signal();
      return true;
    } catch (error) {
      if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
      return false;
    }
  }
}
