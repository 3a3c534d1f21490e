/** A call of a judge model, and what is kept of an answer that cannot be read. */

import { withRemedy, type AdaptiveLimits, type CallModel, type PriceCall } from '../src/models/index.ts';
import { isTruncated, type JudgeSettings } from '../src/wire/index.ts';
import { idempotencyKey, priced, type CallAttempt } from './model-calls.ts';

export interface JudgeDeps {
  readonly callModel: CallModel;
  /** Those that `callModel` goes through. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  readonly random?: () => number;
}

interface Question {
  readonly prompt: { readonly system: string; readonly user: string };
  /** Names the call, also when it is made again. */
  readonly name: string;
  /** @default as the model likes */
  readonly format?: 'json';
}

/** Makes the call, and prices it. */
export async function askJudge(
  { callModel, priceCall }: JudgeDeps,
  settings: JudgeSettings,
  call: CallAttempt,
  { prompt: { system, user }, name, format }: Question,
) {
  const { model, maxCompletionTokens } = settings;
  const calling = callModel(
    {
      ...model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      ...(format === undefined ? {} : { format }),
      ...(maxCompletionTokens === undefined ? {} : { maxCompletionTokens }),
      idempotencyKey: idempotencyKey(call, name),
    },
    call.callOptions,
  );
  const reply = await calling.catch((error: unknown) => {
    throw withRemedy(error, 'agent', model.wire);
  });
  return priced(priceCall, settings, reply);
}

/** Characters of an unreadable answer that a verdict keeps. */
const UNREAD_CHARS = 500;

export function describeUnread(content: string, finishReason: string): string {
  const start = content.length > UNREAD_CHARS ? `${content.slice(0, UNREAD_CHARS)}…` : content;
  const cut = isTruncated(finishReason) ? ' (cut by the token limit; raise it with --max-completion-tokens)' : '';
  return `${JSON.stringify(start)}${cut}`;
}
