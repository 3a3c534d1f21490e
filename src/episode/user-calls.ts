/**
 * The simulated user's own tool calls. Each is a call on the episode's environment, counted by the benchmark's rules.
 */

import type { AssistantMessage, Message, ToolCall } from '../agents/index.ts';
import type { Action, EpisodeRules } from '../benchmarks/index.ts';
import { parseObject } from '../benchmarks/python/index.ts';
import { UserReplyError, type UserTools } from '../agents/users/index.ts';
import type { EpisodeEnvironment } from './episode-environment.ts';

export class UserCalls implements UserTools {
  readonly #rules: EpisodeRules;
  readonly #environment: EpisodeEnvironment;
  readonly #trajectory: Message[];
  #taken: Message[] = [];

  /** @param trajectory receives the calls and their results */
  constructor(rules: EpisodeRules, environment: EpisodeEnvironment, trajectory: Message[]) {
    this.#rules = rules;
    this.#environment = environment;
    this.#trajectory = trajectory;
  }

  /** Adds the calls since the last one to the trajectory, after a message of the user. */
  enter(): void {
    this.#trajectory.push(...this.#taken);
    this.#taken = [];
  }

  async take({ content, tool_calls: calls = [] }: AssistantMessage): Promise<readonly Message[] | null> {
    this.#rules.said('user', { text: content, toolCalls: calls });
    const results: Message[] = [];
    this.#taken.push({ role: 'user', content: content ?? '', tool_calls: calls });
    let isOver = false;
    for (const [at, call] of calls.entries()) {
      const action = parseUserCall(call);
      const output = await this.#environment.take(`user: ${action.name}`, action, { isNoted: false });
      const { id, function: called } = call;
      const result = { role: 'tool', tool_call_id: id, name: called.name, content: output.observation } as const;
      results.push(result);
      this.#taken.push({ ...result, requestor: 'user' });
      isOver = this.#rules.answered(output, at > 0);
      if (isOver) break;
    }
    return isOver ? null : results;
  }
}

/** @throws UserReplyError for arguments that are no JSON object */
function parseUserCall({ function: { name, arguments: text } }: ToolCall): Action {
  const kwargs = parseObject(text);
  if (kwargs !== null) return { name, kwargs, requestor: 'user' };
  throw new UserReplyError(`the arguments of the user's call of ${name} are no JSON object`, text);
}
