/** Shared parts of request readers. Unknown fields are ignored, as by real servers. */

import * as z from 'zod';
import { isObject } from '../../../io/index.ts';
import type { Fields } from '../../../io/index.ts';
import { UnreadableRequest, type OfferedTool, type ServedMessage } from './wire.ts';

/** Fields that are the same in the three APIs. */
export const COMMON = {
  model: z.string().min(1),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().nullish(),
};

/** @param what the schema describes: `a chat-completions request`. @throws UnreadableRequest */
export function parseRequest<T>(body: unknown, schema: z.ZodType<T>, what: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.');
  throw new UnreadableRequest(
    `This is not ${what}: ${place}: ${issue?.message ?? 'is wrong'}.`,
    'invalid_request',
    String(issue?.path[0] ?? '') || null,
  );
}

/**
 * Reads the tools of a request.
 * @param described finds a function's name and parameters in a tool; undefined for another kind of tool
 * @throws UnreadableRequest for a function whose description does not follow the API
 */
export function readTools(
  tools: readonly unknown[] | null | undefined,
  choice: unknown,
  described: (tool: Fields) => { readonly name: unknown; readonly parameters: unknown } | undefined,
) {
  const offered = (tools ?? []).flatMap((tool, at): OfferedTool[] => {
    const found = isObject(tool) ? described(tool) : UNNAMED;
    if (found === undefined) return [];
    const { name, parameters } = found;
    if (typeof name !== 'string' || name === '') {
      throw new UnreadableRequest(
        `tools.${at} is not in the form that this API has for a function.`,
        'invalid_request',
        'tools',
      );
    }
    return [{ name, parameters: isObject(parameters) ? parameters : {} }];
  });
  const type = isObject(choice) ? choice['type'] : choice;
  return {
    tools: type === 'none' ? [] : offered,
    toolChars: tools ? JSON.stringify(tools).length : 0,
    mustCall: type === 'required' || type === 'any',
  };
}

/** Returns the text of a content: a string, or the texts in a list of parts. */
export function joinWords(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .map(({ text, refusal }) => (typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : ''))
    .join('');
}

/** A tool of an unknown form. */
export const UNNAMED = { name: undefined, parameters: undefined };

/** Returns a text field, or the empty text for any other value. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

export function plainMessage(role: ServedMessage['role'], content: string | null): ServedMessage {
  return { role, content, calls: [], thought: null };
}
