/**
 * Separates a reply's reasoning block from the reply.
 *
 * Servers without a reasoning parser leave the reasoning of a model in its content, as `<think>…</think>`. It is a
 * draft: commands in it are not meant to run, and no user is meant to read it. LiteLLM, which tau-bench calls models
 * with, moves such blocks into `reasoning_content` as well.
 */

import type { AssistantMessage } from './port.ts';

interface SplitReply {
  /** The reply without its reasoning blocks; the unchanged text when it has none. */
  readonly content: string;
  /** The inside of the blocks, joined by line breaks; null when there is none. */
  readonly reasoning: string | null;
}

const TAG = /<(\/?)think(?:ing)?>/gi;

/**
 * Recognizes three forms, in time linear in the text's length:
 *
 * - `<think>…</think>` and `<thinking>…</thinking>`, anywhere;
 * - a block that is cut off: from an opening tag at the beginning of a line to the end of the text;
 * - a block whose opening tag was part of the prompt: everything before a closing tag without an opening one.
 */
export function splitReasoning(text: string): SplitReply {
  const kept: string[] = [];
  const blocks: string[] = [];
  let keptTo = 0;
  let opened: { readonly start: number; readonly insideStart: number } | null = null;
  for (const match of text.matchAll(TAG)) {
    const { 0: tag, 1: slash, index } = match;
    if (slash === '') {
      // A tag within a block is part of the draft.
      opened ??= { start: index, insideStart: index + tag.length };
      continue;
    }
    if (opened !== null) kept.push(text.slice(keptTo, opened.start));
    blocks.push(text.slice(opened?.insideStart ?? keptTo, index));
    keptTo = index + tag.length;
    opened = null;
  }
  if (opened !== null && beginsLine(text, opened.start)) {
    kept.push(text.slice(keptTo, opened.start));
    blocks.push(text.slice(opened.insideStart));
    keptTo = text.length;
  }
  if (blocks.length === 0) return { content: text, reasoning: null };
  kept.push(text.slice(keptTo));
  return { content: kept.join('').trim(), reasoning: blocks.map((block) => block.trim()).join('\n') };
}

/** The message with the reasoning of its content in a field of its own. */
export function separateReasoning(message: AssistantMessage): AssistantMessage {
  if (message.content === null) return message;
  const { content, reasoning } = splitReasoning(message.content);
  if (reasoning === null) return message;
  const said = content === '' && message.tool_calls !== undefined ? null : content;
  return { ...message, content: said, reasoning_content: reasoning };
}

/** The message as a model is shown it again. */
export function withoutReasoningContent(message: AssistantMessage): AssistantMessage {
  const { reasoning_content: reasoning, ...rest } = message;
  return reasoning === undefined ? message : rest;
}

/** @returns the text without its reasoning blocks */
export function withoutReasoning(text: string): string {
  return splitReasoning(text).content;
}

/** Blanks of more than a few characters before the tag are not looked through. */
function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at));
}
