/** The tools of a benchmark: functions and MCP servers behind the same interface. */

import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { EnvironmentServiceError, type ServiceCall } from '../service/port.ts';
import { describeValue, firstLine } from '../../errors/index.ts';
import { isObject, sha256 } from '../../io/index.ts';
import type { Benchmark, McpTools, Tool } from './public.ts';
import { NotJsonError, toJsonText } from './plain-json.ts';

/** A state as text, with a digest that is the same for equal states. */
export interface BenchmarkState {
  readonly text: string;
  readonly digest: string;
}

export interface OwnCallResult {
  readonly observation: string;
  readonly error: boolean;
  /** The error in the tool's code that made the call fail, if one is known. */
  readonly mistake?: string;
  readonly changed: boolean;
  readonly done: boolean;
  /** State after the call; undefined if unknown. */
  readonly state: BenchmarkState | undefined;
}

/** A tool in the form of OpenAI's chat completions. */
export type ToolForm = Readonly<Record<string, unknown>>;

export interface ToolSet {
  readonly forms: readonly ToolForm[];
  readonly userForms: readonly ToolForm[];
  /** Calls a tool. @param calls earlier calls of the episode that changed the state */
  call(episode: string, calls: readonly ServiceCall[], call: ServiceCall): Promise<OwnCallResult>;
  /** Returns the state after calls; undefined if it is unknown. */
  stateAfter(episode: string, calls: readonly ServiceCall[]): Promise<BenchmarkState | undefined>;
  /** Called when the episode has probably ended. */
  close(episode: string): void;
}

/** Returns true for the settings of an MCP server. A function tool may also be named `mcp`, but it has no command. */
export function isMcpTools(tools: unknown): tools is McpTools {
  return isObject(tools) && isObject(tools['mcp']) && !('run' in tools['mcp']);
}

/** Longest time that a call may take, in milliseconds. */
export const CALL_MS = 10_000;
/** Errors that the language itself throws, and that a tool rarely throws on purpose. */
const MISTAKES = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];
/** Longest observation, in characters. */
const MOST_OBSERVED = 1_000_000;
/** Most characters of all states in memory together. */
const MOST_KEPT = 100_000_000;

/** @throws NotJsonError */
export function toState(value: unknown): BenchmarkState {
  return { text: toJsonText(value), digest: sha256([toJsonText(value, { canonical: true })]) };
}

type FunctionTool = Tool<unknown, z.ZodObject>;
type ToolsByName = Readonly<Record<string, FunctionTool>>;

/**
 * Tools as functions on a state of plain JSON. A call works on a copy of the state, so that an exception changes
 * nothing; the copy is compared with the state by structure.
 */
