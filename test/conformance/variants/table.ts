/** The table of effects.md against what is measured. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { readPack } from '../../../src/benchmarks/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { Stage } from '../fastworkflow-stage.ts';
import { tableHead, tableLine } from './measure.ts';

const page = readFileSync(fileURLToPath(new URL('./effects.md', import.meta.url)), 'utf8');

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
/** The lines of the page's table, the first two being its head. */
const [shownHead, shownRule, ...shown] = shownTable(heads[0] ?? '');

/** @returns the names of the variants on the page */
export function shownVariants(): string[] {
  expect([shownHead, shownRule]).toEqual(heads);
  return shown.map((row) => row.split('|')[1]?.trim().replaceAll('`', '') ?? '');
}

/** Registers a test for each variant: it plays the benchmark's retail tasks twice, which takes seconds. */
export function testEffects(variants: readonly string[]): void {
  describeWithReference('The effects on the page', (dir) => {
    let stage: Stage;
    beforeAll(async () => {
      stage = new Stage(await readPack(join(dir, 'retail')));
    });

    it.each(variants)('of %s are those that `main.ts` prints', async (name) => {
      expect(shown).toContain(plainRow(await tableLine(stage, name)));
    });
  });
}
