/** A chat completion as the chunks of its stream. */

import { isObject, jsonObject } from '../../../io/index.ts';
import type { Fields } from '../../../io/index.ts';
import { dataEvent, listObjects } from './events.ts';

/** @param wantsUsage true if the last chunk is to have the usage. @returns null for a reply of another form */
export function streamChat(reply: string, wantsUsage: boolean): string | null {
  const body = jsonObject(reply);
  if (body === null || !Array.isArray(body['choices'])) return null;
  const { choices, usage, object: _, ...envelope } = body;
  const chunk = (made: readonly Fields[], used: unknown = null) =>
    dataEvent({
      ...envelope,
      object: 'chat.completion.chunk',
      choices: made,
      ...(wantsUsage ? { usage: used } : {}),
    });
  const events = listObjects(choices).flatMap((choice, at) => {
    const { message, finish_reason: reason = null, index = at, logprobs = null, ...rest } = choice;
    const deltas = toDeltas(isObject(message) ? message : {});
    return [
      ...deltas.map((delta, part) =>
        chunk([{ index, delta, logprobs: part === 0 ? logprobs : null, finish_reason: null }]),
      ),
      chunk([{ ...rest, index, delta: {}, logprobs: null, finish_reason: reason }]),
    ];
  });
  return [...events, ...(wantsUsage ? [chunk([], usage ?? null)] : []), 'data: [DONE]\n\n'].join('');
}

/** Deltas of a message: its text, then its calls, with arguments separately as in streams. */
function toDeltas({ tool_calls: calls, ...said }: Fields): Fields[] {
  const parts = listObjects(calls).flatMap((call, index) => {
    const { function: called, ...rest } = call;
    if (!isObject(called)) return [{ tool_calls: [{ index, ...call }] }];
    const { arguments: args = '', ...named } = called;
    return [
      { tool_calls: [{ index, ...rest, function: { ...named, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: args } }] },
    ];
  });
  return [{ role: 'assistant', ...said }, ...parts];
}
