/** Model calls of one episode: the transcript goes out as deltas, what came back is entered in the books. */

import { ApplicationFailure } from '@temporalio/workflow';
import {
  AgentError,
  type CallRole,
  type Completion,
  type CompletionRequest,
  type Message,
} from '../src/agents/index.ts';
import {
  FailureType,
  MAX_CONVERSATION_BYTES,
  conversationBytes,
  episodeSeed,
  formatExcess,
  fairnessKey,
  givenPrice,
  hasVersion,
  isHoldable,
  isUserRole,
  modelOf,
  tokenCapOf,
  type CompleteInput,
  type EarlierAttempts,
  type EpisodeInput,
  type TranscriptDelta,
  type TranscriptSender,
  type UsageLedger,
} from '../src/wire/index.ts';
import { completesOf } from './activities.ts';
import type { CallHolder } from './call-holder.ts';
import { callSummary } from './details.ts';
import type { KeptSteps } from './kept-steps.ts';
import { asAgentError, earlierAttemptsOf, failedCompletion, failureTypeOf } from './failures.ts';

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

export type ModelCall = (request: CompletionRequest) => Promise<Completion>;

/**
 * Makes the `complete` of one side: the agent's, each of whose roles may have a model of its own, or the simulated
 * user's.
 *
 * What it throws because of the model's doing is an `AgentError`, which a strategy may answer with another request.
 *
 * @param kept of a fork: as long as its kept steps last, their replies answer, and no worker hears of these calls, so
 * that the first one that is made carries its conversation whole
 * @param holder keeps calls that fail for their provider's sake; without one, such a failure is thrown
 */
export function modelCalls(
  input: EpisodeInput,
  sender: TranscriptSender,
  ledger: UsageLedger,
  kept?: KeptSteps,
  holder?: CallHolder,
): ModelCall {
  const { run, config, episode, queues } = input;
  const isBounded = hasVersion(input, 4);
  const seed = episodeSeed(config.seed, episode);
  const priority = { fairnessKey: fairnessKey(run.runId) };
  let count = 0;
  return async (request) => {
    count += 1;
    if (kept?.isOpen === true) return kept.answer(request);
    kept?.requireBudget(ledger);
    if (isBounded) requireRoom(request.messages);
    const model = modelOf(config, request.role);
    const price = givenPrice(config, model);
    const cap = tokenCapOf(config, request.role);
    const activity = completesOf(queues, model.provider, config).complete;
    const summary = callSummary(request, count);
    const asked: Omit<CompleteInput, 'transcript' | 'earlier'> = {
      call: `${request.role} ${count}`,
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
      ...(request.replyFields === undefined ? {} : { replyFields: request.replyFields }),
      seed,
      maxRetries: config.maxRetries,
      ...(config.replyLimits === undefined ? {} : { replyLimits: config.replyLimits }),
      ...(config.responseCache === undefined ? {} : { cache: config.responseCache }),
      ...(price === undefined ? {} : { price }),
    };
    const delta = sender.next(request.thread, request.messages);
    const place = { call: asked.call, provider: model.provider };
    let held: EarlierAttempts | undefined;
    for (;;) {
      try {
        const output = await sendTranscript(sender, delta, (transcript, missed) => {
          const earlier = addAttempts(held, missed);
          // A held call is tried once at a time: it is the sweep that knows when a further attempt makes sense.
          const retries = held === undefined ? {} : { maxRetries: 0 };
          return activity.executeWithOptions({ summary, priority }, [
            { ...asked, ...retries, transcript, ...(earlier === undefined ? {} : { earlier }) },
          ]);
        });
        ledger.enter(request.role, output);
        if (held !== undefined) await holder?.answered(place);
        if (output.tooLong !== undefined) throw new AgentError('reply_too_long', formatExcess(output.tooLong));
        return output;
      } catch (error) {
        const failed = failedCompletion(error, held ?? NO_ATTEMPTS);
        if (failed !== null && (await holder?.hold({ ...place, ...failed })) === true) {
          held = failed.earlier;
          continue;
        }
        // The provider has answered, if only that this request is at fault.
        if (held !== undefined && failed !== null && !isHoldable(failed.failure)) await holder?.answered(place);
        throw asSideError(request.role, asAgentError(error));
      }
    }
  };
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

/**
 * A worker that does not know a conversation is sent the whole of it in one payload.
 * @throws AgentError `context_overflow`, as for a model whose context it does not fit into
 */
export function requireRoom(messages: readonly Message[]): void {
  const bytes = conversationBytes(messages);
  if (bytes <= MAX_CONVERSATION_BYTES) return;
  const message = `the conversation has ${bytes} bytes; an episode can carry ${MAX_CONVERSATION_BYTES}`;
  throw new AgentError('context_overflow', message);
}

/** The agent is not to blame for a reply of the simulated user's model that is too long: the episode has no score. */
function asSideError(role: CallRole, error: unknown): unknown {
  if (!isUserRole(role) || !(error instanceof AgentError) || error.kind !== 'reply_too_long') return error;
  return ApplicationFailure.nonRetryable(`simulated user: ${error.message}`, FailureType.UserReplyTooLong);
}
