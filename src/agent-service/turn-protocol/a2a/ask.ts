/**
 * Sends requests to A2A agents (protocol 1.0 or 0.3, JSON-RPC or HTTP+JSON) by the official SDK. A request is one
 * message; a task is followed, by its stream or by polling, until it has an answer.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withA2AExtensions, ServiceParameters, type Client, type RequestOptions } from '@a2a-js/sdk/client';
import { TaskState, type Part } from '@a2a-js/sdk';
import { A2AError } from '@a2a-js/sdk/errors';
import { LRUCache } from 'lru-cache';
import { withoutThoughts } from '../../../agents/index.ts';
import { jsonObject, quoteBody } from '../../../io/index.ts';
import { ModelCallError } from '../../../models/index.ts';
import { FailureType } from '../../../evaluation/index.ts';
import { AnswerProblem, readTurnAnswer, type TurnAnswer } from '../answer.ts';
import {
  A2A_EXTENSION,
  failure,
  invalidAnswer,
  withinAgentTime,
  type A2aTools,
  type AgentService,
  type AskOptions,
} from '../http.ts';
import type { TurnRequest } from '../protocol.schema.ts';
import { attemptBefore, rememberFailure } from './attempts.ts';
import type { FoundCard } from './card.ts';
import { connectToAgent, forgetConnection } from './client.ts';
import { ENDS, toFailure } from './failures.ts';
import type { ReceivedTask } from './received-task.ts';
import { AnswerCollector } from './answer-collector.ts';
import { toMessage, type Peer } from './message.ts';
import { answerIn, findData, joinTextParts } from './parts.ts';
import { readAction, writeAction } from './text.ts';

const FIRST_POLL_MS = 200;
const LAST_POLL_MS = 5_000;
/** Most polls of a task whose state may be older than the request: some three seconds. */
const MOST_UNCLEAR_POLLS = 4;

/**
 * Times since 1970 at which an agent's process was unreachable and may have lost its memory, in milliseconds, by URL.
 */
const away = new LRUCache<string, number>({ max: 1_000 });

/**
 * Sends one request to the agent. An agent without our extension does not recognize a repeated request, so after a lost
 * answer it is treated as having forgotten the episode. After an error of its own it gets the same request again.
 * @throws ModelCallError as `askAgent` does
 */
