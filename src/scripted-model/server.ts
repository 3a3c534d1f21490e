/**
 * The scripted model's HTTP server: the APIs of chat completions, Responses and Messages on loopback, streamed or not.
 * A request alone determines its answer, so client and server may be restarted at any time.
 */

import { UsageError } from '../errors/index.ts';
import { Refusal, closeServer, listen, parsedJson, readBody, requestPath, sendJson, sendText } from '../io/index.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Pack } from '../benchmarks/packs/index.ts';
import type { CaseCode } from './case-code.ts';
import { openCallLog, StatsKeeper, type CallLog, type ScriptedStats, type LoggedCall } from './stats.ts';
import {
  checkFaultRates,
  drawFault,
  retryAfterSeconds,
  drawsMalformedArguments,
  withMalformedArguments,
  type FaultRates,
  type InjectedFault,
} from './faults.ts';
import { judgeTask, type Flaw } from './flaws.ts';
import { Hold, holdRequestSchema, awaitClose, delay } from './http.ts';
import { ScriptedResponder, MODELS, readModelName } from './responder.ts';
import { createHash } from 'node:crypto';
import type { WireName } from '../agents/index.ts';
import { SERVED_WIRES, UnreadableRequest, type ServedRequest } from '../models/index.ts';
import { readConversation } from './conversation.ts';
import { continueFrom, nameResponse } from './previous-response.ts';
import { RequestProblem } from './problem.ts';
import { FINGERPRINT, requireThoughts, toServedReply, toTokens, type ScriptedReply } from './reply.ts';

export interface ScriptedModelOptions {
  readonly packs: readonly Pack[];
  /** Port to listen on. @default 0, a free one */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Latency of every completion, in milliseconds. @default 0 */
  readonly latencyMs?: number;
  /** Rates of injected faults. @default none */
  readonly faults?: FaultRates;
  /** Seed that decides which requests get faults. @default 0 */
  readonly seed?: number;
  /** File to which a line for each completion is written before the reply is sent. @default none */
  readonly logFile?: string;
}

export interface ScriptedModel {
  /** Base URL for clients: `http://127.0.0.1:8123/v1`. */
  readonly url: string;
  readonly port: number;
  stats(): ScriptedStats;
  /**
   * Returns the mistake of an episode's agent under `oracle:<rate>`; null if there is none.
   * @throws RequestProblem if no loaded pack has the task
   */
  findFlaw(code: CaseCode, rate: number): Flaw | null;
  /** Closes the server and open connections. */
  close(): Promise<void>;
}

/** Error of a server that could not be started. */
class ScriptedModelError extends UsageError {
  override readonly name = 'ScriptedModelError';
  constructor(message: string) {
    super(message);
  }
}

