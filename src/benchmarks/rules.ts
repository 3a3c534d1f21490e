/**
 * The rules of a benchmark's episodes: which calls of a reply are executed, what the agent sees, the limits, and the
 * outcome of each end. Pure, because workflow code uses them.
 */

/** A message of the agent or of the user; without tool calls, the list is absent. */
export interface SpokenMessage {
  readonly text: string | null;
  readonly toolCalls?: readonly unknown[];
}

/** A message of an episode's conversation, in any provider's form. */
export interface RuleMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  /** `user` in the result of a call that the simulated user made. */
  readonly requestor?: 'user';
}

/**
 * How an agent's strategy ended: the environment was done, no steps were left, the strategy had only to decide on an
 * action, or it ended by itself.
 */
export type AgentEnd = 'done' | 'max_steps' | 'decided' | 'agent_stop';

/** Outcomes that the rules determine. Every other end is an error or a cancellation. */
export type RulesOutcome =
  | { readonly kind: 'user_stop' | 'transferred' | 'max_steps' | 'agent_stop' | 'decision_only' }
  | { readonly kind: 'agent_error'; readonly error: 'too_many_errors'; readonly message: string };

export interface EpisodeLimits {
  readonly maxSteps: number;
  /** Name of the rules, for a benchmark that has several. */
  readonly rules?: EpisodeRulesName | undefined;
  /** The agent's opening message under rules that let the agent begin. @default the rules' own */
  readonly greeting?: string | undefined;
}

/** Rules by name, for a benchmark outside of the program: `solo` has no simulated user. */
export const EPISODE_RULES = ['tau-bench', 'tau2', 'solo'] as const;

export type EpisodeRulesName = (typeof EPISODE_RULES)[number];

/** True for rules under which the agent greets the user first. */
export function isAgentFirst(rules: EpisodeRulesName | undefined): boolean {
  return rules === 'tau2';
}

/** The rules of one episode, with their counters. */
export interface EpisodeRules {
  /** True if every call of a reply is executed; false for only the first one. */
  readonly takesAllCalls: boolean;
  /** False if the task opens the conversation, and a message of the agent ends it. */
  readonly hasUser: boolean;
  /** True if the simulated user may have tools. */
  readonly hasUserTools: boolean;
  /** True if a message of agent or user must have text or calls. */
  readonly refusesSilence: boolean;
  /** True if a limit or a stop has ended the episode, so that neither side continues. */
  readonly isOver: boolean;

  /** Returns the number of steps left. @param taken number of steps that the agent has taken */
  stepsLeft(taken: number): number;

  /** Adds a message to the counters. @returns true if the episode has ended with it */
  said(speaker: 'agent' | 'user', message: SpokenMessage): boolean;

  /**
   * Adds the result of a tool call to the counters.
   * @param result `done`: the environment ends the episode with this call; `failed`: the call threw
   * @param continues true if the same message has a further call
   * @returns true if the episode has ended with it
   */
  answered(result: { readonly done: boolean; readonly failed?: true }, continues: boolean): boolean;

  /**
   * Returns the conversation that the agent's model sees.
   * @param firstMessage first message of the user
   */
  agentView<M extends RuleMessage>(
    messages: readonly M[],
    firstMessage: string,
  ): readonly (M | { readonly role: 'assistant'; readonly content: string })[];

  /** @param endedBy source of the step that ended the episode; null if no step did */
  outcome(end: AgentEnd, endedBy: string | null): RulesOutcome;
}

/** True for a call of the simulated user's own tools, and for the call's result; agents see neither. */
export function isUsersCall({ role, tool_calls: calls, requestor }: RuleMessage): boolean {
  return (role === 'user' && calls !== undefined) || (role === 'tool' && requestor === 'user');
}

/** Returns the outcome of an episode that no limit of the rules has ended. */
export function outcomeOfAgentEnd(end: AgentEnd, endedBy: string | null): RulesOutcome {
  switch (end) {
    case 'max_steps':
    case 'agent_stop':
      return { kind: end };
    case 'decided':
      return { kind: 'decision_only' };
    case 'done':
      return { kind: endedBy === 'user' ? 'user_stop' : 'transferred' };
  }
}
