import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../src/agents/fastworkflow/public.ts';
import {
  detect,
  ACCEPT,
  MARGIN,
  clearlyAhead,
  decideMatch,
  suggestCommands,
  classify,
  type Detection,
} from '../../../src/agents/fastworkflow/testing.ts';
import { AIRLINE, RETAIL } from './commands.ts';
import * as airline from './tables/airline-utterances.ts';
import * as retail from './tables/retail-utterances.ts';

const DOMAINS = [
  { domain: 'retail', catalogue: RETAIL, table: retail, knownAtOnce: 0.9 },
  { domain: 'airline', catalogue: AIRLINE, table: airline, knownAtOnce: 0.8 },
];

function detected(text: string, catalogue: Catalogue): Detection {
  return detect(text, { catalogue, learned: new Map() }, classify);
}

describe.each(DOMAINS)('what an agent may say in place of a command of $domain', (row) => {
  const { catalogue, table, knownAtOnce } = row;
  const all = table.UTTERANCES.flatMap(([meant, utterances]) => utterances.map((utterance) => ({ meant, utterance })));

  it('covers all commands, four utterances each', () => {
    expect(table.UTTERANCES.map(([meant]) => meant).sort()).toEqual(catalogue.commands.map(({ name }) => name));
    for (const [, utterances] of table.UTTERANCES) expect(utterances.length).toBeGreaterThanOrEqual(4);
  });

  it.each(all)('$utterance: is not taken for another command, and $meant is suggested at least', (said) => {
    const detection = detected(said.utterance, catalogue);
    if (detection.kind === 'ambiguous') expect(detection.candidates).toContain(said.meant);
    else expect(detection).toMatchObject({ kind: 'command', command: { name: said.meant } });
  });

  it(`is found without a clarification in more than ${String(knownAtOnce * 10)} of ten cases`, () => {
    // A command that writes is suggested first at most.
    const known = all.filter(({ utterance, meant }) => {
      const detection = detected(utterance, catalogue);
      return detection.kind === 'command' || (detection.kind === 'ambiguous' && detection.candidates[0] === meant);
    });
    expect(known.length / all.length).toBeGreaterThan(knownAtOnce);
  });

  it.each(table.AMBIGUOUS)('%s: may be one of several', (utterance, oneOf) => {
    const detection = detected(utterance, catalogue);
    expect(detection.kind).toBe('ambiguous');
    const candidates = detection.kind === 'ambiguous' ? detection.candidates : [];
    expect(candidates.length).toBeLessThanOrEqual(3);
    expect(candidates.filter((name) => oneOf.includes(name))).not.toEqual([]);
  });

  it.each(table.NONSENSE)('%s: means none of them', (utterance) => {
    expect(detected(utterance, catalogue)).toEqual({ kind: 'misunderstood' });
  });
});

it('a text that asks for details suggests the three look-ups of retail', () => {
  const detection = detected('show me the details', RETAIL);
  expect(detection.kind === 'ambiguous' ? [...detection.candidates].sort() : detection).toEqual([
    'get_order_details',
    'get_product_details',
    'get_user_details',
  ]);
});

const ranked = (...confidences: readonly number[]) =>
  confidences.map((confidence, at) => ({ name: `c${String(at)}`, confidence }));

describe('the suggested commands', () => {
  it('are at most three, the likeliest first, and none without a probability', () => {
    expect(suggestCommands(ranked(0.4, 0.3, 0.2, 0.1, 0.05))).toEqual(['c0', 'c1', 'c2']);
    expect(suggestCommands(ranked(0.4, 0, 0))).toEqual(['c0']);
    expect(decideMatch(ranked(0.3, 0.29, 0.28, 0.27))).toEqual({ kind: 'ambiguous', candidates: ['c0', 'c1', 'c2'] });
  });

  it('are at most two in addition to the one whose name was begun', () => {
    const ahead = [...ranked(0.9, 0.8, 0.7), { name: 'begun', confidence: 0.1 }];
    expect(clearlyAhead('begun', ahead)).toEqual(['c0', 'c1']);
    expect(clearlyAhead('begun', [{ name: 'other', confidence: ACCEPT }])).toEqual(['other']);
    expect(clearlyAhead('begun', [{ name: 'other', confidence: ACCEPT - 0.01 }])).toEqual([]);
    expect(clearlyAhead('c0', ranked(ACCEPT, ACCEPT + MARGIN / 2))).toEqual([]);
  });

  it('are at most three if the likeliest one writes', () => {
    const names = RETAIL.commands.filter(({ isRead }) => isRead !== true).map(({ name }) => name);
    const ranking = names.map((name, at) => ({ name, confidence: 0.9 - at / 10 }));
    const detection = detect('please do it', { catalogue: RETAIL, learned: new Map() }, () => ranking);
    expect(detection).toEqual({ kind: 'ambiguous', candidates: names.slice(0, 3) });
    const begun = 'cancel_pending_order';
    const others = names.filter((name) => name !== begun).slice(0, 3);
    const unsure = others.map((name) => ({ name, confidence: 0.3 }));
    expect(detect('cancel_pending for my brother', { catalogue: RETAIL, learned: new Map() }, () => unsure)).toEqual({
      kind: 'ambiguous',
      candidates: [begun, ...others.slice(0, 2)],
    });
  });
});
