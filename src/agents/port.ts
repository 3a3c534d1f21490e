/**
 * The port of agent strategies: two functions and a few texts are all that a strategy sees. It knows nothing of Temporal, so it can
 * be read, tested and swapped without a server. In the episode workflow the functions are backed by activities, in
 * unit tests by plain objects.
 */

import type { Action, StepResult, TrajectoryForm } from '../benchmarks/index.ts';
import type { CallRole, Completion, CompletionRequest, Message, ReplyFieldDefinition } from './messages.ts';
import type { ServicePort } from './service-agent/port.ts';

export type * from './messages.ts';

/** Reason why a strategy had to give up; each is the model's or the agent's doing, never the infrastructure's. */
export type AgentErrorKind =
  | 'invalid_tool_arguments'
  | 'invalid_action'
  | 'missing_content'
  | 'ungradable_content'
  | 'unparsable_reply'
  /** A reply or an observation is longer than a run allows. */
  | 'reply_too_long'
  | 'observation_too_long'
  /** More calls of agent and user have failed than the benchmark allows. */
  | 'too_many_errors'
  | 'context_overflow'
  | 'content_filter'
  /** An agent that is a service or a function has failed at a request by itself. */
  | 'agent_failed';

/** The model made it impossible to continue: the episode ends with reward 0 and this message. */
export class AgentError extends Error {
  readonly kind: AgentErrorKind;

  constructor(kind: AgentErrorKind, message: string) {
    super(message);
    this.name = 'AgentError';
    this.kind = kind;
  }
}

/**
 * A line of the episode's live transcript, as a person reads it in Temporal UI while the episode runs. `what` is the field's
 * term: plan, thought, command, step, observation; `reply` is what the agent says to the user, `user` what the
 * user says.
 */
export interface TranscriptLine {
  readonly what: 'plan' | 'thought' | 'command' | 'step' | 'observation' | 'clarification' | 'reply' | 'user' | 'note';
  readonly text: string;
}

export interface StepSettings {
  /** True for a further call of the previous step's reply. @default a reply of its own */
  readonly continues?: true;
}

export interface AgentSession {
  /** The domain: `retail`. */
  readonly env: string;
  readonly firstMessage: string;
  /**
   * The trajectory that the results file shows as `traj`. The strategy appends to it as the conversation goes, so that it is there
   * even when the episode ends in an error. Assistant messages carry at most the one tool call that was executed.
   */
  readonly trajectory: Message[];
  /** Environment steps that may still be taken. */
  stepsLeft(): number;
  /** One model call. Rejects when the provider cannot be made to answer; a strategy does not catch that. */
  complete(request: CompletionRequest): Promise<Completion>;
  /** One environment action; `respond` goes to the simulated user. */
  step(action: Action, settings?: StepSettings): Promise<StepResult>;
  /** Counts something that the episode's record shows under this name (snake_case). */
  count(name: string, by?: number): void;
  /** Adds a line to the live transcript. Not for results: nothing reads it back. */
  transcribe(line: TranscriptLine): void;
  /** Set if every call of a reply is executed. @default the first one alone */
  readonly takesAllCalls?: true | undefined;
  /** The agent, where it is a service. */
  readonly service?: ServicePort | undefined;
}

/** JSON: part of every run's configuration. Absent options have their default. */
export interface StrategyOptions {
  /** Leave the policy text out of the agent's prompts (a variant, named in the results). */
  readonly omitPolicy: boolean;
  /** ReAct (true) or Act (false), where a strategy has both. */
  readonly useReasoning: boolean;
  /** Names that a run of an earlier version had from `--compat`; absent in new runs. */
  readonly compat?: readonly string[];
  /** Plan actions and return them without taking a step. @default false */
  readonly decisionOnly?: boolean;
  /** File of the strategy. @default none for a built-in strategy */
  readonly agentFile?: AgentFile;
  /** Commands that {@link StrategyDefinition.commandsOfTools} has made, for a domain that the strategy is not made for. */
  readonly toolCommands?: unknown;
  /** The strategy's own options ({@link StrategyDefinition.options}), which only it reads. */
  readonly [option: string]: unknown;
}

/** A file with an agent of one's own. The digest decides; the path is where the machine that started the run has it. */
export interface AgentFile {
  readonly path: string;
  /** sha256 of the file and of all that it imports, lower-case hex. */
  readonly digest: string;
}

