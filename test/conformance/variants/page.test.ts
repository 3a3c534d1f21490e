import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readPack } from '../../../src/packs/read.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { tableHead, tableLine, VARIANTS } from './measure.ts';

const page = readFileSync(fileURLToPath(new URL('../../../docs/conformance.md', import.meta.url)), 'utf8');

/** A row of a table without the spaces and signs that formatting adds. */
function plainRow(row: string): string {
  return row.replace(/ +/g, ' ').replace(/-+(?=:? \|)/g, '---');
}

/** The page's table with this head, from its head on. */
function shownTable(head: string): string[] {
  const lines = page.split('\n').map(plainRow);
  const rows = lines.slice(lines.indexOf(plainRow(head)));
  return rows.slice(
    0,
    rows.findIndex((row) => !row.startsWith('|')),
  );
}

const heads = tableHead().map(plainRow);
const [shownHead, shownRule, ...shown] = shownTable(heads[0] ?? '');

it('the page shows the effect of every variant, and of none', () => {
  expect([shownHead, shownRule]).toEqual(heads);
  const names = shown.map((row) => row.split('|')[1]?.trim().replaceAll('`', ''));
  expect(names).toEqual(Object.keys(VARIANTS));
});

describeWithReference('The effects on the page', (dir) => {
  it.each(Object.keys(VARIANTS))('of %s are those that `main.ts` prints', async (name) => {
    expect(shown).toContain(plainRow(await tableLine(await readPack(join(dir, 'retail')), name)));
  });
});
