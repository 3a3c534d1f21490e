/**
 * Asks an agent that speaks A2A, by the official SDK: protocol 1.0 or 0.3, over JSON-RPC or HTTP+JSON. A request is one
 * message; a task that goes on is followed, by its stream or by asking for it, until it has an answer.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { withA2AExtensions, ServiceParameters, type Client, type RequestOptions } from '@a2a-js/sdk/client';
import { A2AError } from '@a2a-js/sdk/errors';
import { TaskState } from '@a2a-js/sdk';
import { LRUCache } from 'lru-cache';
import { ModelCallError } from '../../models/index.ts';
import { FailureType } from '../../wire/index.ts';
import { AnswerProblem, readAnswer, type TurnAnswer } from '../answer.ts';
import {
  A2A_EXTENSION,
  failure,
  invalidAnswer,
  shown,
  withinTime,
  type A2aTools,
  type AgentService,
  type AskOptions,
} from '../http.ts';
import type { TurnRequest } from '../protocol.schema.ts';
import type { FoundCard } from './card.ts';
import { connect, forgetConnection } from './client.ts';
import { enterEvent, isSettled, partsSaid, toMessage, type Peer, type Said } from './message.ts';
import { dataOf, textOf } from './parts.ts';
import { readAction } from './text.ts';

const FIRST_POLL_MS = 200;
const LAST_POLL_MS = 5_000;

/** Times at which an agent's process was away: what it kept in memory is lost. Milliseconds since 1970, by URL. */
const away = new LRUCache<string, number>({ max: 1_000 });

/**
 * Asks the agent once. An agent that does not announce our extension does not know a repeated request, and nobody learns
 * what it still knows after a crash: it has forgotten, and is walked through the episode in a new context.
 * @throws ModelCallError as `askAgent` does
 */
export async function askA2a(
  service: AgentService,
  tools: A2aTools,
  body: TurnRequest,
  options: AskOptions,
): Promise<TurnAnswer> {
  try {
    return await withinTime(service, options, async (signal) => {
      const { client, found } = await connect(service, options);
      const peer: Partial<Peer> = options.peer === undefined ? {} : (JSON.parse(options.peer) as Peer);
      if (found.announced === null && body.request > 1 && (options.isRepeated === true || isLost(service, peer))) {
        throw failure(service, FailureType.AgentForgot, 'may have lost the conversation');
      }
      const startedAt = Date.now();
      const said = await converse(client, service, toMessage(body, tools, peer), signal);
      const answer = readSaid(service, said, { tools, request: body.request, found, options });
      return { ...answer, peer: JSON.stringify(nextPeer(said, peer, startedAt)) };
    });
  } catch (error) {
    if (error instanceof ModelCallError && error.failure.type === FailureType.ModelUnavailable) {
      forgetConnection(service);
      if (error.failure.status === undefined && error.failure.isTimeout !== true) away.set(service.url, Date.now());
    }
    throw error;
  }
}

function isLost({ url }: AgentService, { since = Infinity }: Partial<Peer>): boolean {
  return (away.get(url) ?? 0) >= since;
}

function nextPeer(said: Said, before: Partial<Peer>, startedAt: number): Peer {
  const isOpen = 'task' in said && said.task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;
  const context = ('task' in said ? said.task.contextId : said.message.contextId) || before.context;
  return {
    ...(context === undefined ? {} : { context }),
    ...(isOpen ? { task: said.task.id } : {}),
    since: before.since ?? startedAt,
  };
}

async function converse(
  client: Client,
  service: AgentService,
  message: ReturnType<typeof toMessage>,
  signal: AbortSignal,
): Promise<Said> {
  const extended = message.extensions.length > 0;
  const options: RequestOptions = {
    signal,
    ...(extended ? { serviceParameters: ServiceParameters.create(withA2AExtensions(A2A_EXTENSION)) } : {}),
  };
  const request = { tenant: '', message, configuration: undefined, metadata: undefined };
  let said: Said | undefined;
  try {
    for await (const event of client.sendMessageStream(request, options)) {
      said = enterEvent(said, event);
      if (said !== undefined && isSettled(said)) break;
    }
    for (let wait = FIRST_POLL_MS; said !== undefined && !isSettled(said); wait = Math.min(2 * wait, LAST_POLL_MS)) {
      const task: Said = said;
      if (!('task' in task)) break;
      await sleep(wait, undefined, { signal });
      said = { task: await client.getTask({ tenant: '', id: task.task.id }, options) };
    }
  } catch (error) {
    throw signal.aborted ? error : toFailure(service, error, message.taskId !== '');
  }
  if (said === undefined)
    throw failure(service, FailureType.InvalidAnswer, 'answered with neither a message nor a task');
  return said;
}

/** Errors of the protocol that say that the request is wrong, in whatever way. */
const REFUSED: ReadonlySet<string> = new Set([
  'INVALID_PARAMS',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
]);

function toFailure(service: AgentService, error: unknown, hasTask: boolean): unknown {
  if (error instanceof ModelCallError) return error;
  if (!(error instanceof A2AError)) {
    if (!(error instanceof Error) || isOfConnection(error)) return error;
    return failure(service, FailureType.InvalidAnswer, `answered with what is no A2A${shown(error.message)}`);
  }
  const what = `answered with the error ${error.reason}${shown(error.message)}`;
  // A task that waited for the user was in the memory of a process that has ended.
  if (error.reason === 'TASK_NOT_FOUND' && hasTask) return failure(service, FailureType.AgentForgot, what);
  if (error.reason === 'INVALID_AGENT_RESPONSE') return failure(service, FailureType.InvalidAnswer, what);
  if (REFUSED.has(error.reason)) return failure(service, FailureType.RequestRefused, what);
  return failure(service, FailureType.ModelUnavailable, what, 500, true);
}

/** Errors of sockets have a code, those of the SDK have none. */
function isOfConnection(error: Error): boolean {
  return 'code' in error || (error.cause instanceof Error && 'code' in error.cause);
}

interface Reading {
  readonly tools: A2aTools;
  readonly request: number;
  readonly found: FoundCard;
  readonly options: AskOptions;
}

/** @throws ModelCallError for what is no answer */
function readSaid(service: AgentService, said: Said, { tools, request, found, options }: Reading): TurnAnswer {
  const parts = partsSaid(said);
  const text = textOf(parts);
  if ('task' in said) {
    const ended = ENDS.get(said.task.status?.state);
    if (ended !== undefined)
      throw failure(service, ended.type, `${ended.what}${shown(text ?? '')}`, ended.status, ended.retryable);
  }
  const data = tools === 'data' || found.announced !== null ? dataOf(parts) : null;
  if (data?.['error'] === 'unknown_episode') {
    throw failure(service, FailureType.AgentForgot, 'answered with unknown_episode');
  }
  const reply = { status: 200, body: data === null ? (text ?? '') : JSON.stringify(data) };
  if (data !== null) {
    try {
      return readAnswer(reply.body, request, options.onUnreadUsage);
    } catch (error) {
      if (error instanceof AnswerProblem) throw invalidAnswer(service, error.message, reply);
      throw error;
    }
  }
  if (text === null) throw invalidAnswer(service, 'no text', reply);
  if (tools !== 'text') return { answer: { kind: 'message', content: text } };
  const action = readAction(text, request);
  if ('problem' in action) throw invalidAnswer(service, action.problem, reply);
  return { answer: action };
}

interface End {
  readonly type: FailureType;
  readonly what: string;
  readonly status: number;
  readonly retryable: boolean;
}

/** Ends of a task that are no answer. */
const ENDS: ReadonlyMap<TaskState | undefined, End> = new Map([
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
