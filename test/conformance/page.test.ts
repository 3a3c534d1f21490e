/** docs/conformance.md tells what the tests go through, no more and no less. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseJson, isDict, isList, type PyValue } from '../../src/benchmarks/python/index.ts';
import { field } from '../benchmarks/helpers.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';
import { COUNTS, type Count } from './counts.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/conformance.md', import.meta.url)), 'utf8');

it('docs/conformance.md shows the counts that the tests assert', () => {
  const rows = page.matchAll(/^\| `([\w.-]+\.jsonl?)` +\| +([\d,]+) +\| +([\d,]+) +\|/gm);
  const number = (text = '') => Number(text.replaceAll(',', ''));
  const shown = Array.from(rows, ([, file, recorded, equal]): [string, Count] => [
    file ?? '',
    { recorded: number(recorded), equal: number(equal) },
  ]);
  expect(Object.fromEntries(shown)).toEqual(COUNTS);
});

describeWithReference('Every recording', (dir) => {
  it('is in the table, with what it has', () => {
    const found = readdirSync(join(dir, 'golden')).map((file): [string, number] => {
      const lines = referenceLines(dir, `golden/${file}`);
      const entries: Readonly<Record<string, (document: PyValue) => number>> = {
        'header.json': (document) => sizeOf(field(document, 'initial_data_hash')),
        'metrics.json': (document) => sizeOf(field(document, 'cases')),
        'python-unicode.json': (document) =>
          sizeOf(field(document, 'nonprintable_ranges')) + sizeOf(field(document, 'whitespace')),
      };
      return [file, entries[file]?.(parseJson(lines.join('\n'))) ?? lines.length];
    });
    const recorded = Object.entries(COUNTS).map(([file, count]): [string, number] => [file, count.recorded]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(recorded));
  });
});

function sizeOf(value: PyValue): number {
  return isDict(value) ? value.size : isList(value) ? value.length : 0;
}
