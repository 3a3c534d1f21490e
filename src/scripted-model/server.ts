/**
 * The scripted model's HTTP server: OpenAI's chat-completions protocol on loopback, no streaming.
 *
 * Every answer follows from its request alone, so a client may retry, crash and come back, and so may the server.
 */

import { once } from 'node:events';
import { UsageError } from '../errors/index.ts';
import { closeServer } from '../io/index.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pack } from '../packs/index.ts';
import type { CaseCode } from './case-code.ts';
import { openCallLog, StatsKeeper, type CallLog, type ScriptedStats, type LoggedCall } from './stats.ts';
import {
  checkFaultRates,
  drawFault,
  retryAfterSeconds,
  drawsMalformedArguments,
  withMalformedArguments,
  type FaultRates,
  type FaultKind,
} from './faults.ts';
import { judgeTask, type Flaw } from './flaws.ts';
import { Hold, holdRequestSchema, closed, delay, readBody, sendJson, sendText } from './http.ts';
import { ScriptedResponder, MODELS, readModelName } from './responder.ts';
import { createHash } from 'node:crypto';
import {
  readConversation,
  completionBody,
  errorBody,
  modelsBody,
  RequestProblem,
  chatRequestSchema,
  requireThoughts,
  type ScriptedReply,
  type ChatRequest,
} from './chat-completions.ts';

export interface ScriptedModelOptions {
  readonly packs: readonly Pack[];
  /** @default 0, a free one */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** Time that every completion takes. @unit milliseconds @default 0 */
  readonly latencyMs?: number;
  /** @default none */
  readonly faults?: FaultRates;
  /** Decides which requests meet faults. @default 0 */
  readonly seed?: number;
  /** A file to which a line is appended for each completion before it is sent. @default none */
  readonly logFile?: string;
}

export interface ScriptedModel {
  /** Base URL for clients: `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  readonly port: number;
  stats(): ScriptedStats;
  /**
   * The mistake that an episode's agent makes under `oracle:<rate>`; null when it makes none.
   * @throws RequestProblem when no loaded pack has the task
   */
  flawOf(code: CaseCode, rate: number): Flaw | null;
  /** Ends open connections as well. */
  close(): Promise<void>;
}

/** The server could not be started; the message says what to do. */
class ScriptedModelError extends UsageError {
  override readonly name = 'ScriptedModelError';
  constructor(message: string) {
    super(message);
  }
}

/** Longer than the idle time of usual clients, so that none reuses a connection which is just being closed. */
const KEEP_ALIVE_MS = 120_000;
const MAX_LATENCY_MS = 3_600_000;

/** @throws ScriptedModelError when the address cannot be had, the log cannot be written or an option is out of range */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { host = '127.0.0.1', port = 0, faults = {}, latencyMs = 0, seed = 0 } = options;
  const log = prepare(options);
  const stats = new StatsKeeper();
  const responder = new ScriptedResponder(options.packs, judgeTask);
  const service = new ScriptedService(responder, stats, { faults, latencyMs, seed }, log);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void service.handle(request, response);
  });
  try {
    server.listen({ port, host });
    await once(server, 'listening');
  } catch (error) {
    log?.close();
    throw new ScriptedModelError(listenProblem(error, host, port));
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/v1`,
    port: bound,
    stats: () => service.stats(),
    flawOf: (code, rate) => responder.flawOf(code, rate),
    close: async () => {
      await closeServer(server);
      log?.close();
    },
  };
}

function prepare({ faults = {}, latencyMs = 0, logFile }: ScriptedModelOptions): CallLog | undefined {
  try {
    checkFaultRates(faults);
    if (!(latencyMs >= 0 && latencyMs <= MAX_LATENCY_MS)) {
      throw new RangeError(`the latency of the scripted model is ${latencyMs} ms; give 0 to ${MAX_LATENCY_MS}.`);
    }
    return logFile === undefined ? undefined : openCallLog(logFile);
  } catch (error) {
    throw new ScriptedModelError(error instanceof Error ? error.message : String(error));
  }
}

function listenProblem(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${host} is in use; give the scripted model another port, or 0 for any free one.`;
  }
  return `the scripted model cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}.`;
}

/** Answers requests: faults first, then the role that a request asks for, after its latency. */
interface Behaviour {
  readonly faults: FaultRates;
  readonly latencyMs: number;
  readonly seed: number;
}

class ScriptedService {
  readonly #responder: ScriptedResponder;
  readonly #stats: StatsKeeper;
  readonly #behaviour: Behaviour;
  readonly #log: CallLog | undefined;
  readonly #hold = new Hold();
  #requestCount = 0;

  constructor(responder: ScriptedResponder, stats: StatsKeeper, behaviour: Behaviour, log: CallLog | undefined) {
    this.#responder = responder;
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
      const thinks = conversation.offersTools && readModelName(request.model).thinks;
      if (thinks) requireThoughts(request);
      const reply = this.#spoil(digest, this.#responder.play(request.model, conversation));
      // A reply whose client has gone is made all the same, and would be billed.
      if (!(await delay(this.#behaviour.latencyMs, response))) this.#stats.abandoned();
      const text = JSON.stringify(completionBody(request.model, reply, conversation.promptChars, requestId, thinks));
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
    throw new RequestProblem(400, 'invalid_request', `This is not a chat-completions request: ${problems.join('; ')}.`);
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
