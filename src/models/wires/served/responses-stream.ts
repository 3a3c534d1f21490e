/** A response of OpenAI's Responses API as the events of its stream. */

import { jsonObject } from '../../../io/index.ts';
import type { Fields } from '../../../io/index.ts';
import { namedEvent, listObjects } from './events.ts';

type StreamEvent = Fields & { readonly type: string };

/** @returns null for a reply of another form */
export function streamResponse(reply: string): string | null {
  const response = jsonObject(reply);
  if (response === null || !Array.isArray(response['output'])) return null;
  const { status } = response;
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const end = status === 'incomplete' || status === 'failed' ? status : 'completed';
  const events: readonly StreamEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...listObjects(response['output']).flatMap(itemEvents),
    { type: `response.${end}`, response },
  ];
  return events.map((event, at) => namedEvent({ ...event, sequence_number: at })).join('');
}

function itemEvents(item: Fields, index: number): StreamEvent[] {
  const place = { item_id: item['id'], output_index: index };
  const { begin, events } = splitItem(item, place);
  return [
    { type: 'response.output_item.added', output_index: index, item: begin },
    ...events,
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

/** Splits an item into its first event and its deltas. An item of another kind is sent whole. */
function splitItem(item: Fields, place: Fields): { readonly begin: Fields; readonly events: readonly StreamEvent[] } {
  const { type, content, summary, arguments: args, name } = item;
  if (type === 'message') {
    const events = listObjects(content).flatMap((part, at) => contentEvents(part, { ...place, content_index: at }));
    return { begin: { ...item, status: 'in_progress', content: [] }, events };
  }
  if (type === 'function_call') {
    const kind = 'response.function_call_arguments';
    return {
      begin: { ...item, status: 'in_progress', arguments: '' },
      events: [
        { type: `${kind}.delta`, ...place, delta: args },
        { type: `${kind}.done`, ...place, name, arguments: args },
      ],
    };
  }
  if (type === 'reasoning') {
    const events = listObjects(summary).flatMap((part, at) => summaryEvents(part, { ...place, summary_index: at }));
    return { begin: { ...item, summary: [] }, events };
  }
  return { begin: item, events: [] };
}

function contentEvents(part: Fields, place: Fields): StreamEvent[] {
  const isRefusal = part['type'] === 'refusal';
  const field = isRefusal ? 'refusal' : 'text';
  const kind = isRefusal ? 'response.refusal' : 'response.output_text';
  const said = part[field];
  const beside = isRefusal ? {} : { logprobs: [] };
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, [field]: '' } },
    { type: `${kind}.delta`, ...place, delta: said, ...beside },
    { type: `${kind}.done`, ...place, [field]: said, ...beside },
    { type: 'response.content_part.done', ...place, part },
  ];
}

function summaryEvents(part: Fields, place: Fields): StreamEvent[] {
  const { text } = part;
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...place, delta: text },
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part },
  ];
}
