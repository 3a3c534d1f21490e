/**
 * McNemar's exact test for two runs with one trial a task: only tasks that one run solved and the other did not tell
 * the two apart, and without a difference each of these is a fair coin (McNemar, Psychometrika 12, 1947; exact form by
 * the binomial distribution).
 */

export interface McNemar {
  /** Tasks that only the earlier run solved. */
  readonly worse: number;
  /** Tasks that only the later run solved. */
  readonly better: number;
  /** Two-sided, in (0, 1]. */
  readonly p: number;
}

export function exactMcNemar(worse: number, better: number): McNemar {
  const n = worse + better;
  const few = Math.min(worse, better);
  // Terms of the lower tail as logarithms: 0.5^n is no double any more from n = 1075 on.
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= few; k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((n - k) / (k + 1));
  }
  return { worse, better, p: Math.min(1, 2 * tail) };
}
