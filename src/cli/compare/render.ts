/** A comparison for the terminal. Pure. */

import Table from 'cli-table3';
import {
  SIDES_HEAD,
  costLines,
  differenceLines,
  flipLines,
  headline,
  settingGroups,
  sideRows,
  strayLines,
  tradeSentence,
  type Comparison,
} from '../../results/compare/index.ts';
import { colorsOf, printable, type Colors, type TerminalStyle } from '../terminal/style.ts';
import { COMPACT, renderLines, titled } from '../terminal/tables.ts';

export function renderComparison(comparison: Comparison, style: TerminalStyle): string {
  const colors = colorsOf(style);
  const [words, sentence] = headline(comparison);
  const { verdict, settings, worse, better, warnings } = comparison;
  const table = new Table({
    head: SIDES_HEAD.map((head) => colors.bold(head)),
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left'],
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  table.push(...sideRows(comparison));
  const costs = [`  ${printable(tradeSentence(comparison) ?? '')}`, renderLines(costLines(comparison), style)].filter(
    (block) => block.trim() !== '',
  );
  const blocks = [
    `${paintVerdict(words, verdict, colors)}${printable(sentence)}`,
    renderWarnings(warnings, colors),
    table.toString(),
    titled('Over what both have', renderLines(differenceLines(comparison), style), colors),
    costs.length === 0 ? '' : titled('Cost against score', costs.join('\n'), colors),
    ...settingGroups(settings).map(({ title, items }) => renderList(title, items, colors)),
    renderList('Worse', flipLines(worse), colors),
    renderList('Better', flipLines(better), colors),
    strayLines(comparison).map(colors.yellow).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

export function renderWarnings(warnings: readonly string[], colors: Colors): string {
  return warnings.map((warning) => colors.yellow(`warning: ${printable(warning)}`)).join('\n');
}

export function renderList(title: string, items: readonly string[], colors: Colors): string {
  return items.length === 0 ? '' : titled(title, items.map((item) => `  ${printable(item)}`).join('\n'), colors);
}

function paintVerdict(words: string, verdict: Comparison['verdict'], colors: Colors): string {
  switch (verdict) {
    case 'regression':
      return colors.red(words);
    case 'improvement':
      return colors.green(words);
    case 'unfinished':
    case 'incomparable':
      return colors.yellow(words);
    case 'first':
    case 'no_difference':
      return words;
  }
}
