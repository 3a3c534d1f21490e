/** The module `tauflow/benchmark`, which a folder's `benchmark.ts` imports. */

import * as z from 'zod';
import type { EpisodeRulesName } from '../rules.ts';

export { z };

/** A tool call of agent or user. */
export interface MadeCall {
  /** Caller of the tool. @default the agent */
  readonly requestor?: 'assistant' | 'user';
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface Tool<State, Parameters extends z.ZodObject> {
  /** Description of the tool for the model. */
  readonly description: string;
  /**
   * The parameters. The model sees them as JSON Schema; a call with invalid arguments gets the reason as its
   * observation.
   */
  readonly parameters: Parameters;
  /** True if a call ends the episode, such as a transfer to a human. @default false */
  readonly ends?: boolean;
  /**
   * A pure function of state and arguments, without files, network, clock or randomness, because calls are repeated. It
   * may change the state, which is a copy; an exception undoes all changes and becomes `Error: …`.
   * @returns a text, or plain JSON; or a promise of it
   */
  readonly run: (state: State, args: z.output<Parameters>) => unknown;
}

/** The tools of a server of the Model Context Protocol; every episode has its own process. */
export interface McpServer {
  readonly command: string;
  /** Arguments. `{tmp}` in them and in `env` is replaced by an empty folder of each process. */
  readonly args?: readonly string[];
  /** Environment variables of the server, besides `PATH`, `HOME` and similar ones. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * A tool or a resource that shows the whole state as JSON; agents do not see this tool.
   * @default none: a task is graded by calls, outputs and sentences
   */
  readonly state?: {
    readonly tool?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    /** URI of the resource. */
    readonly resource?: string;
    /** Path of the state in the answer. @default the whole answer */
    readonly field?: string;
  };
  /** Names of the tools that agents have. @default all of them */
  readonly tools?: readonly string[];
}

export interface McpTools {
  readonly mcp: McpServer;
}

export function mcp(server: McpServer): McpTools {
  return { mcp: server };
}

/** A part of a grade that a task's reward may depend on; `grade` is the benchmark's own function. */
export type CountedPart = 'data' | 'calls' | 'outputs' | 'sentences' | 'grade';

/** A task, in the form of `tasks.yaml`. */
export interface BenchmarkTask {
  /** Id of the task: letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** Name of one of the benchmark's `users`, or a description of the user. */
  readonly user?: string;
  /** The user's wishes and behavior. */
  readonly instruction: string;
  /** The ground truth: calls that solve the task, in order, `{ name, arguments }` or `{ [name]: arguments }`. */
  readonly calls?: readonly (MadeCall | Readonly<Record<string, Readonly<Record<string, unknown>>>>)[];
  /**
   * Values that the state must have at the end, by path: `orders.O1.status`. Null means null or absent.
   * @default the whole state must equal the one after `calls`
   */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Texts that the agent must say to the user, in any case. */
  readonly outputs?: readonly string[];
  /** Sentences that must be true of the conversation, as a judge model decides. */
  readonly sentences?: readonly string[];
  /**
   * Parts that the reward depends on. @default all parts that the task has except `calls`; `calls` too if the state is
   * unknown
   */
  readonly counts?: readonly CountedPart[];
  /** Split of the task. @default `test` */
  readonly split?: string;
}

/** The end of an episode. */
export interface EpisodeEnd<State> {
  /** State at the end; undefined if an MCP server does not show it. */
  readonly state: State;
  /** The conversation in the form of OpenAI's chat completions, without a system message. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** All calls of agent and user, in order. */
  readonly calls: readonly Required<MadeCall>[];
}

type Tools<State, P extends Readonly<Record<string, z.ZodObject>>> = {
  readonly [Name in keyof P]: Tool<State, P[Name]>;
};

interface Definition<State> {
  /** Name of the benchmark: small letters, digits and `-`. */
  readonly name: string;
  /** Version of the benchmark. @default the digest of the folder */
  readonly version?: string;
  /** Rules of an episode. `solo` has no simulated user: the task's instruction opens. @default `tau-bench` */
  readonly rules?: EpisodeRulesName;
  /** The text that the agent has to follow. @default the file `policy.md` */
  readonly policy?: string;
  /** The state of an episode's start, plain JSON. @default the files `data/*.json`, each under its name */
  readonly data?: State;
  /** The tasks. @default `tasks.yaml` and `tasks/*.yaml` */
  readonly tasks?: readonly BenchmarkTask[];
  /** Descriptions of users by name, which tasks share. */
  readonly users?: Readonly<Record<string, string>>;
  /** Decides whether a task is solved, with one answer or several named ones. */
  readonly grade?: (task: BenchmarkTask, end: EpisodeEnd<State>) => GradeAnswer | Promise<GradeAnswer>;
}

type GradeAnswer = boolean | Readonly<Record<string, boolean>>;

/** A benchmark, the default export of a folder's definition. */
export interface Benchmark extends Definition<never> {
  readonly tools: Readonly<Record<string, Tool<never, z.ZodObject>>> | McpTools;
  readonly userTools?: Readonly<Record<string, Tool<never, z.ZodObject>>>;
}

/** Declares a benchmark, with types; the folder is checked when it is loaded. */
export function defineBenchmark<
  State extends object,
  P extends Readonly<Record<string, z.ZodObject>>,
  U extends Readonly<Record<string, z.ZodObject>> = Record<string, never>,
>(
  definition: Definition<State> & { readonly tools: Tools<State, P> | McpTools; readonly userTools?: Tools<State, U> },
): Benchmark {
  return definition as unknown as Benchmark;
}
