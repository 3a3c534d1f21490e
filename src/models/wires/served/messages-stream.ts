/** A message of Anthropic's API as the events of its stream. */

import { jsonElements, jsonMember } from '../../../io/index.ts';
import { jsonObject } from '../../../io/index.ts';
import type { Fields } from '../../../io/index.ts';
import { namedEvent, listObjects } from './events.ts';

/** @returns null for a reply of another form */
export function streamMessage(reply: string): string | null {
  const body = jsonObject(reply);
  if (body === null || !Array.isArray(body['content'])) return null;
  const { content, stop_reason = null, stop_sequence = null, usage } = body;
  const blocks = listObjects(content);
  const inputs = blocks.some(({ type }) => hasInput(type)) ? listInputs(reply) : [];
  const used = { ...(usage as Fields | undefined) };
  const begun = { ...body, content: [], stop_reason: null, stop_sequence: null, usage: { ...used, output_tokens: 0 } };
  return [
    namedEvent({ type: 'message_start', message: begun }),
    ...blocks.flatMap((block, index) => {
      const { begin, deltas } = splitBlock(block, inputs[index] ?? '{}');
      return [
        namedEvent({ type: 'content_block_start', index, content_block: begin }),
        ...deltas.map((delta) => namedEvent({ type: 'content_block_delta', index, delta })),
        namedEvent({ type: 'content_block_stop', index }),
      ];
    }),
    namedEvent({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: used }),
    namedEvent({ type: 'message_stop' }),
  ].join('');
}

function hasInput(type: unknown): boolean {
  return type === 'tool_use' || type === 'server_tool_use';
}

/** Inputs of the blocks in the spelling of the reply. */
function listInputs(reply: string): readonly string[] {
  const content = jsonMember(reply, 'content') ?? '[]';
  return jsonElements(content)
    .filter((block) => block.startsWith('{'))
    .map((block) => jsonMember(block, 'input') ?? '{}');
}

/** Splits a block into its first event and its deltas. A block of another kind is sent whole. */
function splitBlock(block: Fields, input: string): { readonly begin: Fields; readonly deltas: readonly Fields[] } {
  const { type } = block;
  if (hasInput(type)) {
    return { begin: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: input }] };
  }
  if (type === 'text') {
    const { citations, ...rest } = block;
    const cited = listObjects(citations).map((citation) => ({ type: 'citations_delta', citation }));
    return {
      begin: { ...rest, text: '', ...(cited.length === 0 ? {} : { citations: [] }) },
      deltas: [{ type: 'text_delta', text: block['text'] }, ...cited],
    };
  }
  if (type === 'thinking') {
    return {
      begin: { ...block, thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: block['thinking'] },
        { type: 'signature_delta', signature: block['signature'] },
      ],
    };
  }
  return { begin: block, deltas: [] };
}
