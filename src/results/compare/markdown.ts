/** A comparison as Markdown, to be pasted into an issue or a chat. Pure. */

import { markdownTable } from '../markdown.ts';
import type { Comparison } from './compare.ts';
import { differenceLines, flipLines, SIDES_HEAD, sideRows, strayLines, VERDICT_WORDS } from './lines.ts';

export function comparisonToMarkdown(comparison: Comparison): string {
  const { verdict, sentence, configuration, worse, better } = comparison;
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `## ${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
  const lines = differenceLines(comparison);
  const sections = [
    `# ${VERDICT_WORDS[verdict]}: ${sentence}`,
    markdownTable(SIDES_HEAD, sideRows(comparison)),
    markdownTable(
      ['', '', ''],
      lines.map(({ name, value, meaning }) => [name, value, meaning]),
    ),
    list('Configuration', configuration),
    list('Worse', flipLines(worse)),
    list('Better', flipLines(better)),
    strayLines(comparison).join('\n'),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
