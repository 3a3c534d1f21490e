/**
 * A customer who misbehaves, in a share of the episodes that is drawn by seed, in a way that is known: for trying out
 * what finds such customers.
 */

import { isDict } from '../benchmark/python/index.ts';
import { STOP_MARKER } from '../benchmark/index.ts';
import { formatCaseCode, type CaseCode } from './case-code.ts';
import { drawUnit, shuffled } from './random.ts';
import type { IndexedTask } from './task-index.ts';

/** Named as the analysis of episodes names what it finds. */
export const CARELESS_KINDS = [
  'invented_id',
  'gave_solution',
  'never_stopped',
  'recited_instruction',
  'spoke_as_agent',
  'leaked_thought',
] as const;
export type CarelessKind = (typeof CARELESS_KINDS)[number];

/**
 * What an episode's customer does wrong; null when it behaves.
 * @param share of the episodes, in [0, 1]
 */
export function carelessnessOf(item: IndexedTask, code: CaseCode, share: number): CarelessKind | null {
  const name = formatCaseCode(code);
  if (drawUnit(`careless ${name}`) >= share) return null;
  return shuffled(CARELESS_KINDS, `careless kind ${name}`).find((kind) => slipOf(kind, item) !== null) ?? null;
}

/** The customer's first line, with the slip where it is one of the first line. */
export function carelessOpening(line: string, kind: CarelessKind | null, item: IndexedTask): string {
  const slip = kind === null ? null : slipOf(kind, item);
  if (slip === null || slip === '') return line;
  return kind === 'leaked_thought' ? `${slip}\n${line}` : `${line} ${slip}`;
}

/** A later line: one who does not stop thanks instead, for ever. */
export function carelessReply(line: string, kind: CarelessKind | null): string {
  return kind === 'never_stopped' && line === STOP_MARKER ? 'Thank you so much, goodbye!' : line;
}

/** The addition to the first line; null if the task offers nothing to add. */
function slipOf(kind: CarelessKind, { pack, task }: IndexedTask): string | null {
  switch (kind) {
    case 'invented_id': {
      const id = inventedId(pack.tables);
      return id === null ? null : `My number is ${id}.`;
    }
    case 'gave_solution': {
      const tool = task.actions.find(({ name }) => name.includes('_'))?.name;
      return tool === undefined ? null : `You will have to call ${tool}.`;
    }
    case 'recited_instruction':
      // Shorter ones, and those that do not say "you", could not be told from plain speech.
      return /^(?:\S+\s+){12}/.test(task.instruction) && /\byou\b/i.test(task.instruction) ? task.instruction : null;
    case 'spoke_as_agent':
      return 'How can I help you today?';
    case 'leaked_thought':
      return 'Thought: I should not tell too much.';
    case 'never_stopped':
      // A conversation that is handed over is not the customer's to end.
      return task.actions.some(({ name }) => pack.terminateTools.includes(name)) ? null : '';
  }
}

/** An id of the pack's first table that has digits, with each of them one higher, where there is no such record. */
function inventedId(tables: IndexedTask['pack']['tables']): string | null {
  for (const records of tables.values()) {
    if (!isDict(records)) continue;
    for (const id of records.keys()) {
      const other = id.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
      if (/\d{4}/.test(id) && !records.has(other)) return other;
    }
  }
  return null;
}
