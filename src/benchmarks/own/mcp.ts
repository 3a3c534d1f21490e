/** Tools of a server of the Model Context Protocol, with one process per episode. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  SdkError,
  SdkErrorCode,
  type CallToolResult,
  type Tool as McpTool,
} from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { LRUCache } from 'lru-cache';
import { firstLine } from '../../errors/index.ts';
import { jsonObject, parsedJson } from '../../io/index.ts';
import { EnvironmentServiceError, type ServiceCall } from '../service/port.ts';
import { stateValueAt } from './plain-json.ts';
import type { McpServer } from './public.ts';
import {
  CALL_MS,
  describeSlow,
  toState,
  type OwnCallResult,
  type BenchmarkState,
  type ToolForm,
  type ToolSet,
} from './tools.ts';

/** Time limit for a process to start and list its tools, in milliseconds. */
const START_MS = 30_000;
/** Time after which an unused process is ended, in milliseconds. */
const IDLE_MS = 600_000;
const MOST_PROCESSES = 200;
/** Most characters of a process's last output in messages. */
const MOST_STDERR = 2_000;

/** @param folder the benchmark's folder, to which commands and files are relative */
export async function openMcpTools(server: McpServer, folder: string): Promise<ToolSet> {
  const first = await McpProcess.start(server, folder);
  try {
    return new McpToolSet(server, folder, await first.listTools());
  } finally {
    await first.end();
  }
}

class McpToolSet implements ToolSet {
  readonly forms: readonly ToolForm[];
  readonly userForms = [];
  readonly #server: McpServer;
  readonly #folder: string;
  /** Tools that declare that they change nothing. */
  readonly #readOnly: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #processes = new LRUCache<string, McpProcess>({
    max: MOST_PROCESSES,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (process) => void process.end(),
  });
  /** The last request of each episode, because requests are answered one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(server: McpServer, folder: string, tools: readonly McpTool[]) {
    const { state } = server;
    const chosen = server.tools ?? tools.map(({ name }) => name).filter((name) => name !== state?.tool);
    for (const wanted of [...chosen, ...(state?.tool === undefined ? [] : [state.tool])]) {
      if (!tools.some(({ name }) => name === wanted)) throw refusedError(server, `has no tool ${wanted}`);
    }
    const offered = tools.filter(({ name }) => chosen.includes(name));
    this.#server = server;
    this.#folder = folder;
    this.#names = new Set(offered.map(({ name }) => name));
    this.#readOnly = new Set(
      offered.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name),
    );
    this.forms = offered.map(({ name, description = '', inputSchema }) => {
      const { $schema, ...parameters } = inputSchema;
      return { type: 'function', function: { name, description, parameters } };
    });
  }

  call(episode: string, calls: readonly ServiceCall[], call: ServiceCall): Promise<OwnCallResult> {
    return this.#inTurn(episode, async () => {
      if (!this.#names.has(call.name)) {
        const state = await (await this.#processAt(episode, calls)).state();
        return { observation: `Error: there is no tool ${call.name}`, error: true, changed: false, done: false, state };
      }
      const process = await this.#processAt(episode, calls);
      const before = await process.state();
      const { observation, error } = await process.call(call);
      const state = await process.state();
      const changed = state === undefined ? !this.#readOnly.has(call.name) : state.digest !== before?.digest;
      if (changed) process.calls = [...calls, call];
      return { observation, error, changed, done: false, state };
    });
  }

  stateAfter(episode: string, calls: readonly ServiceCall[]): Promise<BenchmarkState | undefined> {
    if (this.#server.state === undefined) return Promise.resolve(undefined);
    return this.#inTurn(episode, async () => await (await this.#processAt(episode, calls)).state());
  }

  close(episode: string): void {
    this.#processes.delete(episode);
  }

  /** Runs work after the episode's earlier requests, and once more in a new process if the process ended during it. */
  async #inTurn<T>(episode: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(episode);
    const again = async (error: unknown) => {
      this.#processes.delete(episode);
      if (error instanceof ProcessEnded) return await work();
      throw error;
    };
    const turn = (async () => {
      await before?.catch(() => undefined);
      return await work().catch(again);
    })();
    this.#turns.set(episode, turn);
    try {
      return await turn;
    } catch (error) {
      this.#processes.delete(episode);
      throw error instanceof ProcessEnded ? refusedError(this.#server, error.message) : error;
    } finally {
      if (this.#turns.get(episode) === turn) this.#turns.delete(episode);
    }
  }

  /** Returns a process in the state after `calls`: the episode's own process, or a new one that repeats the calls. */
  async #processAt(episode: string, calls: readonly ServiceCall[]): Promise<McpProcess> {
    const known = this.#processes.get(episode);
    if (known !== undefined && JSON.stringify(known.calls) === JSON.stringify(calls)) return known;
    this.#processes.delete(episode);
    const process = await McpProcess.start(this.#server, this.#folder);
    this.#processes.set(episode, process);
    for (const call of calls) await process.call(call);
    process.calls = calls;
    return process;
  }
}

