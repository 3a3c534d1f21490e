/** Failures of requests from A2A errors, and from tasks that end without an answer. */

import { TaskState } from '@a2a-js/sdk';
import { A2AError, fromJsonRpcErrorResponse, fromRestErrorBody } from '@a2a-js/sdk/errors';
import { ModelCallError } from '../../../models/index.ts';
import { HttpServiceError, isObject, quoteBody, type Fields } from '../../../io/index.ts';
import { FailureType } from '../../../evaluation/index.ts';
import { failure, toAgentFailure, withoutAnswer, type AgentService } from '../http.ts';

/** Finds the error in a body of JSON-RPC, HTTP+JSON, or HTTP+JSON of protocol 0.3; null: none. */
export function errorIn(body: Fields): A2AError | null {
  const error = isObject(body['error']) ? body['error'] : body;
  const { code, message } = error;
  if (typeof code !== 'number') return null;
  const text = typeof message === 'string' ? message : '';
  return code < 0
    ? fromJsonRpcErrorResponse({ jsonrpc: '2.0', id: null, error: { code, message: text } })
    : fromRestErrorBody({ ...error, message: text }, { statusCode: code });
}

export function internalError(message: string): A2AError {
  return new A2AError({ message });
}

/** Conversation, and task within it, that a request may continue. */
interface ConversationContext {
  readonly isContinued: boolean;
  readonly hasTask: boolean;
}

/** Errors of the protocol for a wrong request. */
const REFUSED: ReadonlySet<string> = new Set([
  'INVALID_PARAMS',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
]);

/** Converts an A2A error to a failure; returns an error of the connection unchanged. */
export function toFailure(
  service: AgentService,
  error: unknown,
  { isContinued, hasTask }: ConversationContext,
): unknown {
  const typed = typedCause(error);
  if (typed instanceof ModelCallError) return typed;
  if (typed instanceof HttpServiceError) return withoutAnswer(service, typed);
  if (typed === null) {
    if (!(error instanceof Error) || isOfConnection(error)) return error;
    return failure(service, FailureType.InvalidAnswer, `answered with what is no A2A${quoteBody(error.message)}`);
  }
  const status = findHttpStatus(typed);
  const isUnknown = (isContinued && typed.reason === 'TASK_NOT_FOUND') || (hasTask && status === 404);
  const what = `answered with the error ${typed.reason}${quoteBody(typed.message)}`;
  // A process that has ended forgot the task that waited for the user.
  if (isUnknown) return failure(service, FailureType.AgentForgot, what);
  if (status !== null) return toAgentFailure(service, { status, headers: new Headers(), body: typed.message });
  if (typed.reason === 'INVALID_AGENT_RESPONSE') return failure(service, FailureType.InvalidAnswer, what);
  if (REFUSED.has(typed.reason)) return failure(service, FailureType.RequestRefused, what);
  return failure(service, FailureType.ModelUnavailable, what, 500, true);
}

/** Most nested errors that are searched; the SDK wraps those of a stream. */
const MOST_CAUSES = 5;

function typedCause(error: unknown): A2AError | ModelCallError | HttpServiceError | null {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth++) {
    if (cause instanceof A2AError || cause instanceof ModelCallError || cause instanceof HttpServiceError) return cause;
    cause = cause.cause;
  }
  return null;
}

/** The HTTP status that an error gives as its code, without a reason of the protocol; null: none. */
function findHttpStatus(error: A2AError): number | null {
  if (error.reason !== 'INTERNAL_ERROR') return null;
  const { statusCode, envelopeCode = statusCode } = error as { statusCode?: number; envelopeCode?: number };
  return envelopeCode !== undefined && envelopeCode >= 400 && envelopeCode <= 599 ? envelopeCode : null;
}

/** True for errors of sockets, which have a code, unlike the SDK's. */
function isOfConnection(error: Error): boolean {
  return 'code' in error || (error.cause instanceof Error && 'code' in error.cause);
}

interface End {
  readonly type: FailureType;
  readonly what: string;
  readonly status: number;
  readonly retryable: boolean;
}

/** Final states of tasks without an answer. */
export const ENDS: ReadonlyMap<TaskState | undefined, End> = new Map([
  [
    TaskState.TASK_STATE_FAILED,
    { type: FailureType.ModelUnavailable, what: 'answered with a task that failed', status: 500, retryable: true },
  ],
  [
    TaskState.TASK_STATE_CANCELED,
    {
      type: FailureType.ModelUnavailable,
      what: 'answered with a task that was canceled',
      status: 500,
      retryable: true,
    },
  ],
  [
    TaskState.TASK_STATE_REJECTED,
    { type: FailureType.InvalidAnswer, what: 'has rejected the task', status: 200, retryable: false },
  ],
  [
    TaskState.TASK_STATE_AUTH_REQUIRED,
    {
      type: FailureType.NotAuthorised,
      what: 'asks for another authorization; set TAUFLOW_AGENT_KEY on the worker',
      status: 401,
      retryable: false,
    },
  ],
]);
