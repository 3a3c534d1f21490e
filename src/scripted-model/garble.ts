/**
 * Malformed arguments: what a model gets wrong now and then, and no retry mends. The reply is paid for and counts; what
 * the agent makes of it belongs to the episode's result.
 */

import { drawUnit } from './random.ts';
import type { ScriptedReply } from './reply.ts';

/**
 * Returns true if a request's reply has malformed arguments. Its content alone decides, not how often it came: so the same
 * replies are malformed in every run, however many of its calls are made again.
 *
 * @param rate chance in [0, 1]
 * @param digest of the request's body
 */
export function drawsMalformedArguments(rate: number, seed: number, digest: string): boolean {
  return drawUnit(`arguments ${seed} ${digest}`) < rate;
}

/**
 * The reply without the last brace of its arguments, as one that was cut off: those of a tool call, of a tool that
 * FastWorkflow's agent names in its reply, or of an action that is written as text.
 * @returns undefined when the reply carries no arguments
 */
export function withMalformedArguments(reply: ScriptedReply): ScriptedReply | undefined {
  const { toolCall, content } = reply;
  if (toolCall !== undefined) {
    return { ...reply, toolCall: { ...toolCall, arguments: withoutLastBrace(toolCall.arguments) } };
  }
  if (reply.role !== 'agent' || content === null || !/next_tool_args|^Action:/m.test(content)) return undefined;
  return { ...reply, content: withoutLastBrace(content) };
}

/** Loses the last brace, as a reply does that was cut off. */
export function withoutLastBrace(json: string): string {
  const at = json.lastIndexOf('}');
  return at < 0 ? json : json.slice(0, at) + json.slice(at + 1);
}
