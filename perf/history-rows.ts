/** Size of an episode's history, compared with the conversation that it holds and the design's budget for both. */

import { episodeWorkflowId, type CompleteOutput } from '../src/evaluation/index.ts';
import type { CompleteInput } from '../src/episode/index.ts';
import { median, bytes, count, type Row } from './table.ts';
import type { Stage, MeasuredSweep } from './sweep.ts';
import type { History } from '@temporalio/worker';
import proto from '@temporalio/proto';
import type { Message } from '../src/agents/index.ts';

/** An activity's events without its payloads. */
const ACTIVITY_BYTES = 900;

/** Reads the histories of a sweep's episodes from the server that still runs. */
export async function readHistories(stage: Stage, { records }: MeasuredSweep): Promise<HistoryFigures[]> {
  const figures: HistoryFigures[] = [];
  for (const { taskId, trial } of records) {
    const handle = stage.temporal.client.workflow.getHandle(episodeWorkflowId('bench', { taskId, trial }));
    figures.push(historyFigures(await handle.fetchHistory()));
  }
  return figures;
}

/** @param agent `tool-calling`, and what is special about its model */
export function historyRows(agent: string, figures: readonly HistoryFigures[]): Row[] {
  const section = `History of an episode, ${agent} (${figures.length} episodes, median and largest)`;
  const sorted = [...figures].sort((a, b) => a.bytes - b.bytes);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const largest = sorted.at(-1);
  if (middle === undefined || largest === undefined) return [];
  const computeBudget = ({ conversationBytes, activities }: HistoryFigures) =>
    2 * conversationBytes + ACTIVITY_BYTES * activities;
  const toHistoryRow = (name: string, figure: HistoryFigures): Row => ({
    section,
    name,
    measured: bytes(figure.bytes),
    baseline: { ...bytes(computeBudget(figure)), what: '2 × conversation + 0.9 kB × activities' },
    target: { atMost: 1, of: 'ratio' },
    note: `${figure.activities} activities, ${figure.events} events`,
  });
  const versus = (name: string, figure: HistoryFigures): Row => ({
    section,
    name,
    measured: bytes(figure.bytes),
    baseline: { ...bytes(figure.conversationBytes), what: 'conversation, each text once' },
  });
  const worst = figures.reduce((a, b) => (a.bytes / computeBudget(a) > b.bytes / computeBudget(b) ? a : b));
  return [
    toHistoryRow('median', middle),
    toHistoryRow('largest', largest),
    toHistoryRow('worst against its budget', worst),
    versus('median, and its conversation', middle),
    versus('largest, and its conversation', largest),
    {
      section,
      name: 'beside payloads, per activity',
      measured: bytes(median(figures.map((figure) => (figure.bytes - figure.payloadBytes) / figure.activities))),
      baseline: { ...bytes(ACTIVITY_BYTES), what: 'budget' },
    },
    {
      section,
      name: 'payloads over conversation',
      measured: count(median(figures.map((figure) => figure.payloadBytes / figure.conversationBytes))),
    },
  ];
}

/** Parts of an episode's history: its bytes, its activities, and the conversation that they carry. */
interface HistoryFigures {
  /** Size as the server keeps and sends it. */
  readonly bytes: number;
  readonly events: number;
  readonly activities: number;
  /** Inputs and outputs, of activities and of the workflow itself. */
  readonly payloadBytes: number;
  /** Every text of the model's conversations once, however often it travels; UTF-8. */
  readonly conversationBytes: number;
}

function historyFigures(history: History): HistoryFigures {
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
      for (const text of listTexts(JSON.parse(Buffer.from(data).toString('utf8')) as unknown)) texts.add(text);
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
function* listTexts(value: unknown): Iterable<string> {
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
  if (message.continuation !== undefined) yield message.continuation.data;
}

function* partText(part: unknown): Iterable<string> {
  if (typeof part === 'string') yield part;
}
