/**
 * The turns of an episode of τ³-bench: the steps of agent and user, their failed calls, and its end. Execution of the
 * user's own calls is part of them.
 */

import type { AssistantMessage, Message, ToolCall } from '../src/agents/index.ts';
import { parseObject } from '../src/benchmark/python/index.ts';
import type { Action } from '../src/benchmark/index.ts';
import {
  FIRST_TURN,
  afterMessage,
  afterToolResults,
  type Termination,
  type Turn,
  type TurnMessage,
} from '../src/benchmark/tau3/index.ts';
import { UserReplyError, type UserTools } from '../src/users/index.ts';

/** The result of an executed call of the user's. */
interface UserCallResult {
  readonly observation: string;
  readonly failed?: true;
}

export class Tau3Turns implements UserTools {
  readonly maxSteps: number;
  /** Executes a call of the user's. */
  readonly #execute: (action: Action) => Promise<UserCallResult>;
  /** The user's calls and their results since the agent's last message, for the trajectory. */
  readonly taken: Message[] = [];
  #turn: Turn = FIRST_TURN;

  constructor(maxSteps: number, execute: (action: Action) => Promise<UserCallResult>) {
    this.maxSteps = maxSteps;
    this.#execute = execute;
  }

  get termination(): Termination | undefined {
    return this.#turn.termination;
  }

  /** Steps that may still be taken. */
  get left(): number {
    return this.termination === undefined ? this.maxSteps - this.#turn.steps : 0;
  }

  /** Counts a message of the participant who was next. @returns true if the episode has ended with it */
  said(message: TurnMessage): boolean {
    this.#turn = afterMessage(this.#turn, message, { maxSteps: this.maxSteps });
    return this.termination !== undefined;
  }

  /**
   * Counts the result of a call, a further one of the same message where it continues.
   * @returns true if the episode has ended with it
   */
  answered(failed: boolean, continues: boolean): boolean {
    const { steps } = this.#turn;
    const waiting = continues ? { ...this.#turn, isCalling: true, steps: steps - 1 } : this.#turn;
    this.#turn = afterToolResults(waiting, failed ? 1 : 0, { maxSteps: this.maxSteps });
    return this.termination !== undefined;
  }

  async take({ content, tool_calls: calls = [] }: AssistantMessage): Promise<readonly Message[] | null> {
    this.said({ text: content, toolCalls: calls });
    const results: Message[] = [];
    this.taken.push({ role: 'user', content: content ?? '', tool_calls: calls });
    let isOver = false;
    for (const [at, call] of calls.entries()) {
      const { observation, failed } = await this.#execute(actionOf(call));
      const result = { role: 'tool', tool_call_id: call.id, name: call.function.name, content: observation } as const;
      results.push(result);
      this.taken.push({ ...result, requestor: 'user' });
      isOver = this.answered(failed === true, at > 0);
      if (isOver) break;
    }
    return isOver ? null : results;
  }
}

/** @throws UserReplyError for arguments that are no JSON object */
function actionOf({ function: { name, arguments: text } }: ToolCall): Action {
  const kwargs = parseObject(text);
  if (kwargs !== null) return { name, kwargs, requestor: 'user' };
  throw new UserReplyError(`the arguments of the user's call of ${name} are no JSON object`, text);
}
