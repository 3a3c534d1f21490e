/** A comparison of several runs for the terminal. Pure. */

import Table from 'cli-table3';
import {
  PAIR_HEAD,
  manySentences,
  manySettingGroups,
  pairRows,
  runHead,
  runRows,
  type ManyComparison,
} from '../../results/compare/index.ts';
import { colorsOf, printable, type Colors, type TerminalStyle } from '../terminal/style.ts';
import { COMPACT, titled } from '../terminal/tables.ts';
import { renderList, renderWarnings } from './render.ts';

export function renderMany(comparison: ManyComparison, style: TerminalStyle): string {
  const colors = colorsOf(style);
  const [first = '', ...others] = manySentences(comparison);
  const blocks = [
    colors.bold(printable(first)),
    renderWarnings(comparison.warnings, colors),
    renderTable(runHead(comparison), runRows(comparison), colors),
    comparison.incomparable === null
      ? titled('Pairs', renderTable(PAIR_HEAD, pairRows(comparison), colors), colors)
      : '',
    others.map(printable).join('\n'),
    ...manySettingGroups(comparison).map(({ title, items }) => renderList(title, items, colors)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function renderTable(head: readonly string[], rows: string[][], colors: Colors): string {
  const table = new Table({
    colAligns: head.map((_, column) => (column === 0 || column === head.length - 1 ? 'left' : 'right')),
    head: head.map((cell) => colors.bold(cell)),
    chars: COMPACT,
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => row.map(printable)));
  return table.toString();
}
