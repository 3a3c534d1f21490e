/** Finds the cause of an agent's failed request from the agent's calls that the gateway has seen. */

import type { ClosedCalls } from './gateway/binding.ts';
import { ModelCallError, refusalIn } from '../models/index.ts';
import { FailureType } from '../evaluation/index.ts';
import type { AgentTurnInput, ModelCallRequest, ModelCallResult, RefusedCall } from './payloads.ts';

interface SeenCalls extends ClosedCalls {
  /** Failure of the last model call, if its provider refused it. */
  readonly refusal: ModelCallError | null;
  /** True if the agent has not yet answered a request of the episode. */
  readonly isFirst: boolean;
  /** True if the agent was given by its URL. */
  readonly hasUrl: boolean;
}

/** Failures that an agent may pass on from one of its model calls. */
const MAY_BE_THE_MODELS: ReadonlySet<FailureType> = new Set([
  FailureType.ModelUnavailable,
  FailureType.AgentFailed,
  FailureType.RequestRefused,
  FailureType.NotAuthorised,
  FailureType.InvalidAnswer,
]);

/**
 * Returns the failure of a request to an agent: the failure of a refused model call if it caused the agent's error,
 * otherwise the agent's own.
 */
export function chooseFailure(error: unknown, { open, isDisturbed, refusal, isFirst, hasUrl }: SeenCalls): unknown {
  if (!(error instanceof ModelCallError)) return error;
  const { type, message, isNoAnswer, isUnreached } = error.failure;
  if (refusal !== null && isUnreached !== true && MAY_BE_THE_MODELS.has(type)) return refusal;
  if (isNoAnswer === true && isFirst) {
    const advice = hasUrl ? '; check --agent-url' : '';
    return new ModelCallError({
      ...{ ...error.failure, type: FailureType.RequestRefused, message: `${message}${advice}` },
      isOwnOnceWorked: true,
    });
  }
  if (type !== FailureType.AgentFailed || (open === 0 && isDisturbed !== true)) return error;
  return new ModelCallError({ type: FailureType.ModelUnavailable, retryable: true, message });
}

/** Longest text of a provider in a failure, in characters. */
const WORDS_CHARS = 80;

/** Returns the failure of an agent's model call that its provider refused; null for any other answer. */
export function refusedCall(
  { wire, model: asked }: Pick<ModelCallRequest, 'wire' | 'model'>,
  { status, body }: ModelCallResult,
  served: AgentTurnInput['model'],
): ModelCallError | null {
  const refusal = refusalIn(status, body);
  if (refusal === null) return null;
  const { provider = 'the provider', model } = served ?? {};
  const said = refusal.message.replace(/\.$/, '');
  const words = said.length <= WORDS_CHARS ? said : `${said.slice(0, WORDS_CHARS)}…`;
  const advice = adviceOn(wire, status, refusal.message, provider);
  return new ModelCallError({
    ...{ type: refusal.type, retryable: false, status, isForModel: true },
    message: `${provider} refused the agent's call of ${model ?? asked}: ${words}${advice}`,
    // The agent wrote the request, but not its path and model.
    isOwnOnceWorked: (refusal.type === FailureType.RequestRefused && !NOT_THERE.has(status)) || undefined,
  });
}

/** Returns the failure of a model call that the episode refused because the run has no model for its agent. */
export function callWithoutModel({ message }: RefusedCall): ModelCallError {
  return new ModelCallError({ type: FailureType.RequestRefused, retryable: false, isForModel: true, message });
}

/** Statuses of a path or a model that the provider does not have. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 501]);

function adviceOn(wire: ModelCallRequest['wire'], status: number, words: string, provider: string): string {
  if (!NOT_THERE.has(status)) return '';
  if (/model/i.test(words)) return '; check --model';
  if (wire === 'messages') return `; it called anthropic_url: use a provider with Messages, or model_url`;
  if (wire === 'responses') return `; it called Responses: use a provider that has them, or chat completions`;
  return `; check the address of ${provider}`;
}
