/**
 * The port of a wire: one form of completion API. A wire writes a request, sends it with its SDK and reads the answer.
 * Retries, prices and the choice of the wire are elsewhere.
 */

import type { AssistantMessage, WireName } from '../../agents/index.ts';
import type { ResolvedProvider } from '../providers.ts';
import type { Redact } from '../../io/index.ts';
import type { ModelReply } from '../reply.ts';
import type { ModelRequest } from '../types.ts';

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

export interface ReplyEnvelope {
  readonly requestedModel: string;
  readonly requestId: string | null;
  readonly latencyMs: number;
  /** Removes the key from the provider's texts, and changes nothing else. */
  readonly removeKey: Redact;
}

/** A reply as a wire reads it; its continuation is JSON text in the wire's form. */
export interface WireReply extends Omit<ModelReply, 'message'> {
  readonly message: Omit<AssistantMessage, 'continuation'>;
  /** Data that a later request hands back unread; absent: the provider wants nothing back. */
  readonly continuation?: string;
}

export interface Wire {
  /**
   * Makes one request, without retries.
   * @param model the provider's own name
   * @param request its messages have a continuation only if this provider, model and wire made it
   * @returns the answer, of a status 2xx
   * @throws the SDK's error for any other status
   */
  send(request: ModelRequest, model: string, options: SendOptions): Promise<Response>;
  /**
   * @param text the answer's body
   * @throws UnusableReplyError
   */
  read(text: string, envelope: ReplyEnvelope): WireReply;
}

export type CreateWire = (provider: ResolvedProvider, fetch: typeof globalThis.fetch) => Wire;

export type CreateWires = Readonly<Record<WireName, CreateWire>>;
