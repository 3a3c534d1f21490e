/** A comparison as Markdown, to be pasted into an issue or a chat. Pure. */

import { markdownTable, type Line } from '../report/index.ts';
import type { Comparison } from './compare.ts';
import { costLines, tradeSentence } from './cost-lines.ts';
import { flipItems } from './flip-lines.ts';
import { differenceLines, settingGroups, SIDES_HEAD, sideRows, strayLines } from './lines.ts';
import { headline } from './sentence.ts';

export function comparisonToMarkdown(comparison: Comparison): string {
  const { settings, worse, better, warnings, baseline, run } = comparison;
  const before = baseline?.runId ?? '';
  const sections = [
    `# ${headline(comparison).join('')}`,
    warningBlock(warnings),
    markdownTable(SIDES_HEAD, sideRows(comparison)),
    lineTable(differenceLines(comparison)),
    section('Cost against score', tradeSentence(comparison) ?? ''),
    lineTable(costLines(comparison)),
    ...settingGroups(settings).map(({ title, items }) => section(title, bullets(items))),
    section('Worse', bullets(flipItems(worse, before, run.runId))),
    section('Better', bullets(flipItems(better, before, run.runId))),
    strayLines(comparison).join('\n'),
  ];
  return joinSections(sections);
}

export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** A quotation, so that it is seen first. */
export function warningBlock(warnings: readonly string[]): string {
  return warnings.map((warning) => `> ${warning}`).join('\n>\n');
}

export function section(title: string, body: string): string {
  return body === '' ? '' : `## ${title}\n\n${body}`;
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function lineTable(lines: readonly Line[]): string {
  if (lines.length === 0) return '';
  return markdownTable(
    ['', '', ''],
    lines.map(({ name, value, meaning }) => [name, value, meaning]),
  );
}
