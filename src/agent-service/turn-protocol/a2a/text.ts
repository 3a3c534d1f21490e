/**
 * The text convention of AgentBeats' agentified tau-bench: the first message has policy, tools and format, and each
 * answer has one action as JSON in `<json>` tags, a tool's or `respond`.
 */

import type { AgentAnswer } from '../../../agents/index.ts';
import { RESPOND } from '../../../benchmarks/index.ts';
import { jsonMember } from '../../../io/index.ts';
import type { TurnRequest } from '../protocol.schema.ts';

/** Writes the new messages as words; the first request also has policy and tools. */
export function writeRequest({ request, policy, tools, messages }: TurnRequest): string {
  const fresh = messages
    .map(({ role, content }) => `${role === 'user' ? 'User message' : 'Tool call result'}:\n${content}`)
    .join('\n\n');
  if (request > 1) return fresh;
  const example = (name: string, args: object) => writeAction({ name, arguments: args });
  return [
    ...(policy === '' ? [] : [policy]),
    `You have these tools:\n${JSON.stringify(tools, null, 2)}`,
    `Answer each message with exactly one action: a JSON object between <json> and </json>, with "name", the name of a tool, and "arguments", the arguments of the call. To speak to the user, the name is "${RESPOND}" and the arguments are {"content": "your words"}. You cannot call a tool and speak to the user in the same answer.`,
    `Two examples:\n${example('NAME_OF_A_TOOL', { argument: 'value' })}\n${example(RESPOND, { content: 'Hello, how can I help you?' })}`,
    'The first message of the user follows; after it come the results of your tools, and what the user answers.',
    fresh,
  ].join('\n\n');
}

/** Writes an action in the form of an answer. */
export function writeAction(action: object): string {
  return `${OPEN}\n${JSON.stringify(action)}\n${CLOSE}`;
}

/**
 * Reads the action in an answer; the last one if there are several, as in the convention.
 * @param request number of the request, for the call's id
 * @returns a problem that continues `answered 200 with`, if there is no action
 */
export function readAction(text: string, request: number): AgentAnswer | { readonly problem: string } {
  const end = text.lastIndexOf(CLOSE);
  const start = end === -1 ? -1 : text.lastIndexOf(OPEN, end);
  if (start === -1) return { problem: 'no action in <json> tags' };
  const json = text.slice(start + OPEN.length, end).trim();
  let action: unknown;
  try {
    action = JSON.parse(json);
  } catch {
    return { problem: 'what is no JSON in its <json> tags' };
  }
  if (typeof action !== 'object' || action === null) return { problem: NO_ACTION };
  const { name, arguments: args, kwargs = args } = action as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || name === '' || name.length > MOST_NAME_CHARS) return { problem: NO_ACTION };
  if (typeof kwargs !== 'object' || kwargs === null || Array.isArray(kwargs)) return { problem: NO_ACTION };
  if (name === RESPOND) {
    const { content } = kwargs as Readonly<Record<string, unknown>>;
    if (typeof content !== 'string') return { problem: `an action ${RESPOND} without "content", a text` };
    return { kind: 'message', content };
  }
  // Keeps the spelling, because the environment distinguishes 131.0 from 131.
  const argumentsJson = jsonMember(json, 'kwargs') ?? jsonMember(json, 'arguments') ?? '{}';
  return { kind: 'tool_calls', calls: [{ id: `call_${String(request)}_1`, name, argumentsJson }] };
}

const OPEN = '<json>';
const CLOSE = '</json>';
const MOST_NAME_CHARS = 200;
const NO_ACTION = 'no action in its <json> tags (it has "name" and "arguments", an object)';
