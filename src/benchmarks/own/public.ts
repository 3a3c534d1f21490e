/** The module `tauflow/benchmark`, which a folder's `benchmark.ts` imports. */

import * as z from 'zod';
import type { EpisodeRulesName } from '../rules.ts';

export { z };

/** A tool call of agent or user. */
export interface MadeCall {
  /** @default the agent */
  readonly requestor?: 'assistant' | 'user';
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface Tool<State, Parameters extends z.ZodObject> {
  /** Tells the model what the tool does. */
  readonly description: string;
  /** The parameters. The model sees them as JSON Schema; a call with invalid arguments is answered with the reason. */
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
  /** Variables of its environment, besides `PATH`, `HOME` and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * A tool or a resource that shows the whole state as JSON; agents do not see this tool.
   * @default none: a task is graded by calls, outputs and sentences
   */
  readonly state?: {
    readonly tool?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    /** URI. */
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

/** The parts of a grade that a task can count; `grade` is the benchmark's own function. */
export type CountedPart = 'data' | 'calls' | 'outputs' | 'sentences' | 'grade';

/** A task, as `tasks.yaml` has it too. */
export interface BenchmarkTask {
  /** Letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** Name of one of the benchmark's `users`, or who the user is in words. */
  readonly user?: string;
  /** The user's wishes and manner. */
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
  /** Parts that count. @default all parts that the task has except `calls`; these too if the state is unknown */
  readonly counts?: readonly CountedPart[];
  /** @default `test` */
  readonly split?: string;
}

/** The end of an episode. */
export interface EpisodeEnd<State> {
  /** Undefined if an MCP server does not show it. */
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
  /** Small letters, digits and `-`. */
  readonly name: string;
  /** @default the digest of the folder */
  readonly version?: string;
  /** `solo` has no simulated user: the task's instruction opens. @default `tau-bench` */
  readonly rules?: EpisodeRulesName;
  /** The text that the agent has to know and to obey. @default the file `policy.md` */
  readonly policy?: string;
  /** The state of an episode's start, plain JSON. @default the files `data/*.json`, each under its name */
  readonly data?: State;
  /** @default `tasks.yaml` and `tasks/*.yaml` */
  readonly tasks?: readonly BenchmarkTask[];
  /** Users by name, in words that tasks share. */
  readonly users?: Readonly<Record<string, string>>;
  /** Decides whether a task is solved, by one answer or by several with a name each. */
  readonly grade?: (task: BenchmarkTask, end: EpisodeEnd<State>) => GradeAnswer | Promise<GradeAnswer>;
}

type GradeAnswer = boolean | Readonly<Record<string, boolean>>;

/** A benchmark as a folder's default export has it. */
export interface Benchmark extends Definition<never> {
  readonly tools: Readonly<Record<string, Tool<never, z.ZodObject>>> | McpTools;
  readonly userTools?: Readonly<Record<string, Tool<never, z.ZodObject>>>;
}

/** Gives a benchmark its types; the folder is checked when it is loaded. */
export function defineBenchmark<
  State extends object,
  P extends Readonly<Record<string, z.ZodObject>>,
  U extends Readonly<Record<string, z.ZodObject>> = Record<string, never>,
>(
  definition: Definition<State> & { readonly tools: Tools<State, P> | McpTools; readonly userTools?: Tools<State, U> },
): Benchmark {
  return definition as unknown as Benchmark;
}
