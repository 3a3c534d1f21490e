/** The model's name that `--agent-strategy fastworkflow-python` gives to FastWorkflow. */

import { describe, expect, it } from 'vitest';

import { modelForDspy } from '../../src/cli/run/testing.ts';

const recorded = (provider: string, model: string) => ({ agentModel: { provider, model, temperature: 0 } });

describe("FastWorkflow's model", () => {
  it.each([
    [{ model: 'gpt-4o', modelProvider: 'openai' }, recorded('openai', 'gpt-4o'), 'openai/gpt-4o'],
    [{ model: 'openai/gpt-4o' }, recorded('openai', 'gpt-4o'), 'openai/gpt-4o'],
    [{ model: 'oracle' }, recorded('scripted', 'oracle'), null],
    [{ model: 'oracle', modelProvider: 'scripted' }, recorded('scripted', 'oracle'), null],
    [{ modelProvider: 'openai' }, recorded('openai', 'as-asked'), null],
    [{}, { agentModel: null }, null],
  ])('is the same where the run of %o is resumed', (given, run, name) => {
    expect(modelForDspy(given, undefined)).toBe(name);
    expect(modelForDspy({}, run)).toBe(name);
  });
});
