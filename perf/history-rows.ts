/** Size of an episode's history, compared with the conversation that it holds and the design's budget for both. */

import { episodeWorkflowId } from '../src/wire/index.ts';
import { median } from './figures.ts';
import { historyFigures, type HistoryFigures } from './history.ts';
import type { Stage } from './stage.ts';
import type { MeasuredSweep } from './sweep.ts';
import { bytes, count, type Row } from './table.ts';

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

export function historyRows(strategy: string, figures: readonly HistoryFigures[]): Row[] {
  const section = `History of an episode, ${strategy} (${figures.length} episodes, median and largest)`;
  const sorted = [...figures].sort((a, b) => a.bytes - b.bytes);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const largest = sorted.at(-1);
  if (middle === undefined || largest === undefined) return [];
  const budgetOf = ({ conversationBytes, activities }: HistoryFigures) =>
    2 * conversationBytes + ACTIVITY_BYTES * activities;
  const rowOf = (name: string, figure: HistoryFigures): Row => ({
    section,
    name,
    measured: bytes(figure.bytes),
    baseline: { ...bytes(budgetOf(figure)), what: '2 × conversation + 0.9 kB × activities' },
    target: { atMost: 1, of: 'ratio' },
    note: `${figure.activities} activities, ${figure.events} events`,
  });
  const versus = (name: string, figure: HistoryFigures): Row => ({
    section,
    name,
    measured: bytes(figure.bytes),
    baseline: { ...bytes(figure.conversationBytes), what: 'conversation, each text once' },
  });
  const worst = figures.reduce((a, b) => (a.bytes / budgetOf(a) > b.bytes / budgetOf(b) ? a : b));
  return [
    rowOf('median', middle),
    rowOf('largest', largest),
    rowOf('worst against its budget', worst),
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
