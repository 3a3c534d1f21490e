import { describe, expect, it } from 'vitest';
import { catalogueFor } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import type { FastWorkflowCompat } from '../../../src/agents/fastworkflow/testing.ts';
import { plan, type IntentClassifier } from '../../../src/agents/fastworkflow/public.ts';

const retail = (...compat: FastWorkflowCompat[]) => catalogueFor('retail', { compat });

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
