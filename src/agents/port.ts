/**
 * The port of agent strategies: a strategy sees only two functions and a few texts. It does not depend on Temporal, so
 * it can be read, tested and replaced without a server. In the episode workflow the functions are backed by activities,
 * in unit tests by plain objects.
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

/** Thrown if the model made it impossible to continue. The episode ends with reward 0 and this message. */
export class AgentError extends Error {
  readonly kind: AgentErrorKind;

  constructor(kind: AgentErrorKind, message: string) {
    super(message);
    this.name = 'AgentError';
    this.kind = kind;
  }
}

/**
 * A line of the episode's live transcript, which Temporal UI shows while the episode runs. `what` is the field's term:
 * plan, thought, command, step, observation; `reply` is the agent's message to the user, `user` the user's.
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
  /** The domain: `retail`. */
  readonly env: string;
  readonly firstMessage: string;
  /**
   * The trajectory, which the results file shows as `traj`. The strategy appends to it during the conversation, so that
   * it is there even if the episode ends in an error. An assistant message has at most one tool call, the executed one.
   */
  readonly trajectory: Message[];
  /** Returns how many environment steps may still be taken. */
  stepsLeft(): number;
  /** Makes one model call. Rejects if the provider does not answer; a strategy does not catch that. */
  complete(request: CompletionRequest): Promise<Completion>;
  /** Takes one environment action; `respond` goes to the simulated user. */
  step(action: Action, settings?: StepSettings): Promise<StepResult>;
  /** Counts an event, which the episode's record shows under this name (snake_case). */
  count(name: string, by?: number): void;
  /** Adds a line to the live transcript. Nothing reads it back, so results do not depend on it. */
  transcribe(line: TranscriptLine): void;
  /** Set if every call of a reply is executed. @default only the first one */
  readonly takesAllCalls?: true | undefined;
  /** Set if the agent is a service. */
  readonly service?: ServicePort | undefined;
}

/** JSON, part of every run's configuration. Absent options have their defaults. */
export interface StrategyOptions {
  /** Leave the policy text out of the agent's prompts (a variant, named in the results). */
  readonly omitPolicy: boolean;
  /** ReAct (true) or Act (false), for a strategy with both. */
  readonly useReasoning: boolean;
  /** Names from the former flag `--compat`; absent in new runs. */
  readonly compat?: readonly string[];
  /** Plan actions and return them without taking a step. @default false */
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
  /** sha256 of the file and of all that it imports, lower-case hex. */
  readonly digest: string;
}

/** How a strategy ended: the environment was done, no steps were left, it only had to decide, or the agent ended it. */
export type SolveEnd = 'done' | 'max_steps' | 'decided' | 'agent_stop';

export type Strategy = (session: AgentSession, options: StrategyOptions) => Promise<SolveEnd>;

/** Facts that a strategy's texts may be derived from. */
export interface StrategyTextContext {
  /** The domain: `retail`. */
  readonly env: string;
  readonly policy: string;
  /** The tool schemas as one line of JSON, in Python's spelling. */
  readonly toolsJson: string;
  readonly options: StrategyOptions;
}

/** Model calls of a strategy that can have a model and settings of their own. */
export interface ModelRole {
  /** The role's part of a flag, as in `--planner-model`. */
  readonly name: string;
  /** Completes "the model that …" in help. */
  readonly description: string;
  readonly calls: readonly CallRole[];
  /** Name of the role whose model is the default. @default the agent's model */
  readonly fallback?: string;
  /**
   * Temperature of these calls in the strategy's original, used if a run names none; null: none is sent. @default the
   * temperature of the default model
   */
  readonly temperature?: number | null;
}

/** Facts of an environment for a strategy, before a sweep starts. */
export interface StrategyEnvironment {
  readonly env: string;
  readonly tools: readonly string[];
  readonly options: StrategyOptions;
}

/** The shortest way to solve a task. */
export interface LeastSolution {
  readonly actions: number;
  /** True if the last action ends the conversation, such as a transfer to a person. */
  readonly endsItself: boolean;
}

/** A conversation with the model: the role to which its calls are counted, and its name within the episode. */
export type ConversationName = Pick<CompletionRequest, 'role' | 'thread'>;

