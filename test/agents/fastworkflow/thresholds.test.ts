import { describe, expect, it } from 'vitest';
import { detect } from '../../../src/agents/fastworkflow/understanding/intent.ts';
import {
  ACCEPT,
  MARGIN,
  clearlyAhead,
  decide,
  suggestions,
} from '../../../src/agents/fastworkflow/understanding/matching.ts';
import { RETAIL } from './commands.ts';

const ranked = (...confidences: readonly number[]) =>
  confidences.map((confidence, at) => ({ name: `c${String(at)}`, confidence }));

describe('commands that come into question', () => {
  it('are three at most, the likeliest first, and none without any likelihood', () => {
    expect(suggestions(ranked(0.4, 0.3, 0.2, 0.1, 0.05))).toEqual(['c0', 'c1', 'c2']);
    expect(suggestions(ranked(0.4, 0, 0))).toEqual(['c0']);
    expect(decide(ranked(0.3, 0.29, 0.28, 0.27))).toEqual({ kind: 'ambiguous', candidates: ['c0', 'c1', 'c2'] });
  });

  it('are two at most beside the one whose name was begun', () => {
    const ahead = [...ranked(0.9, 0.8, 0.7), { name: 'begun', confidence: 0.1 }];
    expect(clearlyAhead('begun', ahead)).toEqual(['c0', 'c1']);
    expect(clearlyAhead('begun', [{ name: 'other', confidence: ACCEPT }])).toEqual(['other']);
    expect(clearlyAhead('begun', [{ name: 'other', confidence: ACCEPT - 0.01 }])).toEqual([]);
    expect(clearlyAhead('c0', ranked(ACCEPT, ACCEPT + MARGIN / 2))).toEqual([]);
  });

  it('are three at most where the one that is meant would write', () => {
    const names = RETAIL.commands.filter(({ isRead }) => isRead !== true).map(({ name }) => name);
    const ranking = names.map((name, at) => ({ name, confidence: 0.9 - at / 10 }));
    const detection = detect('please do it', { catalogue: RETAIL, learned: new Map() }, () => ranking);
    expect(detection).toEqual({ kind: 'ambiguous', candidates: names.slice(0, 3) });
    const begun = 'cancel_pending_order';
    const others = names.filter((name) => name !== begun).slice(0, 3);
    const unsure = others.map((name) => ({ name, confidence: 0.3 }));
    expect(detect('cancel it for my brother', { catalogue: RETAIL, learned: new Map() }, () => unsure)).toEqual({
      kind: 'ambiguous',
      candidates: [begun, ...others.slice(0, 2)],
    });
  });
});
