/** Every condition: the program's, and those from files, which go by the digest of their code. */

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

/** @returns undefined when this process, or this sandbox, does not have it */
export function findCondition({ name, file }: Pick<ConditionRef, 'name' | 'file'>): Condition | undefined {
  return file === undefined ? CONDITIONS.find((each) => each.name === name) : own.get(file.digest);
}

/** The name as it is typed: `user:claims`. */
export function formatConditionName(name: string): string {
  return name.replace(/^user-/, 'user:');
}

/** True if a word on the command line is a file rather than the name of a condition. */
export function isConditionFile(word: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(word);
}

/**
 * Parses a condition of the program: `tool-errors=0.2`, `user:claims`.
 * @returns its name and its rate; a sentence for another text
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