/** Kinds of option values. A value that equals its default is left out of a run's options. */
export type OptionKind =
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default: string }
  | {
      readonly kind: 'integer' | 'number';
      readonly min?: number;
      readonly max?: number;
      readonly default: number;
    }
  /** @default false */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  /** Words, given as `a b` or `a,b`. */
  | { readonly kind: 'list' }
  /** Pairs of names, given as `command=tool`; a pair of equal names has no effect and is left out. */
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
  /** Words that name a run with the option, `{}` standing for its value; null: none. @default value and key */
  readonly variant?: string | null;
  /** `--help` lists it; otherwise only `--help-all` does. */
  readonly isEssential?: true;
  /**
   * Set if other strategies ignore the option instead of refusing it, as tau-bench's `run.py` does. @default they
   * refuse it
   */
  readonly ignoredElsewhere?: true;
}

/** Changes to the tools that a condition makes. */
export interface ToolChanges {
  /** Equal for equal changes. */
  readonly key: string;
  /** Gives a tool or parameter its other name. */
  readonly name: (name: string) => string;
  /** Gives the names in a text the other ones. */
  readonly text: (text: string) => string;
  /** Gives arguments the benchmark's own names, at every level. */
  readonly restore: (parameters: PyDict) => PyDict;
  /** Further tools in OpenAI's form, a JSON list. */
  readonly addedToolsJson: string;
}

export interface StrategyDefinition {
  readonly name: string;
  readonly solve: Strategy;
  /**
   * Continues a conversation that another strategy has begun. The session's trajectory contains it from the user's
   * first message on, in tau-bench's form: tool calls and their results, and plain messages. The strategy puts its own
   * system message before it.
   * @default it cannot
   */
  readonly takeOver?: Strategy;
  /**
   * Set if the trajectory is this conversation, message by message, so that each of the agent's completions can be read
   * from it.
   * @default some completions are not in the trajectory
   */
  readonly conversation?: ConversationName;
  /** Form of the actions in the trajectory. @default 'tools' */
  readonly form?: TrajectoryForm;
  /**
   * Temperature that the strategy's original sends, used if a run names none; null: none is sent.
   * @default 0, as in tau-bench
   */
  readonly temperature?: number | null;
  /** @default the agent's model makes all calls */
  readonly modelRoles?: readonly ModelRole[];
  /** True if it can plan its actions without taking them ({@link StrategyOptions.decisionOnly}). @default it cannot */
  readonly decisionOnly?: true;
  /** Its own options, from which flags, config file keys and names of variants derive. @default none */
  readonly options?: readonly StrategyOption[];
  /**
   * Counts the agent's model calls in an episode that is solved with the ground truth's actions.
   * @default one per action, and one for the last message
   */
  readonly leastCalls?: (solution: LeastSolution, options: StrategyOptions) => number;
  /** Notes for readers of its figures, one sentence each; a function if they depend on options. */
  readonly notes?: readonly string[] | ((options: StrategyOptions) => readonly string[]);
  /** Conflicts, one sentence each with what to do, for a warning before the sweep starts. */
  readonly check?: (environment: StrategyEnvironment) => readonly string[];
  /** Returns fields of replies by the names that requests use; undefined for an unknown name. */
  readonly replyFields?: (key: string, env: string) => readonly ReplyFieldDefinition[] | undefined;
  /** Texts that a worker renders when a prompt refers to them (`strategy-text`). */
  readonly texts?: Readonly<Record<string, (context: StrategyTextContext) => string>>;
  /** Adapts the strategy to the tools of a domain that it has no commands for. @default it refuses the domain */
  readonly commandsOfTools?: {
    /** Makes plain JSON for the run's configuration. */
    readonly make: (toolsJson: string) => readonly unknown[];
    /** @returns the same strategy for the same commands */
    readonly adapt: (commands: unknown) => StrategyDefinition;
  };
  /**
   * Gives the strategy other names of tools than its own, and more of them. A strategy that reads the tools of the pack
   * needs none of it.
   * @returns the same strategy for equal keys
   */
  readonly withTools?: (changes: ToolChanges) => StrategyDefinition;
  /** Domains that the strategy supports. @default every domain */
  readonly domains?: readonly string[];
  /** The variant's name for the leaderboard row and the results, e.g. `TC`. */
  readonly label: string;
}
