/** Answers requests: faults first, then the role that a request asks for, after its latency. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallLog, LoggedCall } from './call-log.ts';
import { readConversation } from './conversation.ts';
import { completionBody, errorBody, modelsBody } from './envelope.ts';
import { drawFault, retryAfterSeconds, type FaultKind, type FaultRates } from './faults.ts';
import { drawsMalformedArguments, withMalformedArguments } from './garble.ts';
import { Hold, holdRequestSchema } from './hold.ts';
import { closed, delay, readBody, sendJson, sendText } from './http.ts';
import { MODELS } from './model-name.ts';
import type { ScriptedPlayer } from './player.ts';
import { RequestProblem, type ScriptedReply } from './reply.ts';
import { chatRequestSchema, type ChatRequest } from './request.schema.ts';
import type { ScriptedStats, StatsKeeper } from './stats.ts';

export interface Behaviour {
  readonly faults: FaultRates;
  readonly latencyMs: number;
  readonly seed: number;
}

export class ScriptedService {
  readonly #player: ScriptedPlayer;
  readonly #stats: StatsKeeper;
  readonly #behaviour: Behaviour;
  readonly #log: CallLog | undefined;
  readonly #hold = new Hold();
  #requestCount = 0;

  constructor(player: ScriptedPlayer, stats: StatsKeeper, behaviour: Behaviour, log: CallLog | undefined) {
    this.#player = player;
    this.#stats = stats;
    this.#behaviour = behaviour;
    this.#log = log;
  }

  stats(): ScriptedStats {
    return this.#stats.snapshot(this.#hold.held);
  }

  /** Never rejects: whatever happens becomes a response, or the end of the connection. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `scripted-${process.pid}-${++this.#requestCount}`;
    response.setHeader('x-request-id', requestId);
    try {
      const path = ((request.url ?? '/').split(/[?#]/, 1)[0] ?? '/').replace(/^\/v1(?=\/)/, '');
      if (request.method === 'POST' && path === '/chat/completions') {
        await this.#complete(await readBody(request), requestId, response);
      } else if (request.method === 'GET' && path === '/models') {
        sendJson(response, 200, modelsBody(MODELS));
      } else if (request.method === 'GET' && path === '/stats') {
        sendJson(response, 200, this.stats());
      } else if (request.method === 'POST' && path === '/hold') {
        this.#hold.set(parseHold(await readBody(request)));
        sendJson(response, 200, this.stats());
      } else {
        throw new RequestProblem(
          404,
          'not_found',
          `The scripted model has no ${request.method ?? ''} ${request.url ?? ''}; it serves ` +
            'POST /v1/chat/completions, GET /v1/models, GET /stats and POST /hold.',
        );
      }
    } catch (error) {
      if (error instanceof RequestProblem) sendJson(response, error.status, errorBody(error));
      else sendProblem(response, 500, 'scripted_model_failed', error instanceof Error ? error.message : String(error));
    }
  }

  async #complete(body: Buffer, requestId: string, response: ServerResponse): Promise<void> {
    const receivedAt = Date.now();
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    const seen = this.#stats.received(digest);
    try {
      const fault = drawFault(this.#behaviour.faults, this.#behaviour.seed, digest, seen);
      if (fault !== undefined) {
        this.#stats.failed(fault);
        if (fault !== 'malformedBody') return await this.#fail(fault, digest, seen, response);
      }
      const request = parseRequest(body);
      const conversation = readConversation(request);
      const reply = this.#spoil(digest, this.#player.play(request.model, conversation));
      // A reply whose client has gone is made all the same, and would be billed.
      if (!(await delay(this.#behaviour.latencyMs, response))) this.#stats.abandoned();
      const text = JSON.stringify(completionBody(request.model, reply, conversation.promptChars, requestId));
      if (fault === 'malformedBody') return sendText(response, 200, text.slice(0, Math.floor(text.length / 2)));
      await this.#hold.pass(this.#enter({ digest, receivedAt, model: request.model }, reply), response);
      sendText(response, 200, text);
    } catch (error) {
      if (error instanceof RequestProblem) this.#stats.refused();
      throw error;
    } finally {
      this.#stats.finished();
    }
  }

  /** The reply, or what a fault makes of its arguments. */
  #spoil(digest: string, reply: ScriptedReply): ScriptedReply {
    const { faults, seed } = this.#behaviour;
    if (!drawsMalformedArguments(faults.malformedArguments ?? 0, seed, digest)) return reply;
    const spoilt = withMalformedArguments(reply);
    if (spoilt === undefined) return reply;
    this.#stats.failed('malformedArguments');
    return spoilt;
  }

  /**
   * Books a completion before it is sent: a client that has its answer always finds it counted.
   * @returns which completion it is, counted from 1
   */
  #enter(
    { digest, receivedAt, model }: Pick<LoggedCall, 'digest' | 'receivedAt' | 'model'>,
    { role, episode }: ScriptedReply,
  ): number {
    this.#log?.append({ digest, role, episode, model, receivedAt, completedAt: Date.now() });
    return this.#stats.completed(digest, role, episode);
  }

  async #fail(
    fault: Exclude<FaultKind, 'malformedBody'>,
    digest: string,
    seen: number,
    response: ServerResponse,
  ): Promise<void> {
    switch (fault) {
      case 'rateLimit':
        response.setHeader('retry-after', String(retryAfterSeconds(this.#behaviour.seed, digest, seen)));
        sendProblem(response, 429, 'rate_limit_exceeded', 'Rate limit reached (injected by the scripted model).');
        return;
      case 'serverError':
        sendProblem(response, 500, 'server_error', 'The server had an error (injected by the scripted model).');
        return;
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
      case 'hang':
        await closed(response);
        return;
      default:
        fault satisfies never;
    }
  }
}

function parseRequest(body: Buffer): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new RequestProblem(400, 'invalid_json', 'The request body is not JSON.');
  }
  const parsed = chatRequestSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new RequestProblem(400, 'invalid_request', `This is no chat-completions request: ${problems.join('; ')}.`);
  }
  if (parsed.data.stream === true) {
    throw new RequestProblem(
      400,
      'unsupported_value',
      'The scripted model does not stream; leave out stream.',
      'stream',
    );
  }
  if ((parsed.data.n ?? 1) !== 1) {
    throw new RequestProblem(400, 'unsupported_value', 'The scripted model gives one choice; leave out n.', 'n');
  }
  return parsed.data;
}

function parseHold(body: Buffer): number | null {
  try {
    return holdRequestSchema.parse(JSON.parse(body.toString('utf8'))).after;
  } catch {
    throw new RequestProblem(400, 'invalid_request', 'POST /hold takes {"after": N}, or {"after": null} to release.');
  }
}

function sendProblem(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, errorBody(new RequestProblem(status, code, message)));
}
