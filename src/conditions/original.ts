/** Restores the benchmark's own conversation, which is graded, from a conversation under a condition. */

import { JsonError, PyError, dumpJson, parseObject } from '../benchmarks/python/index.ts';
import { RESPOND, textActionOf, type Action, type TrajectoryForm } from '../benchmarks/pure.ts';
import { restoreCall, type Interference } from './episode.ts';
import { invert, renameInAnswer, renameInText } from './names.ts';
import type { ConditionRef, Names } from './port.ts';

/** Differences between a conversation and the benchmark's own. */
export interface ConversationChanges {
  /** Numbers of the steps that were not executed, from 1. */
  readonly refused: readonly number[];
  readonly names?: Names | undefined;
}

/** @param steps the episode's steps, with marks of refused ones */
export function alteredBy(
  { names }: ConditionRef,
  steps: readonly { readonly interference?: Interference }[],
): ConversationChanges {
  return { refused: steps.flatMap(({ interference }, at) => (interference === 'refused' ? [at + 1] : [])), names };
}

/** A message in any form of a trajectory. */
interface AnyMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly requestor?: 'user';
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** Removes calls that were not executed, with their observations, and restores the benchmark's names. */
export function restoreConversation<M extends AnyMessage>(
  messages: readonly M[],
  form: TrajectoryForm = 'tools',
  { refused, names }: ConversationChanges,
): M[] {
  let step = 0;
  let isRefused = false;
  return messages.flatMap((message) => {
    if (message.role === 'assistant') {
      step += 1;
      isRefused = refused.includes(step);
      if (isRefused) return [];
    } else if (isRefused) {
      isRefused = false;
      return [];
    }
    return [names === undefined ? message : restoreMessage(message, form, names)];
  });
}

function restoreMessage<M extends AnyMessage>(message: M, form: TrajectoryForm, names: Names): M {
  const { role, content, name, tool_calls: calls } = message;
  if (message.requestor === 'user') return message;
  switch (role) {
    case 'assistant':
      if (form === 'text')
        return typeof content === 'string' ? { ...message, content: restoreText(content, names) } : message;
      return calls === undefined
        ? message
        : { ...message, tool_calls: calls.map((call) => restoreToolCall(call, names)) };
    case 'tool': {
      if (typeof name !== 'string' || typeof content !== 'string') return message;
      const { name: original } = restoreCall({ name, kwargs: new Map() }, names);
      return { ...message, name: original, content: renameInAnswer(content, invert(names)) };
    }
    case 'user':
      return form === 'text' ? { ...message, content: restoreParts(content, names) } : message;
    default:
      return { ...message, content: restoreParts(content, names) };
  }
}

function restoreToolCall<C extends { readonly function: { readonly name: string; readonly arguments: string } }>(
  call: C,
  names: Names,
): C {
  const { name, arguments: written } = call.function;
  const kwargs = parseObject(written);
  const original = restoreCall({ name, kwargs: kwargs ?? new Map() }, names);
  const argumentsJson = kwargs === null ? written : dumpJson(original.kwargs);
  return { ...call, function: { ...call.function, name: original.name, arguments: argumentsJson } };
}

/** Restores an action in a text. Other words may precede its JSON. */
function restoreText(content: string, names: Names): string {
  let action: Action;
  try {
    action = textActionOf(content);
  } catch (error) {
    if (error instanceof JsonError || error instanceof PyError) return content;
    throw error;
  }
  if (action.name === RESPOND) return content;
  const { name, kwargs } = restoreCall(action, names);
  const start = content.lastIndexOf('Action:');
  const before = start < 0 ? '' : `${content.slice(0, start)}Action:\n`;
  return before + dumpJson({ name, arguments: kwargs });
}

function restoreParts(content: unknown, names: Names): unknown {
  const restored = (part: unknown): unknown => (typeof part === 'string' ? renameInText(part, invert(names)) : part);
  return Array.isArray(content) ? content.map(restored) : restored(content);
}