/** End of a strategy: the environment said done, no steps were left, it was only to decide, or the agent ended it. */
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
  /** Name of the role whose model it has by default. @default the agent's model */
  readonly fallback?: string;
  /**
   * Temperature of these calls in the strategy's original, which a run has that names no temperature; null: none is
   * sent. @default that of the model that it has by default
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

/** A conversation with the model: whom its calls are booked to, and how it is called within the episode. */
export type ConversationName = Pick<CompletionRequest, 'role' | 'thread'>;

/** Values that an option takes. A value at its default is left out of a run's options. */
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
  /** Names by names, given as `command=tool`; a pair of two equal names means nothing and is left out. */
  | { readonly kind: 'pairs'; readonly of: string; readonly to: string }
  /** A file, recorded with its digest. */
  | { readonly kind: 'file' };

export interface StrategyOption {
  /** Key in {@link StrategyOptions}: `parameterTries`; `fewShots.leaveOut` is the key of an object of options. */
  readonly key: string;
  /** The flag without its dashes. @default the key in kebab-case: `parameter-tries` */
  readonly flag?: string;
  readonly help: string;
  readonly value: OptionKind;
  /** Words that name a run with the option, `{}` standing for its value; null: none. @default value and key */
  readonly variant?: string | null;
  /** Listed by `--help`, not by `--help-all` alone. */
  readonly isEssential?: true;
  /** Another strategy ignores the option instead of refusing it, as tau-bench's `run.py` does. @default refuses it */
  readonly ignoredElsewhere?: true;
}

export interface StrategyDefinition {
  readonly name: string;
  readonly solve: Strategy;
  /**
   * Continues a conversation that another strategy has begun. The session's trajectory holds it, from the user's first
   * message on and in tau-bench's form: tool calls and their results, plain words to the user and from them.
   * The strategy puts its own system message before it.
   * @default it cannot
   */
  readonly takeOver?: Strategy;
  /**
   * The conversation that the trajectory is, message by message: then each of the agent's completions can be read off
   * it.
   * @default there are completions that the trajectory does not have
   */
  readonly conversation?: ConversationName;
  /** Form of the actions in the trajectory. @default 'tools' */
  readonly form?: TrajectoryForm;
  /**
   * The temperature that the strategy's original sends, which a run has that names none; null: none is sent.
   * @default 0, as in tau-bench
   */
  readonly temperature?: number | null;
  /** @default the agent's model makes all calls */
  readonly modelRoles?: readonly ModelRole[];
  /** True if it can plan its actions without taking them ({@link StrategyOptions.decisionOnly}). @default it cannot */
  readonly decisionOnly?: true;
  /** Options of its own. Flags, config file keys and names of variants follow from them. @default none */
  readonly options?: readonly StrategyOption[];
  /**
   * The agent's model calls in an episode that is solved in its ground truth's actions.
   * @default one an action, and one for the last word
   */
  readonly leastCalls?: (solution: LeastSolution, options: StrategyOptions) => number;
  /** Notes for readers of its figures, one sentence each; a function if they depend on options. */
  readonly notes?: readonly string[] | ((options: StrategyOptions) => readonly string[]);
  /** Conflicts, one sentence each with what to do, for a warning before the sweep starts. */
  readonly check?: (environment: StrategyEnvironment) => readonly string[];
  /** Fields of replies by the names that requests use; undefined for a name it does not have. */
  readonly replyFields?: (key: string, env: string) => readonly ReplyFieldDefinition[] | undefined;
  /** Texts that a worker renders when a prompt refers to them (`strategy-text`). */
  readonly texts?: Readonly<Record<string, (context: StrategyTextContext) => string>>;
  /** Adapts the strategy to the tools of a domain that it is not made for. @default it refuses the domain */
  readonly commandsOfTools?: {
    /** Makes plain JSON, which a run keeps. */
    readonly make: (toolsJson: string) => readonly unknown[];
    /** @returns the same strategy for the same commands */
    readonly adapt: (commands: unknown) => StrategyDefinition;
  };
  /** Domains that the strategy is made for. @default every domain */
  readonly domains?: readonly string[];
  /** The variant's name for the leaderboard row and the results, e.g. `TC`. */
  readonly label: string;
}
