/**
 * The scripted model's HTTP server: OpenAI's chat-completions protocol on loopback, no streaming.
 *
 * Every answer follows from its request alone, so a client may retry, crash and come back, and so may the server.
 */

import { UsageError } from '../errors/index.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pack } from '../packs/index.ts';
import type { CaseCode } from './case-code.ts';
import { openCallLog, type CallLog } from './call-log.ts';
import { checkFaultRates, type FaultRates } from './faults.ts';
import type { Flaw } from './flaws.ts';
import { listen, shutDown } from './http.ts';
import { judgeTask } from './judge.ts';
import { ScriptedPlayer } from './player.ts';
import { ScriptedService } from './service.ts';
import { StatsKeeper, type ScriptedStats } from './stats.ts';

export interface ScriptedModelOptions {
  /** Whose tasks are played. */
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

/** The server could not be started; the message tells what to do. */
class ScriptedModelError extends UsageError {
  override readonly name = 'ScriptedModelError';
  constructor(message: string) {
    super(message);
  }
}

/** Above the idle time of usual clients, so that none reuses a connection which is just being closed. */
const KEEP_ALIVE_MS = 120_000;
const MAX_LATENCY_MS = 3_600_000;

/** @throws ScriptedModelError when the address cannot be had, the log cannot be written or an option is out of range */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { host = '127.0.0.1', port = 0, faults = {}, latencyMs = 0, seed = 0 } = options;
  const log = prepare(options);
  const stats = new StatsKeeper();
  const player = new ScriptedPlayer(options.packs, judgeTask);
  const service = new ScriptedService(player, stats, { faults, latencyMs, seed }, log);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void service.handle(request, response);
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    log?.close();
    throw new ScriptedModelError(listenProblem(error, host, port));
  }
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/v1`,
    port: bound,
    stats: () => service.stats(),
    flawOf: (code, rate) => player.flawOf(code, rate),
    close: async () => {
      await shutDown(server);
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