export class FunctionTools implements ToolSet {
  readonly forms: readonly ToolForm[];
  readonly userForms: readonly ToolForm[];
  readonly #tools: Readonly<Record<ServiceCall['requestor'], ToolsByName>>;
  readonly #initial: BenchmarkState;
  readonly #notice: (what: string) => void;
  /** States in memory, by the calls that led to them. */
  readonly #kept = new LRUCache<string, BenchmarkState>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ text }) => text.length,
  });

  /**
   * @param initial the state that episodes begin with
   * @param notice called before each call of a tool with `tool add`
   */
  constructor(
    { tools, userTools = {} }: Pick<Benchmark, 'tools' | 'userTools'>,
    initial: BenchmarkState,
    notice: (what: string) => void,
  ) {
    this.#tools = { assistant: tools as ToolsByName, user: userTools as ToolsByName };
    this.forms = toForms(this.#tools.assistant);
    this.userForms = toForms(this.#tools.user);
    this.#initial = initial;
    this.#notice = notice;
  }

  async call(_episode: string, calls: readonly ServiceCall[], call: ServiceCall): Promise<OwnCallResult> {
    const before = await this.#fold(calls);
    const result = await this.#play(before, call);
    if (result.changed) this.#kept.set(keyOf([...calls, call]), result.state);
    return result;
  }

  async stateAfter(_episode: string, calls: readonly ServiceCall[]): Promise<BenchmarkState> {
    return await this.#fold(calls);
  }

  close(): void {
    // All episodes share these states.
  }

  async #fold(calls: readonly ServiceCall[]): Promise<BenchmarkState> {
    const kept = calls.length === 0 ? this.#initial : this.#kept.get(keyOf(calls));
    if (kept !== undefined) return kept;
    let state = this.#initial;
    for (const call of calls) {
      state = (await this.#play(state, call)).state;
      // Lets other requests be answered, and the thread's watch notice that it works.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#kept.set(keyOf(calls), state);
    return state;
  }

  async #play(
    before: BenchmarkState,
    { requestor, name, arguments: json }: ServiceCall,
  ): Promise<OwnCallResult & { state: BenchmarkState }> {
    const failed = (message: string, mistake?: string) =>
      ({ observation: `Error: ${message}`, error: true, mistake, changed: false, done: false, state: before }) as const;
    const tool = Object.hasOwn(this.#tools[requestor], name) ? this.#tools[requestor][name] : undefined;
    if (tool === undefined) return failed(`there is no tool ${name}`);
    this.#notice(`tool ${name}`);
    const args = await readArguments(tool, json);
    if ('problem' in args) return failed(args.problem);
    const state: unknown = JSON.parse(before.text);
    try {
      const answer: unknown = await withinLimit(`tool ${name}`, async () => await tool.run(state, args.value));
      const observation = typeof answer === 'string' ? answer : toJsonText(answer ?? null);
      if (observation.length > MOST_OBSERVED) return failed(`${name} answered more than ${MOST_OBSERVED} characters`);
      const after = toState(state);
      const changed = after.digest !== before.digest;
      return { observation, error: false, changed, done: tool.ends === true, state: changed ? after : before };
    } catch (error) {
      if (error instanceof EnvironmentServiceError) throw error;
      if (error instanceof NotJsonError) {
        const mistake = `gave what is not plain JSON: ${error.message}`;
        return failed(`${name} ${mistake}`, mistake);
      }
      const mistake = MISTAKES.some((kind) => error instanceof kind)
        ? `failed: ${firstLine(describeValue(error))}`
        : undefined;
      return failed(error instanceof Error ? error.message : String(error), mistake);
    }
  }
}

function keyOf(calls: readonly ServiceCall[]): string {
  return sha256([JSON.stringify(calls.map(({ requestor, name, arguments: json }) => [requestor, name, json]))]);
}

/** @throws EnvironmentServiceError if it takes too long */
export async function withinLimit<T>(what: string, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EnvironmentServiceError('refused', describeSlow(what))), CALL_MS);
  });
  return await Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

/** @param what code that was running, such as `tool add` */
export function describeSlow(what: string): string {
  return `the ${what} did not return within ${CALL_MS / 1_000} s; correct it in the benchmark's folder.`;
}

/** Most problems in one answer to the model. */
const MOST_ISSUES = 5;

async function readArguments(
  { parameters }: FunctionTool,
  json: string,
): Promise<{ readonly value: Record<string, unknown> } | { readonly problem: string }> {
  let given: unknown;
  try {
    given = json.trim() === '' ? {} : JSON.parse(json);
  } catch {
    return { problem: 'the arguments are no JSON' };
  }
  const parsed = await parameters.safeParseAsync(given);
  if (parsed.success) return { value: parsed.data };
  const issues = parsed.error.issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
  });
  return { problem: `the arguments do not fit: ${issues.join('; ')}` };
}

function toForms(tools: ToolsByName): ToolForm[] {
  return Object.entries(tools).map(([name, { description, parameters }]) => {
    const { $schema, ...schema } = z.toJSONSchema(parameters, { io: 'input' });
    return { type: 'function', function: { name, description, parameters: schema } };
  });
}
