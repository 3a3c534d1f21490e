/** Observations of the Python reference on the shipped packs; unlike its recordings on its own data, in every clone. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { parseJson } from '../../src/benchmarks/python/index.ts';
import { DOMAINS, firstDifference, run } from '../conformance/differential/compare.ts';
import { packFolder, readRecording, shippedTables } from '../conformance/differential/shipped.ts';
import { field, items, text } from './helpers.ts';

describe.each(Array.from(DOMAINS))('%s on the shipped pack', (domain, calls) => {
  const recording = readRecording(domain);
  const variants = [...new Set(recording.map(({ variant }) => variant))];

  it.each(variants)('answers as the Python reference did, on variant %i of the data', (variant) => {
    const data = { domain, tables: shippedTables(domain, calls, variant), terminateTools: [] };
    const differences = recording
      .filter((recorded) => recorded.variant === variant)
      .flatMap((recorded) => firstDifference(recorded.actions, recorded.run, run(data, recorded.actions)) ?? []);
    // Where the pack has changed: test/conformance/differential/record-shipped.ts records anew.
    expect(differences.slice(0, 3)).toEqual([]);
  });

  it('was asked for every tool, and let each fail and succeed that can', () => {
    const tools = items(parseJson(readFileSync(join(packFolder(domain), 'tools.json'), 'utf8'))).map((tool) =>
      text(field(field(tool, 'function'), 'name')),
    );
    const seen = { good: new Set<string>(), bad: new Set<string>() };
    for (const { actions, run: answered } of recording) {
      actions.forEach(({ name }, at) => {
        const step = answered.steps[at];
        const isGood = step !== undefined && 'observation' in step && !step.observation.startsWith('Error');
        seen[isGood ? 'good' : 'bad'].add(name);
      });
    }
    expect(tools.filter((name) => !seen.good.has(name))).toEqual([]);
    expect(tools.filter((name) => !seen.bad.has(name))).toEqual([]);
  });
});
