/** Parts of an episode's history: its bytes, its activities, and the conversation that they carry. */

import type { History } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import type { Message } from '../src/agents/index.ts';
import type { CompleteInput, CompleteOutput } from '../src/wire/index.ts';

export interface HistoryFigures {
  /** As the server keeps and sends it. */
  readonly bytes: number;
  readonly events: number;
  readonly activities: number;
  /** Inputs and outputs, of activities and of the workflow itself. */
  readonly payloadBytes: number;
  /** Every text of the model's conversations once, however often it travels; UTF-8. */
  readonly conversationBytes: number;
}

export function historyFigures(history: History): HistoryFigures {
  const events = history.events ?? [];
  const texts = new Set<string>();
  let activities = 0;
  let payloadBytes = 0;
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const payloads = [
      scheduled?.input,
      event.activityTaskCompletedEventAttributes?.result,
      event.workflowExecutionStartedEventAttributes?.input,
      event.workflowExecutionCompletedEventAttributes?.result,
    ].flatMap((list) => list?.payloads ?? []);
    if (scheduled) activities += 1;
    for (const { data } of payloads) {
      // A payload of nothing at all is `undefined`.
      if (!data || data.length === 0) continue;
      payloadBytes += data.length;
      for (const text of textsOf(JSON.parse(Buffer.from(data).toString('utf8')) as unknown)) texts.add(text);
    }
  }
  const conversationBytes = [...texts].reduce((total, text) => total + Buffer.byteLength(text), 0);
  const { History } = proto.temporal.api.history.v1;
  return {
    bytes: History.encode(history).finish().length,
    events: events.length,
    activities,
    payloadBytes,
    conversationBytes,
  };
}

/** The texts of a model call's messages, where the value is the input or the output of one. */
function* textsOf(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('transcript' in value) {
    for (const item of (value as CompleteInput).transcript.items) {
      if ('more' in item) yield* partText(item.more);
      else yield* messageTexts(item);
    }
  } else if ('message' in value && 'usage' in value) {
    yield* messageTexts((value as CompleteOutput).message);
  }
}

function* messageTexts(message: Message): Iterable<string> {
  const { content } = message;
  if (typeof content === 'string') yield content;
  else for (const part of content ?? []) yield* partText(part);
  if (message.role !== 'assistant') return;
  for (const { function: called } of message.tool_calls ?? []) yield called.name + called.arguments;
}

function* partText(part: unknown): Iterable<string> {
  if (typeof part === 'string') yield part;
}
