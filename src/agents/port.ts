/**
 * The port of agent strategies: a strategy sees only two functions and a few texts. It does not depend on Temporal, so
 * it can be read, tested and replaced without a server. The episode workflow implements the functions by activities,
 * unit tests by plain objects.
 */

import type { Action, StepResult, TrajectoryForm } from '../benchmarks/index.ts';
import type { PyDict } from '../benchmarks/python/index.ts';
import type { CallRole, Completion, CompletionRequest, Message, ReplyFieldDefinition } from './messages.ts';
import type { ServicePort } from './service-agent/port.ts';

export type * from './messages.ts';

/** Reason why a strategy had to stop. The model or the agent caused it, never the infrastructure. */
export type AgentErrorKind =
  | 'invalid_tool_arguments'
  | 'invalid_action'
  | 'missing_content'
  | 'ungradable_content'
  | 'unparsable_reply'
  /** A reply or an observation is longer than the run allows. */
  | 'reply_too_long'
  | 'observation_too_long'
  /** More calls of agent and user have failed than the benchmark allows. */
  | 'too_many_errors'
  | 'context_overflow'
  | 'content_filter'
  /** An agent service or function itself has failed at a request. */
  | 'agent_failed';

/** Error with which the model made it impossible to continue. The episode ends with reward 0 and this message. */
export class AgentError extends Error {
  readonly kind: AgentErrorKind;

  constructor(kind: AgentErrorKind, message: string) {
    super(message);
    this.name = 'AgentError';
    this.kind = kind;
  }
}

/**
 * A line of the episode's live transcript, which Temporal UI shows while the episode runs. `what` is its kind: plan,
 * thought, command, step, observation; `reply` for the agent's message to the user, `user` for the user's message.
 */
export interface TranscriptLine {
  readonly what: 'plan' | 'thought' | 'command' | 'step' | 'observation' | 'clarification' | 'reply' | 'user' | 'note';
  readonly text: string;
}

export interface StepSettings {
  /** True for a further call of the previous step's reply. @default the step begins a reply */
  readonly continues?: true;
}

export interface AgentSession {
  /** Name of the domain: `retail`. */
  readonly env: string;
  readonly firstMessage: string;
  /**
   * The trajectory, which the results file shows as `traj`. The strategy appends to it during the conversation, so that
   * it is complete even if the episode ends in an error. An assistant message has at most one tool call, the executed
   * one.
   */
  readonly trajectory: Message[];
  /** Returns the number of environment steps left. */
  stepsLeft(): number;
  /** Makes one model call. Rejects if the provider does not answer; a strategy does not catch this error. */
  complete(request: CompletionRequest): Promise<Completion>;
  /** Takes one environment action; `respond` goes to the simulated user. */
  step(action: Action, settings?: StepSettings): Promise<StepResult>;
  /** Adds to a counter, which the episode's record shows under its name (snake_case). */
  count(name: string, by?: number): void;
  /** Adds a line to the live transcript. Results do not depend on it, because no code reads it. */
  transcribe(line: TranscriptLine): void;
  /** Set if every call of a reply is executed. @default only the first one */
  readonly takesAllCalls?: true | undefined;
  /** Set if the agent is a service. */
  readonly service?: ServicePort | undefined;
}

/** Options of a strategy: JSON, part of every run's configuration. Absent options have their defaults. */
export interface StrategyOptions {
  /** True to leave the policy text out of the agent's prompts (a variant, named in the results). */
  readonly omitPolicy: boolean;
  /** True for ReAct, false for Act, for a strategy with both. */
  readonly useReasoning: boolean;
  /** Names from the former flag `--compat`; absent in new runs. */
  readonly compat?: readonly string[];
  /** True to plan actions and return them without taking a step. @default false */
  readonly decisionOnly?: boolean;
  /** File of the strategy. @default none for a built-in strategy */
  readonly agentFile?: AgentFile;
  /**
   * Commands that {@link StrategyDefinition.commandsOfTools} has made, for a domain without commands of the strategy's
   * own.
   */
  readonly toolCommands?: unknown;
  /** The strategy's own options ({@link StrategyDefinition.options}), which only it reads. */
  readonly [option: string]: unknown;
}

/** A file with a user's own agent. The digest identifies it; the path is on the machine that started the run. */
export interface AgentFile {
  readonly path: string;
  /** sha256 of the file and of all its imports, lower-case hex. */
  readonly digest: string;
}

/**
 * How a strategy ended: the environment was done, no steps were left, the strategy had only to decide on an action, or
 * the agent ended it.
 */
export type SolveEnd = 'done' | 'max_steps' | 'decided' | 'agent_stop';

export type Strategy = (session: AgentSession, options: StrategyOptions) => Promise<SolveEnd>;

/** Facts that a strategy's texts may be derived from. */
export interface StrategyTextContext {
  /** Name of the domain: `retail`. */
  readonly env: string;
  readonly policy: string;
  /** The tool schemas as one line of JSON, in Python's spelling. */
  readonly toolsJson: string;
  readonly options: StrategyOptions;
}

/** Model calls of a strategy that can have a model and settings of their own. */
export interface ModelRole {
  /** Part of flags for the role, as in `--planner-model`. */
  readonly name: string;
  /** Text for help after "the model that …". */
  readonly description: string;
  readonly calls: readonly CallRole[];
  /** Name of the role whose model is the default. @default the agent's model */
  readonly fallback?: string;
  /**
   * Temperature of these calls in the strategy's original, for a run that sets none; null: none is sent. @default the
   * temperature of the default model
   */
  readonly temperature?: number | null;
}

