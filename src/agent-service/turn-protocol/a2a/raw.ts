/**
 * Reads what the SDK drops from answers: some errors of streams, the mark of the last event, and, for HTTP+JSON in
 * protocol 0.3, metadata of parts and the mark of appended artifacts.
 */

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { marksThought } from '../../../agents/index.ts';
import { isObject, jsonObject, type Fields } from '../../../io/index.ts';
import { errorIn, internalError } from './failures.ts';

/** Keys of an event's metadata that carry the fields of protocol 0.3 which the SDK drops. */
const FINAL = 'urn:tauflow:a2a:final';
const APPEND = 'urn:tauflow:a2a:append';

interface A2aEvent {
  readonly metadata?: Fields | undefined;
}

/** True if the agent marked the event as the last one. */
export function isFinalEvent({ metadata }: A2aEvent): boolean {
  return metadata?.[FINAL] === true;
}

/** True if the agent marked the event as not the last one. */
export function isOpen({ metadata }: A2aEvent): boolean {
  return metadata?.[FINAL] === false;
}

/** True if the event's parts continue the artifact. */
export function isAppended({ append, metadata }: A2aEvent & { readonly append: boolean }): boolean {
  return append || metadata?.[APPEND] === true;
}

/** Passes a stream's events on. @throws A2AError for an event that is an error */
export async function* readEvents(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  for await (const chunk of content) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const event of events.splice(0)) yield encoder.encode(writeEvent(event));
  }
  // Some servers leave out the empty line after the last event.
  parser.feed(`${decoder.decode()}\n\n`);
  for (const event of events) yield encoder.encode(writeEvent(event));
}

function writeEvent({ event, data }: EventSourceMessage): string {
  const lines = readEvent(event, data).split('\n');
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}

function readEvent(event: string | undefined, data: string): string {
  if (event === 'error') throw errorIn(jsonObject(data) ?? {}) ?? internalError(data);
  if (!/"(?:error|final|append|metadata)"/.test(data)) return data;
  const json = jsonObject(data);
  if (json === null) return data;
  const { error = null, result } = json;
  if (error !== null && !isObject(result)) {
    throw errorIn(json) ?? internalError(typeof error === 'string' ? error : JSON.stringify(error));
  }
  // In JSON-RPC, the event is the result, in protocol 0.3 without the name of its kind.
  if (!isObject(result)) return JSON.stringify(withoutThoughtParts(markEvent(json)));
  return JSON.stringify({ ...json, result: markFields(markEvent(result)) });
}

/** Wraps an event of protocol 0.3 in a member named after its kind. */
function markEvent(event: Fields): Fields {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      /^(?:statusUpdate|artifactUpdate)$/.test(name) && isObject(value) ? markFields(value) : value,
    ]),
  );
}

function markFields(event: Fields): Fields {
  const marks = {
    ...(typeof event['final'] === 'boolean' ? { [FINAL]: event['final'] } : {}),
    ...(event['append'] === true ? { [APPEND]: true } : {}),
  };
  if (Object.keys(marks).length === 0) return event;
  return { ...event, metadata: { ...(isObject(event['metadata']) ? event['metadata'] : {}), ...marks } };
}

/** Returns the body of an HTTP+JSON answer without thoughts; a JSON-RPC body unchanged. */
export function readA2aBody(body: string): string {
  if (!body.includes('"metadata"')) return body;
  const json = jsonObject(body);
  return json === null || 'jsonrpc' in json ? body : JSON.stringify(withoutThoughtParts(json));
}

function withoutThoughtParts(json: Fields): Fields {
  const isThought = (part: unknown) => isObject(part) && isObject(part['metadata']) && marksThought(part['metadata']);
  return JSON.parse(JSON.stringify(json), (key, value: unknown) =>
    (key === 'parts' || key === 'content') && Array.isArray(value) ? value.filter((part) => !isThought(part)) : value,
  ) as Fields;
}
