/**
 * Converts an agent's own request to items of a transcript, and back: first the body without its messages, then each
 * message, as JSON text in the agent's spelling. So a growing conversation is sent and stored only once.
 */

import { createHash } from 'node:crypto';
import type { WireName } from '../agents/index.ts';
import { jsonElements, jsonMembers, jsonObject, writeJsonMembers } from '../io/index.ts';

interface RawRequest {
  readonly model: string;
  readonly items: readonly string[];
  /** sha256 of the request, independent of its spelling and of streaming. Lower-case hex. */
  readonly digest: string;
  readonly isStreamed: boolean;
  /** True if a stream of chat completions should end with its usage. */
  readonly wantsUsage: boolean;
}

/** Member of a request that contains the conversation as a list. */
const MESSAGES: Readonly<Record<WireName, string>> = { chat: 'messages', responses: 'input', messages: 'messages' };

/** Members that only concern streaming, which is never requested. */
const STREAMING: ReadonlySet<string> = new Set(['stream', 'stream_options']);

/** Deepest nesting that is accepted. */
const MAX_DEPTH = 200;

type Header = readonly [header: string, member: string];

const OPENAI_HEADERS: readonly Header[] = [['openai-beta', 'openai_beta']];

/** Headers that affect the answer, and the members of the first item that represent them. */
const HEADERS: Readonly<Record<WireName, readonly Header[]>> = {
  chat: OPENAI_HEADERS,
  responses: OPENAI_HEADERS,
  messages: [
    ['anthropic-version', 'anthropic_version'],
    ['anthropic-beta', 'anthropic_beta'],
  ],
};

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * @param headers with names in lower case; headers that cannot affect the answer are ignored
 * @returns a sentence if the text is not a request to a model
 */
export function readRawRequest(text: string, wire: WireName, headers: RequestHeaders = {}): RawRequest | string {
  const body = jsonObject(text);
  if (body === null) return 'the body is no JSON object';
  const { model } = body;
  if (typeof model !== 'string' || model === '' || model.length > 200) return '"model" names no model';
  const { stream, stream_options: options, ...counted } = body;
  const header = HEADERS[wire].flatMap(([name, member]) => {
    const value = headers[name];
    return typeof value === 'string' ? [{ name: member, value: JSON.stringify(value) }] : [];
  });
  const said = header.map(({ name, value }) => [name, value] as const);
  const canonical = writeSorted(said.length === 0 ? counted : { ...counted, ...Object.fromEntries(said) }, 0);
  if (canonical === null) return `the body is nested deeper than ${MAX_DEPTH} levels`;
  const members = jsonMembers(text).filter(({ name }) => !STREAMING.has(name));
  const listed = Array.isArray(body[MESSAGES[wire]]) ? members.find(({ name }) => name === MESSAGES[wire]) : undefined;
  const rest = [...header, ...members.filter((member) => member !== listed)];
  return {
    model,
    items: [writeJsonMembers(rest), ...(listed === undefined ? [] : jsonElements(listed.value))],
    digest: createHash('sha256').update(canonical).digest('hex'),
    isStreamed: stream === true,
    wantsUsage:
      typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true,
  };
}

/** Writes a request from items of {@link readRawRequest}, with another model. */
export function writeRawRequest(
  [rest = '{}', ...messages]: readonly string[],
  wire: WireName,
  model: string,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const headers: Record<string, string> = {};
  const members = jsonMembers(rest).flatMap((member) => {
    const header = HEADERS[wire].find(([, name]) => name === member.name);
    const value: unknown = header === undefined ? undefined : JSON.parse(member.value);
    if (header !== undefined && typeof value === 'string') {
      headers[header[0]] = value;
      return [];
    }
    return [member.name === 'model' ? { ...member, value: JSON.stringify(model) } : member];
  });
  const isWhole = members.some(({ name }) => name === MESSAGES[wire]);
  const listed = isWhole ? [] : [{ name: MESSAGES[wire], value: `[${messages.join(',')}]` }];
  return { body: writeJsonMembers([...members, ...listed]), headers };
}

/** Returns JSON with sorted keys; null if it is nested too deeply. */
function writeSorted(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) return null;
  const isList = Array.isArray(value);
  const parts: string[] = [];
  const keys = isList ? [] : Object.keys(value).sort();
  const items: readonly unknown[] = isList ? value : keys.map((key) => (value as Record<string, unknown>)[key]);
  for (const [at, item] of items.entries()) {
    const written = writeSorted(item, depth + 1);
    if (written === null) return null;
    parts.push(isList ? written : `${JSON.stringify(keys[at])}:${written}`);
  }
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}
