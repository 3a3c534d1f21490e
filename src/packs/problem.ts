/** What is wrong with a pack, in sentences for the person who has it. */

import { UsageError } from '../errors/index.ts';

/** One sentence: which file, where in it, what is wrong and what it should be. */
export type PackProblem = string;

/**
 * A pack cannot be used. The message is the first problem's sentence; when there are more, it ends with their
 * number and {@link PackError.problems} has them all.
 */
export class PackError extends UsageError {
  override readonly name = 'PackError';
  readonly problems: readonly PackProblem[];

  constructor(problem: PackProblem | readonly PackProblem[]) {
    const problems = typeof problem === 'string' ? [problem] : problem;
    const [first = 'the pack cannot be used', ...rest] = problems;
    super(rest.length === 0 ? first : `${first.replace(/\.$/, '')} (and ${more(rest.length)} in this pack).`);
    this.problems = problems;
  }
}

function more(count: number): string {
  return count === 1 ? '1 more problem' : `${String(count)} more problems`;
}

/** Throws what has been collected, if anything has. */
export function throwProblems(problems: readonly PackProblem[]): void {
  if (problems.length > 0) throw new PackError(problems);
}

/** `a, b and c`; `or` for alternatives. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1) ?? ''}`;
}
