/**
 * Model calls of one episode: sends transcripts as deltas, sums usage, and holds a call that failed because of its
 * provider until the sweep releases it.
 */

import { AgentError, type AgentErrorKind, type CallRole } from '../agents/index.ts';
import {
  AGENT_SERVICE,
  ENVIRONMENT_SERVICE,
  FailureType,
  conditionOf,
  episodeSeed,
  failedRepliesIn,
  formatExcess,
  givenPrice,
  isUserRole,
  findModel,
  findTokenCap,
  type EarlierAttempts,
  type EvaluationConfig,
  type HeldCall,
  type ModelSettings,
  type TranscriptDelta,
} from '../evaluation/index.ts';
import { requireSpace, type CompleteInput } from './completion.ts';
import { isHoldable } from './call-holder.ts';
import type { EpisodeContext } from './context.ts';
import { callSummary } from './display.ts';
import { EpisodeError, asAgentError, earlierAttemptsIn, toFailedCall } from './failures.ts';
import { notedIn, type EpisodeInput } from './input.ts';
import type { ModelCall } from './ports.ts';
import type { ReplayedPrefix } from './replayed-prefix.ts';

/** Counter of the calls of one side, from which each call gets its name within the episode. */
export interface CallCount {
  calls: number;
}

/**
 * Creates the `complete` function of one side: the agent's, whose roles may have models of their own, or the simulated
 * user's. Errors that the model caused are thrown as `AgentError`, which a strategy may answer with another request.
 * @param prefix the prefix of a fork, whose replies answer the first calls. No worker gets these calls, so the first
 *   real call carries the whole conversation
 * @param count counter of an episode that begins anew, so that its calls get new names. @default a new counter
 */
export function modelCalls(
  context: EpisodeContext,
  prefix?: ReplayedPrefix,
  count: CallCount = { calls: 0 },
): ModelCall {
  const { input, ports, sender, ledger } = context;
  const { config, episode } = input;
  const seed = episodeSeed(config.seed, episode, input.repeat);
  return async (request) => {
    count.calls += 1;
    if (prefix?.isOpen === true) return prefix.answer(request);
    prefix?.requireBudget(ledger);
    requireSpace(request.messages);
    const { role } = request;
    const model = requireModel(config, role);
    const summary = callSummary(request, count.calls);
    const asked: Omit<CompleteInput, 'transcript' | 'earlier'> = {
      call: `${role} ${count.calls}`,
      pack: config.pack,
      split: config.split,
      episode,
      strategy: config.strategy,
      strategyOptions: config.strategyOptions,
      condition: conditionOf(config, episode),
      role,
      model,
      maxCompletionTokens: findTokenCap(config, role) ?? undefined,
      tools: request.tools ?? false,
      format: request.format ?? 'text',
      schema: request.schema,
      replyFields: request.replyFields,
      seed,
      maxRetries: config.maxRetries,
      cache: config.responseCache,
      price: givenPrice(config, model),
      ...notedIn(input),
      keepRequests: config.keepRequests || undefined,
      resumes: reusedBy(input),
    };
    const delta = sender.next(request.thread, request.messages);
    const place = { call: asked.call, provider: model.provider };
    try {
      const output = await holdableCall(context, place, async (held) => {
        const made = await sendTranscript(context, delta, (transcript, missed) => {
          const earlier = addAttempts(held, missed);
          // A held call is tried one attempt at a time, because the sweep knows when another attempt makes sense.
          const maxRetries = held === undefined ? asked.maxRetries : 0;
          const making = ports.activities.complete(summary, { ...asked, maxRetries, transcript, earlier });
          return enteringFailed(context, role, making);
        });
        ledger.enter(role, made);
        return made;
      });
      if (output.tooLong !== undefined) throw new AgentError('reply_too_long', formatExcess(output.tooLong));
      return output;
    } catch (error) {
      throw asSideError(role, asAgentError(error, ports.readFailure(error)));
    }
  };
}

/**
 * Runs a call with the new part of a conversation. If the worker lacks the rest, it repeats the call with the whole
 * conversation.
 */
export async function sendTranscript<T>(
  { sender, ports }: Pick<EpisodeContext, 'sender' | 'ports'>,
  delta: TranscriptDelta,
  call: (delta: TranscriptDelta, earlier?: EarlierAttempts) => Promise<T>,
): Promise<T> {
  try {
    return await call(delta);
  } catch (error) {
    const failure = ports.readFailure(error);
    if (failure?.type !== FailureType.TranscriptMissing) throw error;
    return await call(sender.whole(delta.thread), earlierAttemptsIn(failure));
  }
}

