/** The options of a run whose actions an outside harness takes: `--decisions stdio`. */

import { OUTSIDE } from '../../users/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { RawRunOptions, RunOptions } from './options.ts';

/**
 * Options of a run whose actions an outside harness takes: it answers for the user too.
 * @param typed those that were given
 * @throws UsageError for what such a run cannot have
 */
export function withDecisions(options: RunOptions, typed: RawRunOptions): RunOptions {
  if (options.decisions !== 'stdio') return options;
  if (typed.userStrategy !== undefined) {
    throw new UsageError('--decisions stdio has the harness answer for the user; leave --user-strategy out.');
  }
  if (options.failUnder !== undefined) {
    throw new UsageError('--fail-under needs a score, and --decisions stdio gives none; leave one of them out.');
  }
  if (options.json && !options.dryRun) {
    throw new UsageError('--decisions stdio prints JSON lines, and --json one document; leave one of them out.');
  }
  return { ...options, userStrategy: OUTSIDE, decisionOnly: false };
}
