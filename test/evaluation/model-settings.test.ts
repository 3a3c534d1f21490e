/** Settings of models: what of them counts as the same model, and as the same call. */

import { describe, expect, it } from 'vitest';

import { completionKey } from '../../src/models/cache/testing.ts';
import { listModelDifferences, formatModel, isSameModel } from '../../src/evaluation/index.ts';
import { modelSettingsSchema, type ModelSettings } from '../../src/evaluation/model-settings.schema.ts';

const PLAIN = { provider: 'openai', model: 'gpt-4o', temperature: 0 };
const FULL = { ...PLAIN, seed: 7, top_p: 0.9, reasoning_effort: 'low', extra_body: { b: 1, a: [true] } };

describe('settings of a model', () => {
  it('are read from documents of before there were any but a temperature', () => {
    expect(modelSettingsSchema.parse(PLAIN)).toEqual(PLAIN);
    expect(modelSettingsSchema.parse(FULL)).toEqual(FULL);
  });

  it('are the same in another order of keys', () => {
    expect(isSameModel(FULL, { ...FULL, extra_body: { a: [true], b: 1 } })).toBe(true);
    expect(isSameModel(FULL, PLAIN)).toBe(false);
  });

  it('are named where they differ', () => {
    expect(listModelDifferences({ ...FULL, temperature: null }, { ...FULL, top_p: 1 })).toEqual([
      'at default',
      'top_p 0.9',
    ]);
    expect(formatModel(FULL)).toBe(
      'openai/gpt-4o at 0, seed 7, top_p 0.9, reasoning_effort low, extra_body {"a":[true],"b":1}',
    );
  });

  it('are part of the response cache’s key, and absent ones are not', () => {
    const scope = { configuration: 'c', episode: { taskId: 1, trial: 0 }, call: 'agent 1' };
    const key = (settings: ModelSettings) =>
      completionKey({ ...settings, messages: [], seed: 3, idempotencyKey: 'k' }, scope, null);
    expect(key({ ...FULL })).not.toBe(key({ ...FULL, ...{ top_p: 0.8 } }));
    expect(key(modelSettingsSchema.parse(PLAIN))).toBe(key(PLAIN));
  });
});
