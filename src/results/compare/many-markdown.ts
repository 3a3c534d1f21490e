/** A comparison of several runs as Markdown. Pure. */

import { markdownTable } from '../report/index.ts';
import type { ManyComparison } from './many.ts';
import { manySentences, manySettingGroups, PAIR_HEAD, pairRows, runHead, runRows } from './many-lines.ts';
import { bullets, joinSections, section, warningBlock } from './markdown.ts';

export function manyToMarkdown(comparison: ManyComparison): string {
  const [first = '', ...others] = manySentences(comparison);
  return joinSections([
    `# ${first}`,
    warningBlock(comparison.warnings),
    markdownTable(runHead(comparison), runRows(comparison)),
    comparison.incomparable === null ? section('Pairs', markdownTable(PAIR_HEAD, pairRows(comparison))) : '',
    bullets(others),
    ...manySettingGroups(comparison).map(({ title, items }) => section(title, bullets(items))),
  ]);
}