/** Facts about an environment for a strategy, before a sweep starts. */
export interface StrategyEnvironment {
  readonly env: string;
  readonly tools: readonly string[];
  readonly options: StrategyOptions;
}

/** The shortest way to solve a task. */
export interface LeastSolution {
  readonly actions: number;
  /** True if the last action ends the conversation, such as a transfer to a human. */
  readonly endsItself: boolean;
}

/** A conversation with the model: the role of its calls, and its name within the episode. */
export type ConversationName = Pick<CompletionRequest, 'role' | 'thread'>;

/** Kind of an option's values. A value that equals the default is left out of a run's options. */
export type OptionKind =
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string }
  | {
      readonly kind: 'integer' | 'number';
      readonly min?: number;
      readonly max?: number;
      readonly default: number;
    }
  /** A switch. @default false */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  /** A list of words, given as `a b` or `a,b`. */
  | { readonly kind: 'list' }
  /** Pairs of names, given as `command=tool`; pairs of equal names have no effect and are left out. */
  | { readonly kind: 'pairs'; readonly of: string; readonly to: string }
  /** A file, recorded with its digest. */
  | { readonly kind: 'file' };

export interface StrategyOption {
  /** Key in {@link StrategyOptions}: `parameterTries`; `fewShots.leaveOut` is a key within an object of options. */
  readonly key: string;
  /** The flag without its dashes. @default the key in kebab-case: `parameter-tries` */
  readonly flag?: string;
  readonly help: string;
  readonly value: OptionKind;
  /** Name of a run's variant with the option; `{}` is replaced by the value; null: none. @default value and key */
  readonly variant?: string | null;
  /** Set if `--help` lists the option; otherwise only `--help-all` does. */
  readonly isEssential?: true;
  /**
   * Set if other strategies ignore the option instead of refusing it, as tau-bench's `run.py` does. @default other
   * strategies refuse the option
   */
  readonly ignoredElsewhere?: true;
}

/** Changes of a condition to the tools. */
export interface ToolChanges {
  /** Key of the changes, the same for equal changes. */
  readonly key: string;
  /** Returns the changed name of a tool or parameter. */
  readonly name: (name: string) => string;
  /** Replaces the names in a text by the changed ones. */
  readonly text: (text: string) => string;
  /** Returns arguments with the benchmark's own names, at every level. */
  readonly restore: (parameters: PyDict) => PyDict;
  /** Added tools in OpenAI's form, as a JSON list. */
  readonly addedToolsJson: string;
}

export interface StrategyDefinition {
  readonly name: string;
  readonly solve: Strategy;
  /**
   * Continues a conversation that another strategy has begun. The session's trajectory contains it from the user's
   * first message on, in tau-bench's form: tool calls and their results, and plain messages. The strategy puts its own
   * system message before it.
   * @default the strategy cannot continue other conversations
   */
  readonly takeOver?: Strategy;
  /**
   * Conversation that equals the trajectory, message by message, so that each of the agent's completions can be read
   * from it.
   * @default some completions are not in the trajectory
   */
  readonly conversation?: ConversationName;
  /** Form of the actions in the trajectory. @default 'tools' */
  readonly form?: TrajectoryForm;
  /**
   * Temperature that the strategy's original sends, for a run that sets none; null: none is sent.
   * @default 0, as in tau-bench
   */
  readonly temperature?: number | null;
  /** Roles with models of their own. @default the agent's model makes all calls */
  readonly modelRoles?: readonly ModelRole[];
  /**
   * True if the strategy can plan its actions without taking them ({@link StrategyOptions.decisionOnly}). @default
   * false
   */
  readonly decisionOnly?: true;
  /** The strategy's own options, from which flags, config file keys and names of variants derive. @default none */
  readonly options?: readonly StrategyOption[];
  /**
   * Counts the agent's model calls in an episode that is solved with the ground truth's actions.
   * @default one per action, and one for the last message
   */
  readonly leastCalls?: (solution: LeastSolution, options: StrategyOptions) => number;
  /** Notes for readers of the strategy's figures, one sentence each; a function if they depend on options. */
  readonly notes?: readonly string[] | ((options: StrategyOptions) => readonly string[]);
  /** Returns warnings before the sweep starts: one sentence per conflict, with what to do. */
  readonly check?: (environment: StrategyEnvironment) => readonly string[];
  /** Returns fields of replies by the names that requests use; undefined for an unknown name. */
  readonly replyFields?: (key: string, env: string) => readonly ReplyFieldDefinition[] | undefined;
  /** Texts that a worker renders when a prompt refers to them (`strategy-text`). */
  readonly texts?: Readonly<Record<string, (context: StrategyTextContext) => string>>;
  /**
   * Adapts the strategy to the tools of a domain for which it has no commands. @default the strategy refuses the domain
   */
  readonly commandsOfTools?: {
    /** Makes commands, as plain JSON for the run's configuration. */
    readonly make: (toolsJson: string) => readonly unknown[];
    /** Returns the strategy with the commands. @returns the same strategy for the same commands */
    readonly adapt: (commands: unknown) => StrategyDefinition;
  };
  /**
   * Returns the strategy with other names of tools, and with added tools. A strategy that reads the pack's tools does
   * not need this.
   * @returns the same strategy for equal keys
   */
  readonly withTools?: (changes: ToolChanges) => StrategyDefinition;
  /** Domains that the strategy supports. @default every domain */
  readonly domains?: readonly string[];
  /** Name of the variant for the leaderboard row and the results, such as `TC`. */
  readonly label: string;
}
