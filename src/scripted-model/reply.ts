/** A role's reply, before it is put into the wire protocol's envelope. */

interface ReplyToolCall {
  readonly name: string;
  /** JSON text in Python's spelling, unless it is garbled on purpose. */
  readonly arguments: string;
}

export interface ScriptedReply {
  /** Whom the request is booked to: `user`, `user/verify`, `agent`, `agent/planner`, … */
  readonly role: string;
  /** The episode in the form of its case code; null when the request belongs to none. */
  readonly episode: string | null;
  /** Number of moves that the episode's agent has made; makes the ids of tool calls differ. */
  readonly position: number;
  readonly content: string | null;
  readonly toolCall?: ReplyToolCall;
}

/** A request that cannot be played: the HTTP status and OpenAI's error fields. */
export class RequestProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.name = 'RequestProblem';
    this.status = status;
    this.code = code;
    this.param = param;
  }
}
