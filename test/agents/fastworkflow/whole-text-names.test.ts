import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { catalogueFor } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import type { FastWorkflowCompat } from '../../../src/agents/fastworkflow/options.ts';
import { detect } from '../../../src/agents/fastworkflow/understanding/intent.ts';
import { nameOfWholeText } from '../../../src/agents/fastworkflow/understanding/matching.ts';
import type { IntentClassifier } from '../../../src/agents/fastworkflow/understanding/types.ts';
import { plan } from '../../../src/agents/fastworkflow/understanding/understand.ts';

const retail = (...compat: FastWorkflowCompat[]) => catalogueFor('retail', { compat });
/** Leaves everything to names. */
const KNOWS_NOTHING: IntentClassifier = () => [];
const ORIGINAL = retail('fastworkflow-core-commands', 'fastworkflow-whole-text-names');

/**
 * Texts of this project, each with all names that FastWorkflow 2.24.1's own function (`find_best_matches` with its
 * threshold of 0.3) gave for it, sorted; none where it gave none.
 */
const ANSWERS = z
  .array(z.tuple([z.string(), z.array(z.string())]))
  .parse(JSON.parse(readFileSync(new URL('./tables/whole-text-names.json', import.meta.url), 'utf8')));

describe('the name that a whole text is nearest to', () => {
  it('is one that FastWorkflow finds, for texts with and without an answer', () => {
    const wrong = ANSWERS.filter(([text, [first = '']]) => nameOfWholeText(ORIGINAL, text) !== first);
    expect(wrong).toEqual([]);
    expect(ANSWERS.filter(([, names]) => names.length === 0).length).toBeGreaterThan(100);
    expect(ANSWERS.filter(([, names]) => names.length > 1).length).toBeGreaterThan(20);
  });

  it('is found in linear time', () => {
    expect(nameOfWholeText(ORIGINAL, 'get order '.repeat(100_000))).toBe('');
  });
});

describe('a catalogue with names as FastWorkflow finds them', () => {
  const detected = (text: string, ...compat: FastWorkflowCompat[]) => {
    const catalogue = retail('fastworkflow-whole-text-names', ...compat);
    const found = detect(text, { catalogue, learned: new Map() }, KNOWS_NOTHING);
    return found.kind === 'command' ? `${found.tier} ${found.command.name}` : found.kind;
  };

  it.each([
    ['get_order_details <order_id>#W1</order_id>', 'exact get_order_details'],
    ['get', 'fuzzy get_order_details'],
    ['Get order detials', 'fuzzy get_order_details'],
    ['g', 'fuzzy get_order_details'],
    ['what can', 'core'],
    ['cancel', 'ambiguous'],
  ])('%j: %s', (text, outcome) => {
    expect(detected(text)).toBe(outcome);
  });

  it('does not know a mistyped name that has parameters', () => {
    const text = 'get_order_detials <order_id>#W1</order_id>';
    expect(detected(text)).toBe('misunderstood');
    expect(detect(text, { catalogue: retail(), learned: new Map() }, KNOWS_NOTHING)).toMatchObject({ tier: 'fuzzy' });
  });

  it('runs a write on a beginning of its name where that needs no confirmation', () => {
    expect(detected('cancel pending', 'fastworkflow-unconfirmed-writes')).toBe('fuzzy cancel_pending_order');
  });

  it('reads the parameters from the whole text', () => {
    const near = 'get_order_details_<id>1</id>';
    expect(plan(retail('fastworkflow-whole-text-names'), near)).toMatchObject({
      cmdParameters: new Map([['order_id', '#1']]),
    });
  });
});

describe('writes that need no confirmation', () => {
  it('run on a mistyped name and on words that the classifier is sure of', () => {
    const text = 'cancel_pendign_order <order_id>#W1</order_id> <reason>no longer needed</reason>';
    expect(plan(retail(), text)).toMatchObject({ kind: 'clarification' });
    expect(plan(retail('fastworkflow-unconfirmed-writes'), text)).toMatchObject({
      commandName: 'cancel_pending_order',
    });
    const classifier: IntentClassifier = () => [{ name: 'cancel_pending_order', confidence: 1 }];
    const compat = ['fastworkflow-unconfirmed-writes'] as const;
    expect(plan(retail(), 'call it off', { classifier })).toMatchObject({ kind: 'clarification' });
    expect(plan(retail(...compat), 'call it off', { classifier })).toMatchObject({
      commandName: 'cancel_pending_order',
    });
  });
});
