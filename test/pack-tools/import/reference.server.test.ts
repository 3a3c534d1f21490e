/** The real checkout, where `TAU_BENCH_DIR` names one, against the reference's packs. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dumpJson, parseJson, isDict, isList, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { readCheckout, importCheckout } from '../../../src/pack-tools/import/testing.ts';
import type { ImportResult } from '../../../src/pack-tools/import/index.ts';
import { inspectPack } from '../../../src/benchmarks/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';

const checkoutDir = process.env['TAU_BENCH_DIR'] ?? '';

/** One spelling for equal JSON: keys sorted, numbers as Python writes them. */
function canonical(file: string, bytes: Buffer | undefined): string {
  if (bytes === undefined) return 'no file';
  const text = bytes.toString('utf8');
  return file.endsWith('.json') ? dumpJson(sorted(parseJson(text))) : text;
}

function sorted(value: PyValue): PyValue {
  if (isList(value)) return value.map(sorted);
  if (!isDict(value)) return value;
  const entries = Array.from(value, ([key, item]) => [key, sorted(item)] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.skipIf(checkoutDir === '')('a checkout of tau-bench (skipped without TAU_BENCH_DIR)', () => {
  let result: ImportResult;

  beforeAll(async () => {
    const options = { domains: ['retail', 'airline'] };
    result = await importCheckout(await readCheckout(checkoutDir), options);
  });

  it('is recognised by its files', () => {
    expect(result.warnings).toEqual([]);
    expect(result.identity.commit).toMatch(/^[0-9a-f]{40}$/);
  });

  it('makes packs whose ground truth can be replayed', () => {
    for (const { pack } of result.packs) {
      const { summary } = inspectPack('pack', pack);
      expect(summary.splits.map(({ tasks }) => tasks).every((tasks) => tasks > 0)).toBe(true);
    }
  });

  describeWithReference('against the packs of the reference', (dir) => {
    it('has every file of them, equal as JSON, and the displays', () => {
      const compared = result.packs.flatMap(({ manifest: { domain }, files }) =>
        readdirSync(join(dir, domain)).map((file) => {
          const expected = readFileSync(join(dir, domain, file));
          const made = files.get(file);
          const equal = made?.equals(expected) === true || canonical(file, made) === canonical(file, expected);
          expect(equal, `${domain}/${file}`).toBe(true);
          return file;
        }),
      );
      expect(compared).toHaveLength(21);
      for (const { manifest, files } of result.packs) {
        const name = manifest.domain === 'retail' ? 'MockRetailDomainEnv' : 'MockAirlineDomainEnv';
        expect(files.get('few-shot.jsonl')).toEqual(readFileSync(join(dir, 'few_shot_data', `${name}-few_shot.jsonl`)));
      }
    });
  });
});
