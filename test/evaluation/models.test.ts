import { describe, expect, it } from 'vitest';
import { findModel, listCalledProviders, findTokenCap, type ModelSettings } from '../../src/evaluation/index.ts';

const model = (provider: string, name = provider): ModelSettings => ({ provider, model: name, temperature: 0 });

const agentModel = model('openai');
const userModel = model('openai', 'gpt-4o');
const planner = { ...model('groq'), temperature: 1 };
const models = { agentModel, userModel, roleModels: { 'agent/planner': planner, 'agent/ranker': model('mistral') } };

describe('the model of a call', () => {
  it('is that of its role, with its temperature, else the agent’s', () => {
    expect(findModel(models, 'agent/planner')).toBe(planner);
    expect(findModel(models, 'agent/extraction')).toBe(agentModel);
    expect(findModel(models, 'agent')).toBe(agentModel);
    expect(findModel({ agentModel, userModel }, 'agent/planner')).toBe(agentModel);
  });

  it('is the user’s for whatever the user says', () => {
    expect(findModel(models, 'user')).toBe(userModel);
    expect(findModel(models, 'user/verify')).toBe(userModel);
  });
});

describe('the cap on tokens of a call', () => {
  const config = { maxCompletionTokens: { agent: 4096, user: 2048, 'agent/planner': null, 'agent/ranker': 7 } };

  it.each([
    ['agent', 4096],
    ['agent/extraction', 4096],
    ['agent/planner', null],
    ['agent/ranker', 7],
    ['user', 2048],
    ['user/verify', 2048],
  ] as const)('of %s is %j', (role, cap) => {
    expect(findTokenCap(config, role)).toBe(cap);
    expect(findTokenCap({}, role)).toBeNull();
  });
});

describe('the providers of an evaluation', () => {
  it('are those of all its models, each once', () => {
    expect(listCalledProviders(models)).toEqual(['openai', 'groq', 'mistral']);
    expect(listCalledProviders({ agentModel, userModel })).toEqual(['openai']);
  });
});
