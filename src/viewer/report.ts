/**
 * A report as one HTML file that works without a network, a server or other files. The overview is plain data;
 * conversations are unpacked on demand. The same log gives the same bytes.
 *
 * Texts of models and users and names of files are in this page, so its security policy allows only the one script, by
 * its hash, and no loading. Texts of any origin are in data blocks, which browsers do not run.
 */

import { loadBundle } from './bundle.ts';
import { buildPayload, type HtmlOptions } from './data/pack.ts';
import type { HtmlSubject } from './data/episodes.ts';
import { contentSecurityPolicy, framePage, htmlText } from './page.ts';

/**
 * Yields the file piece by piece.
 * @param subjects at least one; several are compared
 * @throws ResultsError when a log or a file cannot be read
 */
export async function* htmlReport(
  subjects: readonly HtmlSubject[],
  options: HtmlOptions = {},
): AsyncGenerator<string, void, undefined> {
  const [bundle, { payload, chunks }] = await Promise.all([loadBundle(), buildPayload(subjects, options)]);
  const [start, end] = framePage(bundle, {
    title: `${payload.runs.map(({ subject }) => subject.runId).join(', ')} · Tauflow report`,
    head: [
      `<meta http-equiv="Content-Security-Policy" content="${htmlText(contentSecurityPolicy(bundle))}">`,
      '<meta name="referrer" content="no-referrer">',
      '<meta name="generator" content="tauflow">',
    ].join('\n'),
    noScript: 'This report needs JavaScript to be shown; it loads nothing.',
  });
  yield start;
  yield `<script type="application/json" id="payload">${dataJson(payload)}</script>\n`;
  for (const [index, chunk] of chunks.entries()) {
    yield `<script type="application/octet-stream" id="chunk-${index}">${chunk}</script>\n`;
  }
  yield end;
}

/**
 * Returns JSON for a `script` element. It contains no `<`, because a parser looks for `</script`, `<!--` and `<script`
 * in the raw text.
 */
export function dataJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
