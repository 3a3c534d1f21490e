/** A comparison for the terminal. Pure. */

import Table from 'cli-table3';
import type { Comparison } from '../../results/compare/compare.ts';
import {
  differenceLines,
  flipLines,
  SIDES_HEAD,
  sideRows,
  strayLines,
  VERDICT_WORDS,
} from '../../results/compare/lines.ts';
import { colorsOf, printable, type Colors, type TerminalStyle } from '../terminal/style.ts';
import { COMPACT, renderLines, titled } from '../terminal/tables.ts';

export function renderComparison(comparison: Comparison, style: TerminalStyle): string {
  const colors = colorsOf(style);
  const { verdict, sentence, configuration, worse, better } = comparison;
  const table = new Table({
    head: SIDES_HEAD.map((head) => colors.bold(head)),
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left'],
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  table.push(...sideRows(comparison));
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : titled(title, items.map((item) => `  ${printable(item)}`).join('\n'), colors);
  const blocks = [
    `${paintVerdict(verdict, colors)}: ${printable(sentence)}`,
    table.toString(),
    titled('Over what both have', renderLines(differenceLines(comparison), style), colors),
    list('Configuration', configuration),
    list('Worse', flipLines(worse)),
    list('Better', flipLines(better)),
    strayLines(comparison).map(colors.yellow).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

export function paintVerdict(verdict: Comparison['verdict'], colors: Colors): string {
  const words = VERDICT_WORDS[verdict];
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
