/**
 * Puts the input and output of models and tools into the spans of their calls, in the JSON of OpenTelemetry's
 * conventions for generative AI. It is opt-in: see `src/host/telemetry.ts`.
 *
 * Texts are limited, because each call carries its whole conversation. Most collectors would refuse a span without a
 * limit, and a batch of them would fill this process's memory.
 */

import { trace, type Attributes } from '@opentelemetry/api';
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, ActivityInterceptorsFactory } from '@temporalio/worker';
import { separateReasoning, type AssistantMessage } from '../../agents/index.ts';
import type { CallModel, ExpandedMessage, ModelReply, ModelRequest } from '../../models/index.ts';
import type { Redact } from '../../io/index.ts';
import type { StepInput, StepOutput } from '../../episode/index.ts';

/** Limit of one text, in characters; a policy has about 7,000. */
export const MAX_TEXT_CHARS = 16_000;
/** Limit of one attribute, in characters of JSON. */
export const MAX_ATTRIBUTE_CHARS = 64_000;

type Part =
  | { readonly type: 'text' | 'reasoning'; readonly content: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: unknown }
  | { readonly type: 'tool_call_response'; readonly id: string; readonly response: string };

interface ContentMessage {
  readonly role: ExpandedMessage['role'];
  readonly parts: readonly Part[];
}

/** Adds the content of model calls to their spans, which are active during the calls. */
export function traceContent(callModel: CallModel, redact: Redact): CallModel {
  return async (request, options) => {
    trace.getActiveSpan()?.setAttributes(requestAttributes(request, redact));
    const reply = await callModel(request, options);
    trace.getActiveSpan()?.setAttributes(replyAttributes(reply, redact));
    return reply;
  };
}

/** Adds the content of steps to the active span, which Temporal's interceptor has started. */
export function traceStepContent(redact: Redact): ActivityInterceptorsFactory {
  return ({ info }: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        if (info.activityType !== 'step') return next(input);
        const span = trace.getActiveSpan();
        const [{ action }] = input.args as [StepInput];
        span?.setAttribute('gen_ai.tool.call.arguments', limitText(redact(action.kwargsJson)));
        const output = (await next(input)) as StepOutput;
        span?.setAttribute('gen_ai.tool.call.result', limitText(redact(output.observation)));
        return output;
      },
    },
  });
}

/**
 * Returns a request's attributes. As the conventions require, instructions are a separate attribute only if the wire
 * separates them from the conversation.
 */
function requestAttributes({ messages, tools, wire = 'chat' }: ModelRequest, redact: Redact): Attributes {
  const isApart = ({ role }: ExpandedMessage) => wire === 'messages' && role === 'system';
  const instructions = messages.filter(isApart).flatMap((message) => toMessageParts(message, redact));
  const conversation = messages.filter((message) => !isApart(message));
  const definitions = tools?.map((tool) => (tool.type === 'function' ? { type: tool.type, ...tool.function } : tool));
  return {
    ...newestWithin(
      'input.messages',
      conversation.map((message) => contentMessage(message, redact)),
    ),
    ...(instructions.length === 0 ? {} : newestWithin('system_instructions', instructions)),
    ...(definitions === undefined ? {} : newestWithin('tool.definitions', definitions)),
  };
}

function replyAttributes({ message, finishReason }: ModelReply, redact: Redact): Attributes {
  const reason = finishReason === 'tool_calls' ? 'tool_call' : finishReason;
  const output = { ...contentMessage(separateReasoning(message), redact), finish_reason: reason };
  return newestWithin('output.messages', [output]);
}

function contentMessage(message: ExpandedMessage, redact: Redact): ContentMessage {
  return { role: message.role, parts: toMessageParts(message, redact) };
}

function toMessageParts(message: ExpandedMessage, redact: Redact): Part[] {
  const shown = (text: string) => limitText(redact(text));
  switch (message.role) {
    case 'tool':
      return [{ type: 'tool_call_response', id: message.tool_call_id, response: shown(message.content) }];
    case 'assistant':
      return assistantParts(message, shown);
    case 'system':
    case 'user':
      return [{ type: 'text', content: shown(message.content) }];
  }
}

function assistantParts({ content, reasoning_content, tool_calls = [] }: AssistantMessage, shown: Redact): Part[] {
  const texts: Part[] = [];
  if (reasoning_content !== undefined) texts.push({ type: 'reasoning', content: shown(reasoning_content) });
  if (content !== null && content !== '') texts.push({ type: 'text', content: shown(content) });
  const calls = tool_calls.map(({ id, function: called }): Part => {
    return { type: 'tool_call', id, name: shown(called.name), arguments: jsonOrText(shown(called.arguments)) };
  });
  return [...texts, ...calls];
}

/** Parses a call's arguments; returns them as text if they are not JSON, because a model wrote them. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function limitText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  return `${text.slice(0, MAX_TEXT_CHARS)}… [${text.length - MAX_TEXT_CHARS} more characters]`;
}

/**
 * Writes a list as JSON text, because these attributes have no structure. A list that is too long loses its first
 * items.
 */
function newestWithin(name: string, items: readonly unknown[]): Attributes {
  const texts: string[] = [];
  let chars = 2;
  for (const item of items.toReversed()) {
    const text = JSON.stringify(item);
    chars += text.length + 1;
    if (chars > MAX_ATTRIBUTE_CHARS) break;
    texts.unshift(text);
  }
  const leftOut = items.length - texts.length;
  return {
    [`gen_ai.${name}`]: `[${texts.join(',')}]`,
    ...(leftOut === 0 ? {} : { [`tau.${name}.left_out`]: leftOut }),
  };
}
