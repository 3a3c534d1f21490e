/**
 * τ³-bench's rules: the agent opens, every call of a reply is executed, the user may have tools, and steps and failed
 * calls of both sides are limited.
 */

import {
  isUsersCall,
  outcomeOfAgentEnd,
  type AgentEnd,
  type RuleMessage,
  type EpisodeLimits,
  type EpisodeRules,
  type RulesOutcome,
  type SpokenMessage,
} from '../rules.ts';
import { FIRST_AGENT_MESSAGE } from './prompts.ts';
import { FIRST_TURN, afterMessage, afterToolResults, type TurnState } from './turns.ts';

/** Prefix of the names of τ³-bench's domains. */
export const PREFIX = 'tau3-';

export class Tau3Rules implements EpisodeRules {
  readonly takesAllCalls = true;
  readonly hasUser = true;
  readonly hasUserTools = true;
  readonly refusesSilence = true;
  readonly #limits: EpisodeLimits;
  #turn: TurnState = FIRST_TURN;

  constructor(limits: EpisodeLimits) {
    this.#limits = limits;
  }

  get isOver(): boolean {
    return this.#turn.termination !== undefined;
  }

  /**
   * Returns the number of steps left. Results of calls and user messages are steps too, so the agent's own steps do not
   * suffice.
   */
  stepsLeft(): number {
    return this.isOver ? 0 : this.#limits.maxSteps - this.#turn.steps;
  }

  said(_speaker: 'agent' | 'user', message: SpokenMessage): boolean {
    this.#turn = afterMessage(this.#turn, message, this.#limits);
    return this.isOver;
  }

  answered({ done, failed }: { readonly done: boolean; readonly failed?: true }, continues: boolean): boolean {
    const { steps } = this.#turn;
    const waiting = continues ? { ...this.#turn, isCalling: true, steps: steps - 1 } : this.#turn;
    this.#turn = afterToolResults(waiting, failed === true ? 1 : 0, this.#limits);
    // No domain of the reference's ends an episode; an environment service may.
    if (done) this.#turn = { ...this.#turn, termination: 'agent_stop' };
    return this.isOver;
  }

  /** Returns the conversation for the agent: with the agent's first message, and without the user's calls. */
  agentView<M extends RuleMessage>(messages: readonly M[], firstMessage: string) {
    const seen = messages.filter((message) => !isUsersCall(message));
    const first = seen.findIndex(({ role, content }) => role === 'user' && content === firstMessage);
    if (first < 0 || first > 1) return seen;
    const opening = { role: 'assistant', content: this.#limits.greeting ?? FIRST_AGENT_MESSAGE } as const;
    return [...seen.slice(0, first), opening, ...seen.slice(first)];
  }

  outcome(end: AgentEnd, endedBy: string | null): RulesOutcome {
    const { termination } = this.#turn;
    if (termination === 'user_stop' || termination === 'max_steps') return { kind: termination };
    if (termination !== 'too_many_errors') return outcomeOfAgentEnd(end, endedBy);
    return { kind: 'agent_error', error: termination, message: 'too many calls of agent and user failed' };
  }
}
