/** The frame of every page: one style and one script, the only one that its security policy allows. */

import { createHash } from 'node:crypto';
import type { WebBundle } from './bundle.ts';

/**
 * Returns the policy of a page that loads nothing.
 * @param script exactly the content of the script element, because the policy has its hash
 * @param more directives
 */
export function contentSecurityPolicy({ script }: WebBundle, ...more: readonly string[]): string {
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

interface PageParts {
  readonly title: string;
  /** Elements of the head, beside the title and the style. */
  readonly head: string;
  readonly noScript: string;
}

export function framePage(
  { script, style }: WebBundle,
  { title, head, noScript }: PageParts,
): readonly [string, string] {
  return [
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>${noScript}</noscript></div>
`,
    `<script>${script}</script>\n</body>\n</html>\n`,
  ];
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for its place between tags or in an attribute in quotes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => NAMED[character] ?? character);
}