/** Keep-alive time in ms, longer than that of usual clients, so that none reuses a connection that is being closed. */
const KEEP_ALIVE_MS = 120_000;
const MAX_LATENCY_MS = 3_600_000;
const MAX_BODY_BYTES = 64 * 2 ** 20;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** @throws ScriptedModelError if the address or the log is unusable, or an option is out of range */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { host = '127.0.0.1', port = 0, faults = {}, latencyMs = 0, seed = 0 } = options;
  const log = prepare(options);
  const stats = new StatsKeeper();
  const responder = new ScriptedResponder(options.packs, judgeTask);
  const service = new ScriptedService(responder, stats, { faults, latencyMs, seed }, log);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void service.handle(request, response);
  });
  let bound: number;
  try {
    bound = await listen(server, { port, host });
  } catch (error) {
    log?.close();
    throw new ScriptedModelError(listenProblem(error, host, port));
  }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/v1`,
    port: bound,
    stats: () => service.stats(),
    findFlaw: (code, rate) => responder.findFlaw(code, rate),
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

/** Behavior of the server: faults, and the latency of replies. */
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

  /** Answers a request or closes the connection; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `scripted-${process.pid}-${++this.#requestCount}`;
    response.setHeader('x-request-id', requestId);
    const path = requestPath(request).replace(/^\/v1(?=\/)/, '');
    const wire = WIRES.get(path);
    try {
      if (request.method === 'POST' && wire !== undefined) {
        await this.#complete(wire, await readBody(request, MAX_BODY_BYTES), requestId, response);
      } else if (request.method === 'POST' && path === COUNT_PATH) {
        const { promptChars } = readConversation(readRequest('messages', await readBody(request, MAX_BODY_BYTES)));
        sendJson(response, 200, { input_tokens: toTokens(promptChars) });
      } else if (request.method === 'GET' && path === '/models') {
        sendJson(response, 200, modelsBody(MODELS));
      } else if (request.method === 'GET' && path === '/stats') {
        sendJson(response, 200, this.stats());
      } else if (request.method === 'POST' && path === '/hold') {
        this.#hold.set(parseHold(await readBody(request, MAX_BODY_BYTES)));
        sendJson(response, 200, this.stats());
      } else {
        throw new RequestProblem(
          404,
          'not_found',
          `The scripted model has no ${request.method ?? ''} ${request.url ?? ''}; it serves POST ` +
            '/v1/chat/completions, /v1/responses and /v1/messages, GET /v1/models and /stats, and POST /hold.',
        );
      }
    } catch (error) {
      const form = wire ?? (path.startsWith('/messages') ? 'messages' : 'chat');
      sendError(response, form, toProblem(error));
    }
  }

  async #complete(wire: WireName, body: string, requestId: string, response: ServerResponse): Promise<void> {
    const receivedAt = Date.now();
    const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    const seen = this.#stats.received(digest);
    try {
      const fault = drawFault(this.#behaviour.faults, this.#behaviour.seed, digest, seen);
      if (fault !== undefined) {
        this.#stats.failed(fault);
        if (fault !== 'malformedBody') return await this.#fail(fault, { digest, seen, wire }, response);
      }
      const request = readRequest(wire, body);
      const { model, previousId, isStreamed, wantsUsage } = request;
      const asked = readConversation(request);
      const conversation = previousId === null ? asked : continueFrom(previousId, asked);
      const thinks = conversation.tools.length > 0 && readModelName(model).thinks;
      if (thinks) requireThoughts(request);
      const reply = this.#spoil(digest, this.#responder.play(model, conversation));
      // A reply whose client has gone is made and counted too.
      if (!(await delay(this.#behaviour.latencyMs, response))) this.#stats.abandoned();
      const id = wire === 'responses' ? nameResponse(reply, conversation) : requestId;
      const served = toServedReply(reply, { id, model, promptChars: conversation.promptChars, thinks });
      const form = SERVED_WIRES[wire];
      const text = form.write(served);
      if (fault === 'malformedBody')
        return sendText(response, 200, text.slice(0, Math.floor(text.length / 2)), JSON_TYPE);
      await this.#hold.pass(this.#enter({ digest, receivedAt, model }, reply), response);
      const events = isStreamed ? form.stream(text, wantsUsage) : null;
      sendText(response, 200, events ?? text, events === null ? JSON_TYPE : { 'Content-Type': 'text/event-stream' });
    } catch (error) {
      if (error instanceof RequestProblem || error instanceof UnreadableRequest) this.#stats.refused();
      throw error;
    } finally {
      this.#stats.finished();
    }
  }

  /** Returns the reply, with malformed arguments if a fault is drawn. */
  #spoil(digest: string, reply: ScriptedReply): ScriptedReply {
    const { faults, seed } = this.#behaviour;
    if (!drawsMalformedArguments(faults.malformedArguments ?? 0, seed, digest)) return reply;
    const spoilt = withMalformedArguments(reply);
    if (spoilt === undefined) return reply;
    this.#stats.failed('malformedArguments');
    return spoilt;
  }

  /**
   * Counts a completion before it is sent, so that the counters include it when the client has its answer.
   * @returns its number, from 1
   */
  #enter(
    { digest, receivedAt, model }: Pick<LoggedCall, 'digest' | 'receivedAt' | 'model'>,
    { role, episode }: ScriptedReply,
  ): number {
    this.#log?.append({ digest, role, episode, model, receivedAt, completedAt: Date.now() });
    return this.#stats.completed(digest, role, episode);
  }

  async #fail(
    fault: Exclude<InjectedFault, 'malformedBody'>,
    { digest, seen, wire }: { readonly digest: string; readonly seen: number; readonly wire: WireName },
    response: ServerResponse,
  ): Promise<void> {
    switch (fault) {
      case 'rateLimit': {
        response.setHeader('retry-after', String(retryAfterSeconds(this.#behaviour.seed, digest, seen)));
        const message = 'Rate limit reached (injected by the scripted model).';
        sendError(response, wire, new RequestProblem(429, 'rate_limit_exceeded', message));
        return;
      }
      case 'serverError': {
        const message = 'The server had an error (injected by the scripted model).';
        sendError(response, wire, new RequestProblem(500, 'server_error', message));
        return;
      }
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
      case 'hang':
        await awaitClose(response);
        return;
      default:
        fault satisfies never;
    }
  }
}

const WIRES: ReadonlyMap<string, WireName> = new Map([
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
]);
/** Path of Anthropic's request to count tokens. */
const COUNT_PATH = '/messages/count_tokens';

/** @throws RequestProblem, UnreadableRequest */
function readRequest(wire: WireName, body: string): ServedRequest {
  const value = parsedJson(body);
  if (value === undefined) throw new RequestProblem(400, 'invalid_json', 'The request body is not JSON.');
  return SERVED_WIRES[wire].read(value);
}

function parseHold(body: string): number | null {
  try {
    return holdRequestSchema.parse(JSON.parse(body)).after;
  } catch {
    throw new RequestProblem(400, 'invalid_request', 'POST /hold takes {"after": N}, or {"after": null} to release.');
  }
}

function modelsBody(models: readonly string[]): object {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 0, owned_by: FINGERPRINT })) };
}

function toProblem(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  if (error instanceof Refusal) return new RequestProblem(error.status, 'invalid_request', error.message);
  if (error instanceof UnreadableRequest) return new RequestProblem(400, error.code, error.message, error.param);
  return new RequestProblem(500, 'scripted_model_failed', error instanceof Error ? error.message : String(error));
}

function sendError(response: ServerResponse, wire: WireName, problem: RequestProblem): void {
  sendText(response, problem.status, SERVED_WIRES[wire].writeError(problem), JSON_TYPE);
}
