/**
 * The port of conditions. A condition changes what the agent or the user of an episode sees, never the benchmark or the
 * grade. It is deterministic code that depends only on its arguments, so that a resumed, forked or repeated episode
 * gets the same changes.
 */

/** Reference to a condition in a run. */
export interface ConditionRef {
  /** Name in names of episodes and files: `tool-errors`, `user-claims`. */
  readonly name: string;
  /**
   * Share of the calls or values that the condition changes, above 0 and up to 1. @default the condition's own, if it
   * has one
   */
  readonly rate?: number;
  /** File of the condition; absent for a condition of the program. */
  readonly file?: { readonly path: string; readonly digest: string };
  /** Other names that {@link Condition.names} has made for the run's pack. */
  readonly names?: Names;
}

/** A condition with the run's seed. */
export interface RunCondition extends ConditionRef {
  readonly seed: number;
}

/** Replacements of words, or of whole names, by the benchmark's own ones. */
export type Names = Readonly<Record<string, string>>;

/** Facts about the run that a condition may depend on. */
export interface RunPlace {
  readonly seed: number;
  /** Draws from [0, 1); the result depends only on the words. */
  readonly draw: (words: string) => number;
}

/** The place of a tool call in its episode. */
export interface CallPlace extends RunPlace {
  readonly taskId: number;
  readonly trial: number;
  /** Number of the agent's tool call, from 1. */
  readonly position: number;
  readonly rate: number;
  /** The agent's tool calls before this one. */
  readonly earlier: readonly TakenCall[];
  /** Returns the place of the call at another position. */
  readonly at: (position: number) => CallPlace;
}

export interface ToolCall {
  readonly name: string;
  /** Arguments, a JSON object. */
  readonly argumentsJson: string;
}

export interface TakenCall extends ToolCall {
  /** Observation of the call; the condition's own if the call was not executed. */
  readonly answer: string;
  readonly isExecuted: boolean;
}

/** Decision on a tool call. */
export interface CallFate {
  /** Time before the call, in milliseconds, at most 60,000. @default 0 */
  readonly waitMs?: number;
  /** Observation of a call that is not executed. @default the call is executed */
  readonly instead?: string;
  /** Observation instead of the tool's own if the call has changed data. @default the tool's own */
  readonly lost?: string;
}

/** A tool's schema in OpenAI's form. */
export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    /** JSON Schema of an object. */
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** Texts of a pack that its agents see. */
export interface AgentTexts {
  readonly policy: string;
  /** The agent's whole system prompt. @default made from the policy */
  readonly systemPrompt?: string | undefined;
  readonly tools: readonly ToolSchema[];
}

/** A condition. All parts are optional; functions depend only on their arguments. */
export interface Condition {
  /** Name of the condition: lower-case letters, digits and `-`. It is part of file names. */
  readonly name: string;
  /** One line for help and reports. */
  readonly summary: string;
  /** Default share of the calls or values that the condition changes. @default the condition has no rate */
  readonly rate?: number;
  /** Changes the policy and the tools that the agent sees. */
  readonly texts?: (texts: AgentTexts, run: RunPlace) => AgentTexts;
  /** Returns other names for tools, parameters and fields of results. */
  readonly names?: (facts: NameFacts, run: RunPlace) => Names;
  /** Decides about a tool call of the agent. @returns undefined to execute the call normally */
  readonly call?: (call: ToolCall, place: CallPlace) => CallFate | undefined;
  /** Changes a tool's observation for the agent. */
  readonly observation?: (answer: string, place: CallPlace) => string;
  /** Paragraph on the behavior of the simulated user. */
  readonly persona?: string;
}

/** Names and values of a pack, for making other names. */
export interface NameFacts {
  readonly tools: readonly ToolSchema[];
  /** Fields of records and results. */
  readonly fields: readonly string[];
  /** Values that look like names; their words must not be replaced. */
  readonly values: readonly string[];
}
