/**
 * The case code, by which the scripted user names its task, and draws that depend only on a text. They keep the server
 * stateless: a request determines its answer.
 */

import { createHash } from 'node:crypto';

/** An episode: a task of a pack, and the seed that distinguishes its trials. */
export interface CaseCode {
  /** Key of the pack, `<domain>-<first six hex digits of its digest>`, see `formatPackKey`. */
  readonly packKey: string;
  readonly split: string;
  /** Position of the task in its split. */
  readonly taskId: number;
  readonly seed: number;
}

const PATTERN = /\[case ([^\s/[\]]+)\/([^\s/[\]]+)\/(\d{1,16}) s(-?\d{1,16})\]/;

/** Formats a task without a seed: `retail-3fa91c/test/17`. */
export function formatTaskKey(code: Omit<CaseCode, 'seed'>): string {
  return `${code.packKey}/${code.split}/${code.taskId}`;
}

/** Formats a case code: `[case retail-3fa91c/test/17 s123]`. */
export function formatCaseCode(code: CaseCode): string {
  return `[case ${formatTaskKey(code)} s${code.seed}]`;
}

/** Returns the first case code in a text; undefined if there is none. */
export function findCaseCode(text: string): CaseCode | undefined {
  const [, packKey, split, taskId, seed] = PATTERN.exec(text) ?? [];
  if (packKey === undefined || split === undefined || taskId === undefined || seed === undefined) return undefined;
  return { packKey, split, taskId: Number(taskId), seed: Number(seed) };
}

/** Draws a number in [0, 1) that depends only on the text. */
export function drawFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** Shuffles the items in an order that depends only on the text. */
export function shuffleByText<T>(items: readonly T[], text: string): T[] {
  return items
    .map((item, index) => ({ item, rank: drawFraction(`${text}#${index}`) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
