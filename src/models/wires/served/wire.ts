/**
 * The server's side of a wire: reads a request as a provider does, and writes its reply, whole or as a stream, and its
 * errors. It is the inverse of the client's side (`../wire.ts`), which writes requests and reads replies.
 */

import type { Fields } from '../../../io/index.ts';

interface ServedCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, or any other text that the model wrote. */
  readonly arguments: string;
}

/** A message with a role of chat completions, on every wire. */
export interface ServedMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  /** Calls of an assistant's message. */
  readonly calls: readonly ServedCall[];
  /** Reasoning that was handed back with an assistant's message, in the form of {@link ServedReply.thought}. */
  readonly thought: string | null;
}

export interface OfferedTool {
  readonly name: string;
  /** JSON Schema of the arguments; empty without one. */
  readonly parameters: Fields;
}

export interface ServedRequest {
  readonly model: string;
  readonly messages: readonly ServedMessage[];
  readonly tools: readonly OfferedTool[];
  /** Number of characters that the request has about tools. */
  readonly toolChars: number;
  /** True if the request requires a call. */
  readonly mustCall: boolean;
  readonly wantsJson: boolean;
  readonly seed: number | null;
  readonly isStreamed: boolean;
  /** True if a stream of chat completions should end with its usage. */
  readonly wantsUsage: boolean;
  /** The response that this request continues, with the earlier messages; null on other wires. */
  readonly previousId: string | null;
}

/** A reply before it is converted to a wire's form. */
export interface ServedReply {
  /** Id of the reply, to which the wire adds its prefix. */
  readonly id: string;
  readonly model: string;
  /** Time of the reply, in seconds since 1970. */
  readonly created: number;
  /** Name of the server, for wires that report one. */
  readonly fingerprint: string;
  readonly content: string | null;
  readonly calls: readonly ServedCall[];
  /** Unreadable reasoning that the client should hand back; null: none. */
  readonly thought: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface WireError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Field of the request that has the error. @default none */
  readonly param?: string | null;
}

/** Error of a request that the server cannot read; the reason is one sentence. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest';
  readonly code: string;
  readonly param: string | null;

  constructor(message: string, code = 'invalid_request', param: string | null = null) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

export interface ServedWire {
  /**
   * @param body JSON of a request
   * @throws UnreadableRequest
   */
  read(body: unknown): ServedRequest;
  /** @returns the reply as JSON text */
  write(reply: ServedReply): string;
  /** @param reply JSON text of the whole reply. @returns server-sent events; null for a reply of another form */
  stream(reply: string, wantsUsage: boolean): string | null;
  /** @returns the error as JSON text */
  writeError(error: WireError): string;
}
