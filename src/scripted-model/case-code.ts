/**
 * The case code, with which the scripted user names its task in the conversation, and draws that a text alone
 * decides. Both keep the server stateless: every request carries all that its answer depends on.
 */

import { createHash } from 'node:crypto';

/** One episode: a task of a pack, and the seed that distinguishes its trials. */
export interface CaseCode {
  /** `<domain>-<first six hex digits of the pack's digest>`, see `packKeyOf`. */
  readonly packKey: string;
  readonly split: string;
  /** The task's position in its split. */
  readonly taskId: number;
  readonly seed: number;
}

const PATTERN = /\[case ([^\s/[\]]+)\/([^\s/[\]]+)\/(\d{1,16}) s(-?\d{1,16})\]/;

/** Names a task without a seed: `retail-3fa91c/test/17`. */
export function taskKeyOf(code: Omit<CaseCode, 'seed'>): string {
  return `${code.packKey}/${code.split}/${code.taskId}`;
}

/** `[case retail-3fa91c/test/17 s123]` */
export function formatCaseCode(code: CaseCode): string {
  return `[case ${taskKeyOf(code)} s${code.seed}]`;
}

/** The first case code in a text, undefined when there is none. */
export function findCaseCode(text: string): CaseCode | undefined {
  const [, packKey, split, taskId, seed] = PATTERN.exec(text) ?? [];
  if (packKey === undefined || split === undefined || taskId === undefined || seed === undefined) return undefined;
  return { packKey, split, taskId: Number(taskId), seed: Number(seed) };
}

/** A number in [0, 1), the same for the same text. */
export function drawUnit(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** The items in an order that depends on nothing but the text. */
export function shuffled<T>(items: readonly T[], text: string): T[] {
  return items
    .map((item, index) => ({ item, rank: drawUnit(`${text}#${index}`) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