/** Error of a process that ended during a request; the message is a clause. */
class ProcessEnded extends Error {}

class McpProcess {
  readonly #server: McpServer;
  readonly #client: Client;
  readonly #tmp: string;
  #stderr = '';
  #shown: Promise<BenchmarkState | undefined> | undefined;
  /** Calls that led to the process's state. */
  calls: readonly ServiceCall[] = [];

  private constructor(server: McpServer, client: Client, tmp: string) {
    this.#server = server;
    this.#client = client;
    this.#tmp = tmp;
  }

  /** @throws EnvironmentServiceError */
  static async start(server: McpServer, folder: string): Promise<McpProcess> {
    const tmp = await mkdtemp(join(tmpdir(), 'tauflow-mcp-'));
    const filled = (text: string) => text.replaceAll('{tmp}', tmp);
    const env = Object.entries(server.env ?? {}).map(([name, value]) => [name, filled(value)] as const);
    const transport = new StdioClientTransport({
      command: filled(server.command),
      args: (server.args ?? []).map(filled),
      env: { ...getDefaultEnvironment(), TMPDIR: tmp, ...Object.fromEntries(env) },
      cwd: folder,
      stderr: 'pipe',
    });
    const process = new McpProcess(server, new Client({ name: 'tauflow', version: '1' }), tmp);
    transport.stderr?.on('data', (chunk: Buffer) => {
      process.#stderr = (process.#stderr + chunk.toString()).slice(-MOST_STDERR);
    });
    try {
      await process.#client.connect(transport, { timeout: START_MS });
      return process;
    } catch (error) {
      await process.end();
      throw refusedError(server, `cannot be started: ${process.#lastWords(error)}`);
    }
  }

  async listTools(): Promise<readonly McpTool[]> {
    return (await this.#ask('tools/list', () => this.#client.listTools(undefined, { timeout: START_MS }))).tools;
  }

  async call({
    name,
    arguments: json,
  }: ServiceCall): Promise<{ readonly observation: string; readonly error: boolean }> {
    const args = json.trim() === '' ? {} : jsonObject(json);
    if (args === null) return { observation: 'Error: the arguments are no JSON object', error: true };
    this.#shown = undefined;
    return await this.#callTool(name, args);
  }

  async #callTool(name: string, args: Readonly<Record<string, unknown>>) {
    try {
      const result = await this.#ask(name, () =>
        this.#client.callTool({ name, arguments: args }, { timeout: CALL_MS }),
      );
      return { observation: toText(result), error: result.isError === true };
    } catch (error) {
      // The server, or its tool's schema, refused the call.
      if (error instanceof ProcessEnded || error instanceof EnvironmentServiceError) throw error;
      return { observation: `Error: ${firstLine(error)}`, error: true };
    }
  }

  /** Returns the current state; undefined if the benchmark does not name its source. */
  state(): Promise<BenchmarkState | undefined> {
    this.#shown ??= this.#readState();
    return this.#shown;
  }

  async #readState(): Promise<BenchmarkState | undefined> {
    const { tool, resource, arguments: args = {}, field } = this.#server.state ?? {};
    let shown: string;
    if (tool !== undefined) {
      const { observation, error } = await this.#callTool(tool, args);
      if (error) throw refusedError(this.#server, `does not show its state: ${observation}`);
      shown = observation;
    } else if (resource !== undefined) {
      const { contents } = await this.#ask(resource, () =>
        this.#client.readResource({ uri: resource }, { timeout: CALL_MS, cacheMode: 'bypass' }),
      );
      shown = contents.map((content) => ('text' in content ? content.text : '')).join('');
    } else return undefined;
    const whole = parsedJson(shown) ?? shown;
    const value = field === undefined ? whole : stateValueAt(whole, field);
    if (value === undefined) throw refusedError(this.#server, `shows a state without ${field}`);
    return toState(value);
  }

  async #ask<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      if (error.code === SdkErrorCode.RequestTimeout) {
        throw new EnvironmentServiceError('refused', describeSlow(`tool ${what}`), { cause: error });
      }
      const hasEnded: SdkErrorCode[] = [
        SdkErrorCode.ConnectionClosed,
        SdkErrorCode.NotConnected,
        SdkErrorCode.SendFailed,
      ];
      if (hasEnded.includes(error.code))
        throw new ProcessEnded(`ended in a call of ${what}: ${this.#lastWords(error)}`);
      throw error;
    }
  }

  #lastWords(error: unknown): string {
    return this.#stderr.trim().split('\n').at(-1) || firstLine(error);
  }

  async end(): Promise<void> {
    await this.#client.close().catch(() => undefined);
    await rm(this.#tmp, { recursive: true, force: true, maxRetries: 3 });
  }
}

function toText({ content, structuredContent }: CallToolResult): string {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(structuredContent ?? content);
}

function refusedError({ command }: McpServer, problem: string): EnvironmentServiceError {
  return new EnvironmentServiceError('refused', `the MCP server ${command} ${problem.replace(/\.$/, '')}.`);
}
