/**
 * The case code, with which the scripted user tells the scripted agent, in the conversation itself, which task they are
 * in. It makes the server stateless: every request carries all that decides its answer.
 */

/** One episode: a task of a pack, and the seed that tells its trials apart. */
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
