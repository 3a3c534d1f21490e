/**
 * Converts a conversation for the Messages API: system blocks, and turns of blocks that alternate between user and
 * assistant. It corrects what the API refuses: empty texts, results without a call, an assistant that speaks first, and
 * other providers' identifiers of calls.
 *
 * JSON is read and written as Python does, so that numbers of a call's input keep their spelling.
 */

import type { ContentBlockParam, TextBlockParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { AssistantMessage, ToolCall } from '../../agents/index.ts';
import {
  dumpJson,
  isDict,
  isList,
  parseJson,
  type PyDict,
  type PyValue,
  parseObject,
} from '../../benchmarks/python/index.ts';
import type { ExpandedMessage } from '../types.ts';
import { parsedJson } from '../../io/index.ts';

/** Placeholder for a required text. */
export const NO_WORDS = '(no text)';
/** Identifiers that the API accepts; some providers' own have dots and colons. */
const CALL_ID = /^[a-zA-Z0-9_-]{1,200}$/;

interface MessageTurn {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

export interface MessageTurns {
  readonly system: TextBlockParam[];
  readonly turns: readonly MessageTurn[];
}

export function toTurns(messages: readonly ExpandedMessage[]): MessageTurns {
  const system = messages.filter(({ role, content }) => role === 'system' && isNotBlank(content));
  const writer = new TurnWriter();
  for (const message of messages) {
    if (message.role === 'user') writer.user(message.content);
    else if (message.role === 'tool') writer.result(message.tool_call_id, message.content);
    else if (message.role === 'assistant') writer.assistant(message);
  }
  return { system: system.map(({ content }) => textBlock(content ?? '')), turns: writer.finish() };
}

class TurnWriter {
  readonly #turns: MessageTurn[] = [];
  /** Calls of the last turn that wait for their results: the conversation's identifier → the sent one. */
  readonly #open = new Map<string, string>();
  readonly #sent = new Set<string>();

  user(text: string): void {
    this.#add('user', isNotBlank(text) ? [textBlock(text)] : []);
  }

  result(callId: string, text: string): void {
    const id = this.#open.get(callId);
    if (id === undefined) {
      this.user(text);
      return;
    }
    this.#open.delete(callId);
    this.#add('user', [{ type: 'tool_result', tool_use_id: id, ...(isNotBlank(text) ? { content: text } : {}) }]);
  }

  assistant(message: AssistantMessage): void {
    this.#open.clear();
    if (this.#turns.length === 0) this.#add('user', []);
    this.#add('assistant', this.#toBlocks(message));
  }

  finish(): readonly MessageTurn[] {
    return this.#turns.map(({ role, content }) => ({
      role,
      content: role === 'user' ? orderBlocks(content) : withWords(content),
    }));
  }

  #toBlocks(message: AssistantMessage): ContentBlockParam[] {
    const { continuation, content, tool_calls: calls = [] } = message;
    if (continuation === undefined) {
      return [...(isNotBlank(content) ? [textBlock(content)] : []), ...calls.map((call) => this.#toolUse(call))];
    }
    for (const { id } of calls) this.#expect(id, id);
    return ownBlocks(continuation.data, content, new Set(calls.map(({ id }) => id)));
  }

  #toolUse({ id, function: { name, arguments: text } }: ToolCall): ContentBlockParam {
    let sent = id;
    for (let n = 0; !CALL_ID.test(sent) || this.#sent.has(sent); n++)
      sent = `call_${String(this.#sent.size)}_${String(n)}`;
    this.#expect(id, sent);
    return { type: 'tool_use', id: sent, name, input: parseInput(text) };
  }

  #expect(id: string, sent: string): void {
    this.#open.set(id, sent);
    this.#sent.add(sent);
  }

  #add(role: MessageTurn['role'], blocks: readonly ContentBlockParam[]): void {
    const last = this.#turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.#turns.push({ role, content: [...blocks] });
  }
}

/** Returns the blocks that the model wrote, without dropped calls, and with the message's current text. */
function ownBlocks(data: string, text: string | null, kept: ReadonlySet<string>): ContentBlockParam[] {
  // findContinuation wrote this text, and nothing else reads it.
  const stored = parseJson(data);
  const blocks = (isList(stored) ? stored : []).filter(isDict);
  const texts = blocks.filter((block) => readBlockType(block) === 'text').map((block) => readBlockField(block, 'text'));
  const isSame = texts.join('') === (text ?? '');
  const own = blocks.filter((block) => {
    if (block.get('type') === 'tool_use') return kept.has(readBlockField(block, 'id'));
    return block.get('type') !== 'text' || (isSame && isNotBlank(readBlockField(block, 'text')));
  });
  const sent = own.map((block) => withSendableInput(block) as unknown as ContentBlockParam);
  if (isSame || !isNotBlank(text)) return sent;
  const firstCall = own.findIndex((block) => block.get('type') === 'tool_use');
  return sent.toSpliced(firstCall < 0 ? sent.length : firstCall, 0, textBlock(text));
}

function withSendableInput(block: PyDict): PyDict {
  return block.get('type') === 'tool_use' ? new Map([...block, ['input', toSendable(block.get('input'))]]) : block;
}

/** Parses arguments written as text; an empty object unless they are an object. */
export function parseInput(text: string): PyDict {
  return toSendable(parseObject(text) ?? undefined);
}

/** Returns an input that the API accepts: objects only, and no numbers beyond every double. */
function toSendable(input: PyValue | undefined): PyDict {
  if (!isDict(input)) return new Map();
  return parsedJson(dumpJson(input)) === undefined ? new Map() : input;
}

/** Puts results before texts. */
function orderBlocks(blocks: readonly ContentBlockParam[]): ContentBlockParam[] {
  if (blocks.length === 0) return [textBlock(NO_WORDS)];
  const isResult = (block: ContentBlockParam): block is ToolResultBlockParam => block.type === 'tool_result';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

/** Adds a text if a turn ends with a thought, which the API refuses. */
function withWords(blocks: ContentBlockParam[]): ContentBlockParam[] {
  const last = readBlockType(blocks.at(-1));
  return last === 'text' || last === 'tool_use' ? blocks : [...blocks, textBlock(NO_WORDS)];
}

/** Returns a block's type, whether the block was made here or read. */
export function readBlockType(block: ContentBlockParam | PyDict | undefined): string {
  return block === undefined || block instanceof Map
    ? readBlockField(block, 'type')
    : (block as ContentBlockParam).type;
}

/** Returns a text field of a block; empty if missing. */
export function readBlockField(block: PyDict | undefined, field: string): string {
  const value = block?.get(field);
  return typeof value === 'string' ? value : '';
}

function textBlock(text: string): TextBlockParam {
  return { type: 'text', text };
}

export function isNotBlank(text: string | null): text is string {
  return text !== null && text.trim() !== '';
}
