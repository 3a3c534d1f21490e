/**
 * The registry of conditions: the program's own, and those from files, which are identified by the digest of their
 * code.
 */

import { lostAnswers } from './lost-answers.ts';
import { noisyResults } from './noisy-results.ts';
import { PERSONAS } from './personas.ts';
import type { Condition, ConditionRef } from './port.ts';
import { renamedTools } from './renamed-tools.ts';
import { shuffledPolicy } from './shuffled-policy.ts';
import { slowTools } from './slow-tools.ts';
import { toolErrors } from './tool-errors.ts';

export const CONDITIONS: readonly Condition[] = [
  toolErrors,
  lostAnswers,
  slowTools,
  noisyResults,
  renamedTools,
  shuffledPolicy,
  ...PERSONAS,
];

const own = new Map<string, Condition>();

export function addOwnCondition(digest: string, condition: Condition): void {
  own.set(digest, condition);
}

/** Finds a condition. @returns undefined if this process, or this sandbox, does not have it */
export function findCondition({ name, file }: Pick<ConditionRef, 'name' | 'file'>): Condition | undefined {
  return file === undefined ? CONDITIONS.find((each) => each.name === name) : own.get(file.digest);
}

/** Error of a condition from a file that this process does not have; another worker may have it. */
export class MissingCondition extends Error {
  constructor(ref: Pick<ConditionRef, 'name' | 'file'>) {
    super(conditionSentence(ref));
    this.name = 'MissingCondition';
  }
}

/** Returns a sentence on a condition that a worker lacks, with the command that starts a worker with it. */
export function conditionSentence({ name, file }: Pick<ConditionRef, 'name' | 'file'>): string {
  if (file === undefined) return `condition ${name}; start a worker of the same version`;
  return (
    `condition ${name} with digest ${file.digest.slice(0, 12)} (${file.path}); start a worker that has the same file, ` +
    'with `npx tauflow worker --condition FILE`'
  );
}

/** @throws MissingCondition */
export function requireCondition(ref: Pick<ConditionRef, 'name' | 'file'>): Condition {
  const condition = findCondition(ref);
  if (condition === undefined) throw new MissingCondition(ref);
  return condition;
}

/** Matches words that mean something else in names of episodes, forks, files and workflow ids. */
const OTHER_NAMES = /^(?:base|errors|jsonl?|(?:lane|task|trial|fork|step)-\d+)$/;

/** @returns true if a condition can have the name in files and workflow ids */
export function isConditionName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,39}$/.test(name) && !OTHER_NAMES.test(name);
}

/** Formats a name as on the command line: `user:claims`. */
export function formatConditionName(name: string): string {
  return name.replace(/^user-/, 'user:');
}

/** True if a word on the command line is a file rather than the name of a condition. */
export function isConditionFile(word: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(word);
}

/**
 * Parses a condition of the program: `tool-errors=0.2`, `user:claims`.
 * @returns the name and the rate; a sentence if the text is invalid
 */
export function parseCondition(text: string): Pick<ConditionRef, 'name' | 'rate'> | string {
  const [word = '', given, ...others] = text.split('=');
  const name = word.replace(/^user:/, 'user-');
  const condition = CONDITIONS.find((each) => each.name === name);
  if (condition === undefined) {
    const known = CONDITIONS.map((each) => formatConditionName(each.name)).join(', ');
    return `There is no condition "${word}"; use base, ${known}, or a file such as ./my-condition.ts.`;
  }
  if (given === undefined) return { name };
  if (condition.rate === undefined) return `The condition ${word} takes no rate; write it without "=${given}".`;
  const rate = Number(given);
  const isRate = /^[\d.]+$/.test(given) && rate > 0 && rate <= 1 && others.length === 0;
  return isRate
    ? { name, rate }
    : `The rate of ${word} is a number above 0 and up to 1, such as ${word}=${condition.rate}.`;
}
