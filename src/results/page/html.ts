/**
 * A report as one HTML file that works without a network, a server or other files. The overview is there when it
 * opens; conversations are unpacked on demand. The same log gives the same bytes.
 *
 * Texts of models and users and names of files are in this page, so its security policy runs only the one script whose
 * hash is given here and loads nothing. Texts of any origin are in data blocks, which browsers do not run.
 */

import { createHash } from 'node:crypto';
import { buildPayload, type HtmlOptions } from './build-payload.ts';
import type { Payload } from './payload.ts';
import type { HtmlSubject } from './episodes.ts';
import { viewerBundle } from './viewer-bundle.ts';

export type { HtmlOptions, HtmlSubject };

/**
 * The file, piece by piece.
 * @param subjects at least one; several are compared
 * @throws ResultsError when a log or a file cannot be read
 */
export async function* htmlReport(
  subjects: readonly HtmlSubject[],
  options: HtmlOptions = {},
): AsyncGenerator<string, void, undefined> {
  const [{ script, style }, { payload, chunks }] = await Promise.all([viewerBundle(), buildPayload(subjects, options)]);
  yield headOf(payload, script, style);
  yield `<script type="application/json" id="payload">${dataJson(payload)}</script>\n`;
  for (const [index, chunk] of chunks.entries()) {
    yield `<script type="application/octet-stream" id="chunk-${String(index)}">${chunk}</script>\n`;
  }
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

/**
 * @param script exactly the content of its element: the policy has its hash
 * @param more directives
 */
export function contentSecurityPolicy(script: string, ...more: readonly string[]): string {
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join('; ');
}

function headOf(payload: Payload, script: string, style: string): string {
  const title = payload.runs.map(({ subject }) => subject.runId).join(', ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${htmlText(contentSecurityPolicy(script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="tauflow">
<title>${htmlText(title)} · Tauflow report</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>This report needs JavaScript to be shown; it loads nothing.</noscript></div>
`;
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text between tags and for attributes in quotes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMED[character] ?? character);
}

/**
 * JSON for an element `script`, whose end, and the states of its own that `<!--` and `<script` begin, a parser looks for
 * in the raw text: without `<` it finds none.
 */
export function dataJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
