/**
 * The port of conditions. A condition changes what the agent or the user of an episode sees, never the benchmark or the
 * grade. It is deterministic code that depends only on its arguments, so that a resumed, forked or repeated episode
 * gets the same changes.
 */

/** A condition as a run names it. */
export interface ConditionRef {
  /** Name in the form of episodes and files: `tool-errors`, `user-claims`. */
  readonly name: string;
  /** Share of the calls or values that it changes, above 0 and up to 1. @default the condition's own, or it has none */
  readonly rate?: number;
  /** Present for a condition from a file. */
  readonly file?: { readonly path: string; readonly digest: string };
  /** Other names that {@link Condition.names} has made for the run's pack. */
  readonly names?: Names;
}

/** A condition of a run with its seed. */
export interface RunCondition extends ConditionRef {
  readonly seed: number;
}

/** Other words, or whole names, by the benchmark's own ones. */
export type Names = Readonly<Record<string, string>>;

/** Facts about the run that a condition may depend on. */
export interface RunPlace {
  readonly seed: number;
  /** Draws from [0, 1), the same for the same words. */
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
  /** A JSON object. */
  readonly argumentsJson: string;
}

export interface TakenCall extends ToolCall {
  /** Answer of the tool; the condition's own for a call that was not executed. */
  readonly answer: string;
  readonly isExecuted: boolean;
}

/** What happens to a tool call. */
export interface CallFate {
  /** Time before the call, in milliseconds, at most 60,000. @default 0 */
  readonly waitMs?: number;
  /** Answer to a call that is not executed. @default it is executed */
  readonly instead?: string;
  /** Answer in place of the tool's own if the call has changed data. @default the tool's own */
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
  /** The agent's whole system prompt. @default made of the policy */
  readonly systemPrompt?: string | undefined;
  readonly tools: readonly ToolSchema[];
}

/** A condition. Each part is optional. Functions depend only on their arguments. */
export interface Condition {
  /** Lower-case letters, digits and `-`; part of file names. */
  readonly name: string;
  /** One line for help and reports. */
  readonly summary: string;
  /** Default share of the calls or values that it changes. @default it takes no rate */
  readonly rate?: number;
  /** Changes what the agent sees of policy and tools. */
  readonly texts?: (texts: AgentTexts, run: RunPlace) => AgentTexts;
  /** Makes other names for tools, parameters and fields of results. */
  readonly names?: (facts: NameFacts, run: RunPlace) => Names;
  /** Decides about a tool call of the agent. @returns undefined if the call is taken normally */
  readonly call?: (call: ToolCall, place: CallPlace) => CallFate | undefined;
  /** Changes the answer of a tool that the agent sees. */
  readonly observation?: (answer: string, place: CallPlace) => string;
  /** Paragraph on the person that the simulated user plays. */
  readonly persona?: string;
}

/** Names and values of a pack, from which other names are made. */
export interface NameFacts {
  readonly tools: readonly ToolSchema[];
  /** Fields of records and results. */
  readonly fields: readonly string[];
  /** Values that look like names; their words are kept. */
  readonly values: readonly string[];
}