export async function askA2a(
  service: AgentService,
  tools: A2aTools,
  body: TurnRequest,
  options: AskOptions,
): Promise<TurnAnswer> {
  try {
    return await withinAgentTime(service, options, async (signal) => {
      const { client, found } = await connectToAgent(service, options);
      const peer: Partial<Peer> = options.peer === undefined ? {} : (JSON.parse(options.peer) as Peer);
      const isRepeated = found.announced === null && body.request > 1 && options.isRepeated === true;
      const before = isRepeated ? attemptBefore(service, body) : undefined;
      const forgotten = () => {
        const last = before === undefined ? '' : `; the attempt before: ${before.message}`;
        return failure(service, FailureType.AgentForgot, `may have lost the conversation${last}`);
      };
      const mayBeLost = found.announced === null && body.request > 1 && isLost(service, peer);
      if (mayBeLost || (isRepeated && before?.isAnswered !== true)) throw forgotten();
      const startedAt = Date.now();
      const askIn = async (place: Partial<Peer>): Promise<TurnAnswer> => {
        const message = toMessage(body, tools, place);
        const isContinued = options.peer !== undefined;
        const said = await converse(client, service, { message, heard: place.heard, isContinued }, signal);
        try {
          const answer = readSaid(service, said, { tools, request: body.request, found, options });
          return { ...answer, peer: JSON.stringify(nextPeer(said, message.contextId, peer.since ?? startedAt)) };
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          throw failure(service, FailureType.InvalidAnswer, 'answered with data that is nested too deep');
        }
      };
      if (options.peer !== undefined) {
        return await askIn(peer).catch((error: unknown) => {
          // A failed task takes no further message.
          throw isRepeated && isRefused(error) ? forgotten() : error;
        });
      }
      // Agents that answer with messages need not name the context, and recognize the next request only by it.
      return await askIn({ context: randomUUID() }).catch(async (error: unknown) => {
        if (mayRefuseContext(error)) return await askIn({});
        throw error;
      });
    });
  } catch (error) {
    if (error instanceof ModelCallError && error.failure.retryable) rememberFailure(service, body, error);
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

function isRefused(error: unknown): boolean {
  return error instanceof ModelCallError && error.failure.type === FailureType.RequestRefused;
}

/** True if the agent may refuse contexts that it has not named itself. */
function mayRefuseContext(error: unknown): boolean {
  if (!(error instanceof ModelCallError)) return false;
  const { type, message } = error.failure;
  if (type === FailureType.RequestRefused) return true;
  const isOfAgent = type === FailureType.ModelUnavailable || type === FailureType.InvalidAnswer;
  return isOfAgent && /\b(?:context|session)/i.test(message);
}

function nextPeer(said: AnswerCollector, sentContext: string, since: number): Peer {
  const { task } = said;
  const context = said.context || sentContext;
  return {
    context: context === '' ? undefined : context,
    task: task?.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED ? task.id : undefined,
    heard: said.remember(),
    since,
  };
}

interface PreparedMessage {
  readonly message: ReturnType<typeof toMessage>;
  readonly heard: ReceivedTask | undefined;
  /** True if the agent has answered a request of the conversation. */
  readonly isContinued: boolean;
}

/** Returns the agent's answer when it is complete. */
async function converse(
  client: Client,
  service: AgentService,
  { message, heard, isContinued }: PreparedMessage,
  signal: AbortSignal,
): Promise<AnswerCollector> {
  const extended = message.extensions.length > 0;
  const serviceParameters = extended ? ServiceParameters.create(withA2AExtensions(A2A_EXTENSION)) : undefined;
  const options: RequestOptions = { signal, serviceParameters };
  const request = { tenant: '', message, configuration: undefined, metadata: undefined };
  const hearing = new AnswerCollector({ ...message, heard });
  try {
    for await (const event of client.sendMessageStream(request, options)) {
      hearing.enter(event);
      if (hearing.standing() === 'settled') break;
    }
    hearing.endStream();
    let unclear = 0;
    for (let wait = FIRST_POLL_MS; hearing.task !== null; wait = Math.min(2 * wait, LAST_POLL_MS)) {
      const standing = hearing.standing();
      if (standing === 'settled') break;
      // The state may stay as it is.
      if (standing === 'unclear' && (hearing.hasNews() || unclear++ === MOST_UNCLEAR_POLLS)) break;
      await sleep(wait, undefined, { signal });
      hearing.enterTask(await client.getTask({ tenant: '', id: hearing.task.id }, options));
    }
    if (hearing.task !== null && hearing.mayBeInHistory) {
      const whole = await client.getTask({ tenant: '', id: hearing.task.id }, options).catch((error: unknown) => {
        // A server may drop its tasks; the agent has then said nothing.
        if (error instanceof A2AError) return null;
        throw error;
      });
      if (whole !== null) hearing.enterTask(whole);
    }
  } catch (error) {
    throw signal.aborted ? error : toFailure(service, error, { isContinued, hasTask: message.taskId !== '' });
  }
  if (hearing.isEmpty) throw failure(service, FailureType.InvalidAnswer, 'answered with neither a message nor a task');
  return hearing;
}

interface Reading {
  readonly tools: A2aTools;
  readonly request: number;
  readonly found: FoundCard;
  readonly options: AskOptions;
}

/** Returns the agent's text; in the text form also an action that the agent sends as data. */
function writtenIn(parts: readonly Part[], tools: A2aTools): string {
  const text = joinTextParts(parts)?.trim() ?? '';
  const data = tools === 'text' && text === '' ? findData(parts) : null;
  return data === null ? text : writeAction(data);
}

/** @throws ModelCallError for anything but an answer */
function readSaid(
  service: AgentService,
  said: AnswerCollector,
  { tools, request, found, options }: Reading,
): TurnAnswer {
  const parts = said.parts();
  const written = writtenIn(parts, tools);
  const ended = ENDS.get(said.task?.status?.state);
  if (ended !== undefined)
    throw failure(service, ended.type, `${ended.what}${quoteBody(written)}`, ended.status, ended.retryable);
  const json = tools === 'data' || found.announced !== null ? answerIn(parts) : null;
  if (json !== null) {
    if (jsonObject(json)?.['error'] === 'unknown_episode') {
      throw failure(service, FailureType.AgentForgot, 'answered with unknown_episode');
    }
    try {
      return readTurnAnswer(json, request, options.onUnreadUsage);
    } catch (error) {
      if (error instanceof AnswerProblem) throw invalidAnswer(service, error.message, { status: 200, body: json });
      throw error;
    }
  }
  const text = withoutThoughts(written);
  const reply = { status: 200, body: written };
  if (text === '') {
    const what =
      written !== '' ? 'a thought and no text' : said.task === null ? 'no text' : 'a task without a new text';
    throw invalidAnswer(service, what, reply);
  }
  if (tools !== 'text') return { answer: { kind: 'message', content: text } };
  const action = readAction(text, request);
  // A word of the action may look like a marker of a thought.
  const read = 'problem' in action ? readAction(written, request) : action;
  if ('problem' in read) throw invalidAnswer(service, read.problem, reply);
  if (read.kind !== 'message') return { answer: read };
  const content = withoutThoughts(read.content);
  if (content === '' && read.content !== '') throw invalidAnswer(service, 'a thought and no text', reply);
  return { answer: { kind: 'message', content } };
}
