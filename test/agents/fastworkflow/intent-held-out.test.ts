/** The classifier on utterances that nothing was trained or tuned with, and the page's figures of it. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/agents/fastworkflow/testing.ts';
import { COLUMNS, figureRows, measureHeldOut, MEASURED } from './intent-figures.ts';
import { AIRLINE, RETAIL } from './commands.ts';
import { HELD_OUT } from './tables/held-out.ts';
import * as airline from './tables/airline-utterances.ts';
import * as retail from './tables/retail-utterances.ts';
import { AIRLINE_DEVELOPMENT, RETAIL_DEVELOPMENT } from './tables/development.ts';

const page = readFileSync(new URL('../../../docs/conformance.md', import.meta.url), 'utf8');

it('the page has the columns', () => {
  const heading = page.split('\n').find((line) => line.startsWith('| held-out texts '));
  expect(
    heading
      ?.split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  ).toEqual(COLUMNS);
});

describe.each(MEASURED)('of the held-out utterances of %s', (domain) => {
  it('at least 92 of a hundred are ranked right, and fewer than one is carried out wrongly', async () => {
    const { utterances, two, none } = await measureHeldOut(domain, classify);
    expect(utterances.likeliest / utterances.texts).toBeGreaterThanOrEqual(0.92);
    expect(utterances.carriedOutWrong / utterances.texts).toBeLessThan(0.01);
    expect(two.carriedOutWrong).toBe(0);
    expect(none.carriedOutWrong).toBe(0);
  });

  it('the page has the figures', async () => {
    const rows = figureRows(domain, await measureHeldOut(domain, classify));
    for (const cells of rows) {
      const shown = page.split('\n').find((line) => line.startsWith(`| ${cells[0] ?? ''} `));
      expect(
        shown
          ?.split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ).toEqual(cells);
    }
  });
});

it('the held-out set covers every command, ten utterances each, 300 in all', () => {
  for (const [domain, { commands }] of Object.entries({ retail: RETAIL, airline: AIRLINE })) {
    const { utterances } = HELD_OUT[domain as 'retail' | 'airline'];
    expect(utterances.map(([meant]) => meant).sort()).toEqual(commands.map(({ name }) => name));
    for (const [, said] of utterances) expect(new Set(said).size).toBeGreaterThanOrEqual(10);
  }
  const all = MEASURED.flatMap((domain) => HELD_OUT[domain].utterances.flatMap(([, said]) => said));
  expect(all.length).toBeGreaterThanOrEqual(300);
});

it('no held-out utterance is in the catalogue or in a table for tuning', () => {
  const tuned = [
    ...[...RETAIL.commands, ...AIRLINE.commands].flatMap(({ utterances }) => utterances),
    ...[...retail.UTTERANCES, ...airline.UTTERANCES].flatMap(([, said]) => said),
    ...[RETAIL_DEVELOPMENT, AIRLINE_DEVELOPMENT].flatMap(({ utterances }) => utterances.flatMap(([, said]) => said)),
  ].map((text) => text.toLowerCase());
  const held = MEASURED.flatMap((domain) => HELD_OUT[domain].utterances.flatMap(([, said]) => said));
  expect(held.filter((text) => tuned.includes(text.toLowerCase()))).toEqual([]);
});
