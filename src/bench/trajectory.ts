/** The environment actions of a conversation in tau-bench's form, so that it can be replayed and graded. */

import { PyError } from './python/error.ts';
import { dumpJson, parseJson, type Dumpable } from './python/json.ts';
import { isDict } from './python/value.ts';
import { RESPOND, type Action } from './types.ts';

/** What of a message decides the action; messages of any provider's library have at least this. */
export interface TrajectoryMessage {
  readonly role: string;
  readonly content?: Dumpable;
  readonly tool_calls?: readonly TrajectoryToolCall[] | null;
}

export interface TrajectoryToolCall {
  readonly function?: {
    readonly name: string;
    /** JSON text, as the model wrote it. */
    readonly arguments: string;
  } | null;
}

/**
 * One action per assistant message: its first tool call, else `respond` with its content. Further calls of a message
 * were never executed.
 * @throws JsonError when arguments are not JSON, PyError when they are no object: such an action was never taken
 */
export function actionsOf(messages: readonly TrajectoryMessage[]): Action[] {
  return messages.filter((message) => message.role === 'assistant').map(actionOf);
}

/** The action of one assistant message. */
export function actionOf(message: TrajectoryMessage): Action {
  const call = message.tool_calls?.[0]?.function;
  if (call === undefined || call === null) {
    const { content = null } = message;
    return { name: RESPOND, kwargs: new Map([['content', parseJson(dumpJson(content))]]) };
  }
  const kwargs = parseJson(call.arguments);
  if (!isDict(kwargs)) {
    throw new PyError('ValidationError', `the arguments of the call of ${call.name} are not a JSON object`);
  }
  return { name: call.name, kwargs };
}
