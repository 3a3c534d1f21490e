import { expect, it } from 'vitest';
import { renderTerminal } from '../../src/cli/terminal/testing.ts';
import { list, type Block } from '../../src/results/document/index.ts';

const TABLE: Block = {
  kind: 'table',
  columns: [
    { head: 'Task' },
    { head: 'Note', dropOrder: 1 },
    { head: 'Outcome', minWidth: 7 },
    { head: 'Fault', minWidth: 14 },
  ],
  rows: [['3', 'x'.repeat(30), 'o'.repeat(20), 'f'.repeat(40)]],
  isPlain: false,
};

/** The texts of a table's only row, in a terminal of so many columns; each line of it fits. */
function rowIn(columns: number): string[] {
  const lines = renderTerminal([TABLE], { columns, color: false }).trimEnd().split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
  const row = lines.find((line) => line.includes('ooo')) ?? '';
  return row.split('│').flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]));
}

it.each([
  [107, ['3', 'x'.repeat(30), 'o'.repeat(20), 'f'.repeat(40)]],
  [74, ['3', 'o'.repeat(20), 'f'.repeat(40)]],
  // The last columns are cut first, and only by what is too much.
  [73, ['3', 'o'.repeat(20), `${'f'.repeat(38)}…`]],
  [48, ['3', 'o'.repeat(20), `${'f'.repeat(13)}…`]],
  [42, ['3', `${'o'.repeat(13)}…`, `${'f'.repeat(13)}…`]],
])('a table in %i columns leaves columns out, then cuts them', (columns, cells) => {
  expect(rowIn(columns)).toEqual(cells);
});

it('an item is one line where a list is shortened, and whole where it is not', () => {
  const items = ['x'.repeat(50), 'second'];
  const style = { columns: 40, color: false };
  expect(renderTerminal([list(items)], style)).toBe(`  ${items.join('\n  ')}\n`);
  expect(renderTerminal([list(items, 1)], style)).toBe(`  ${'x'.repeat(37)}…\n  and 1 more\n`);
});