/**
 * Makes a call, and repeats it whenever the sweep releases it after a failure of its provider, or of the environment
 * service that its worker needs.
 * @param make makes the call, with the earlier attempts if the call was held
 */
export async function holdableCall<T>(
  { holder, ports }: Pick<EpisodeContext, 'holder' | 'ports'>,
  place: Pick<HeldCall, 'call' | 'provider' | 'answeredAt'>,
  make: (held: EarlierAttempts | undefined) => Promise<T>,
): Promise<T> {
  let held: EarlierAttempts | undefined;
  let { provider } = place;
  for (;;) {
    try {
      const output = await make(held);
      if (held !== undefined) await holder?.answered({ ...place, provider });
      return output;
    } catch (error) {
      const failed = toFailedCall(ports.readFailure(error), held ?? NO_ATTEMPTS);
      const failing = failed?.failure === FailureType.EnvironmentUnavailable ? ENVIRONMENT_SERVICE : place.provider;
      // The provider for which the call was held has answered.
      if (held !== undefined && failing !== provider) await holder?.answered({ ...place, provider });
      provider = failing;
      // An episode without a sweep has no others that might fail because of the set-up.
      const unheld = failed?.isOwnOnceWorked === true ? "the agent's fault" : 'failed';
      const fate = failed === null ? 'failed' : ((await holder?.hold({ ...place, ...failed, provider })) ?? unheld);
      if (failed !== null && fate === 'again') {
        held = failed.earlier;
        continue;
      }
      if (failed !== null && fate === "the agent's fault") {
        const why = ' (the request failed each time, while other episodes were answered)';
        throw new AgentError('agent_failed', `${failed.message}${failed.isOwnOnceWorked === true ? '' : why}`);
      }
      // The provider has answered, even if only that this request is wrong.
      if (held !== undefined && failed !== null && !isHoldable(failed.failure)) {
        await holder?.answered({ ...place, provider });
      }
      throw error;
    }
  }
}

/** Records the paid replies of a call's activity if it fails. */
export async function enteringFailed<T>(
  { ledger, ports }: Pick<EpisodeContext, 'ledger' | 'ports'>,
  role: CallRole,
  making: Promise<T>,
): Promise<T> {
  try {
    return await making;
  } catch (error) {
    const failed = failedRepliesIn(ports.readFailure(error)?.detail);
    if (failed !== undefined) ledger.enterFailed(role, failed);
    throw error;
  }
}

/** @throws EpisodeError for a strategy that makes model calls in a run without its model */
function requireModel(config: EvaluationConfig, role: CallRole): ModelSettings {
  const model = findModel(config, role);
  if (model !== null) return model;
  throw new EpisodeError(`the run names no model for the calls of ${role} (--model)`, FailureType.BadRequest);
}

/**
 * Returns the earlier episode whose calls are reused. An agent service's calls are not reused, because the service may
 * answer differently.
 */
function reusedBy({ config, resumes }: EpisodeInput): CompleteInput['resumes'] {
  return config.strategy === AGENT_SERVICE ? undefined : resumes;
}

const NO_ATTEMPTS: EarlierAttempts = { attempts: 0, apiFailures: 0 };

/**
 * @param held attempts of the failed activities
 * @param missed attempts of the activity that lacked the conversation; its API failures include those of `held`
 */
function addAttempts(
  held: EarlierAttempts | undefined,
  missed: EarlierAttempts | undefined,
): EarlierAttempts | undefined {
  if (held === undefined || missed === undefined) return missed ?? held;
  return { attempts: held.attempts + missed.attempts, apiFailures: missed.apiFailures };
}

/** Maps an error of the simulated user's model, which is not the agent's fault, to an error without a score. */
function asSideError(role: CallRole, error: unknown): unknown {
  if (!isUserRole(role) || !(error instanceof AgentError)) return error;
  const type = USERS_FAULTS[error.kind];
  return type === undefined ? error : new EpisodeError(`simulated user: ${error.message}`, type);
}

const USERS_FAULTS: Readonly<Partial<Record<AgentErrorKind, FailureType>>> = {
  reply_too_long: FailureType.UserReplyTooLong,
  invalid_tool_arguments: FailureType.MalformedReply,
  context_overflow: FailureType.ContextOverflow,
  content_filter: FailureType.ContentFilter,
};
