/**
 * The port of a wire: one API form in which completions are asked for. A wire writes a request, sends it by its SDK, and
 * reads the answer; retries, prices, and which wire a model is spoken to by are decided elsewhere.
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
  /** Removes the key from what the provider says, whose texts must otherwise stay as they are. */
  readonly removeKey: Redact;
}

/** A reply as a wire reads it: what the provider wants back is JSON text in the wire's own form. */
export interface WireReply extends Omit<ModelReply, 'message'> {
  readonly message: Omit<AssistantMessage, 'continuation'>;
  /** Handed back unread with a later request; absent: the provider wants nothing back. */
  readonly continuation?: string;
}

export interface Wire {
  /**
   * Makes one request, without retries.
   * @param model as the provider knows it
   * @param request of whose messages only those of this provider, model and wire have a continuation
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
