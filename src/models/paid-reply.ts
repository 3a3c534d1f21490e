/**
 * Usage of failed replies, which are paid as well. An answer of another API is not paid, such as a gateway's page or a
 * lone error.
 */

import type { Usage, WireName } from '../agents/index.ts';
import { parsedJson, type Redact } from '../io/index.ts';
import type { ModelFailure, PaidReply } from './failures.ts';
import type { ProviderRow } from './provider-table.ts';
import { nameCleaner } from './reply.ts';
import { ReplyReader, toFields } from './reply-reader.ts';
import { chatUsage, reportedCost } from './wires/chat-reply.ts';
import { messagesUsage } from './wires/messages.ts';
import { responseUsage } from './wires/responses.ts';

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

/** Member of a reply that the model has written, and the reader of its usage. */
export const REPLY_PARTS: Readonly<Record<WireName, { readonly said: string; readonly usage: typeof chatUsage }>> = {
  chat: { said: 'choices', usage: chatUsage },
  responses: { said: 'output', usage: responseUsage },
  messages: { said: 'content', usage: messagesUsage },
};

interface ReplySource {
  readonly wire: WireName;
  readonly row: Pick<ProviderRow, 'reportsCost'>;
  readonly requestedModel: string;
  readonly removeKey: Redact;
}

/**
 * Returns the usage of an answer that ended as a failure.
 * @param text the body of an answer with status 200 that contained no valid reply
 * @returns undefined for an answer that is not paid; `usageReported` is false if its usage cannot be read
 */
export function paidReply(text: string, { wire, row, requestedModel, removeKey }: ReplySource): PaidReply | undefined {
  const unread = { usage: NO_USAGE, usageReported: false, servedModel: requestedModel };
  const json = parsedJson(text);
  // The reply was cut short, or is an event stream that was not requested.
  if (json === undefined) return /^\s*(?:[[{]|data:|event:)/.test(text) ? unread : undefined;
  const fields = toFields(json);
  const { said, usage: read } = REPLY_PARTS[wire];
  const { usage: given, model } = fields;
  const { usage, usageReported } = read(given, new ReplyReader(text));
  const part = fields[said];
  if (!usageReported && !(Array.isArray(part) && part.length > 0)) return undefined;
  return {
    ...{ usage, usageReported },
    ...(row.reportsCost === true ? reportedCost(toFields(given)) : {}),
    servedModel: nameCleaner(removeKey)(model, requestedModel),
  };
}

/** Returns the usage of a failure without a text: unknown for an answer that was too large to be read completely. */
export function unreadReply({ type }: ModelFailure, requestedModel: string): PaidReply | undefined {
  return type === 'ReplyTooLong' ? { usage: NO_USAGE, usageReported: false, servedModel: requestedModel } : undefined;
}
