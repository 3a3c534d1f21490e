/** Temperatures of the agent's calls: those of the strategy's original, unless a run names one. */

import { describe, expect, it } from 'vitest';

import type { StrategyDefinition } from '../../src/agents/index.ts';
import { forkConfig } from '../../src/cli/fork/testing.ts';
import {
  chooseModels,
  chooseRoleModels,
  chooseTokenCaps,
  describeTemperatures,
  chooseStrategy,
} from '../../src/run-setup/index.ts';
import { parseRunOptions } from '../../src/run-setup/index.ts';
import type { RawRunOptions } from '../../src/run-setup/options/index.ts';
import { runDifferences, describeVariants } from '../../src/run-log/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { asked } from './dry-run.ts';
import { scratchFolder, tauflow } from './in-process.ts';
import { askedRun, recordedRun } from './recorded-run.ts';

const FAST = { agentStrategy: 'fastworkflow', model: 'gpt-4o', modelProvider: 'openai' };

/** The agent's temperature, and those of roles with one of their own. */
function temperaturesOf({ agentModel, roleModels = {} }: EvaluationConfig): Record<string, number | null> {
  const roles = Object.entries(roleModels).map(([role, model]) => [role, model?.temperature ?? null] as const);
  return { agent: agentModel?.temperature ?? null, ...Object.fromEntries(roles) };
}

const configOf = async (raw: RawRunOptions) => (await askedRun(scratchFolder(), raw)).config;

describe('the temperatures of a run', () => {
  it.each(['tool-calling', 'act', 'react'])('are 0 with %s, as in tau-bench', async (agentStrategy) => {
    expect(temperaturesOf(await configOf({ ...FAST, agentStrategy }))).toEqual({ agent: 0 });
  });

  it('are those of FastWorkflow with its strategy: none, and 1 to read parameters', async () => {
    expect(temperaturesOf(await configOf(FAST))).toEqual({ agent: null, 'agent/extraction': 1 });
  });

  it.each(['claude-opus-5', 'gpt-5.6'])('are none where %s takes none, also to read parameters', async (model) => {
    const modelProvider = model.startsWith('gpt') ? 'openai' : 'anthropic';
    expect(temperaturesOf(await configOf({ ...FAST, model, modelProvider }))).toEqual({ agent: null });
  });

  it('are not chosen with an effort that the model does not have', async () => {
    const never = { ...FAST, model: 'claude-opus-5-5', modelProvider: 'anthropic', reasoningEffort: 'none' };
    await expect(configOf(never)).rejects.toThrow(/^the thinking of anthropic\/claude-opus-5-5 cannot be turned off/);
  });

  it.each([
    ['one', { temperature: '0' }, { agent: 0 }],
    ['none', { temperature: 'default' }, { agent: null }],
    ['settings', { agentModelSettings: { temperature: 0.5 } }, { agent: 0.5 }],
    [
      'one of a role',
      { roleModels: { 'param-extraction': { temperature: 0 } } },
      { agent: null, 'agent/extraction': 0 },
    ],
    ['none for a role', { roleModels: { 'param-extraction': { temperature: null } } }, { agent: null }],
    [
      'one for all and one of a role',
      { temperature: '0', roleModels: { 'param-extraction': { temperature: 1 } } },
      { agent: 0, 'agent/extraction': 1 },
    ],
    [
      'another model of the role',
      { roleModels: { 'param-extraction': { model: 'gpt-4o-mini' } } },
      { agent: null, 'agent/extraction': 1 },
    ],
  ])('are what is asked for: %s', async (_, given, expected) => {
    expect(temperaturesOf(await configOf({ ...FAST, ...given }))).toEqual(expected);
  });

  it('are sent to the simulated user only if they are asked for', async () => {
    expect((await configOf({ ...FAST, temperature: '1' })).userModel.temperature).toBeNull();
  });

  it('are an agent file’s, by role where it says so', () => {
    const own: StrategyDefinition = {
      name: 'own',
      label: 'OWN',
      solve: () => Promise.resolve('done'),
      temperature: 0.3,
      modelRoles: [
        { name: 'critic', description: 'criticizes', calls: ['agent/critic'], temperature: null },
        { name: 'judge', description: 'judges', calls: ['agent/judge'], fallback: 'critic' },
      ],
    };
    const options = parseRunOptions({ model: 'gpt-4o', modelProvider: 'openai' });
    const { agent } = chooseModels(options, own);
    const roles = chooseRoleModels(options, own, agent);
    expect([agent?.temperature, roles['agent/critic']?.temperature, roles['agent/judge']?.temperature]).toEqual([
      0.3,
      null,
      null,
    ]);
  });

  it('are no variant, and leave a role the agent’s cap of tokens', async () => {
    const config = await configOf({ ...FAST, maxCompletionTokens: '100' });
    expect(describeVariants(config)).toEqual([]);
    expect(config.maxCompletionTokens).toEqual({ agent: 100, user: expect.any(Number) as number });
    const options = parseRunOptions({
      ...FAST,
      temperature: '0',
      roleModels: { 'param-extraction': { temperature: 1 } },
    });
    const { strategy } = await chooseStrategy('fastworkflow', '.');
    const models = chooseModels(options, strategy);
    const roles = chooseRoleModels(options, strategy, models.agent);
    expect(describeVariants({ ...config, agentModel: models.agent, roleModels: roles })).toEqual(['extraction at 1']);
    expect(chooseTokenCaps(options, strategy, models, roles)).not.toHaveProperty(
      'maxCompletionTokens.agent/extraction',
    );
  });

  it('are printed: what is sent of the agent, and of roles with another', async () => {
    expect(describeTemperatures(await configOf(FAST))).toBe("none (the provider's default); param-extraction 1");
    expect(describeTemperatures(await configOf({ ...FAST, temperature: '0' }))).toBe('0');
    const { stdout } = await tauflow('run --agent-strategy fastworkflow --model oracle --dry-run'.split(' '));
    expect(stdout).toMatch(/^temperature +none \(the provider's default\); param-extraction 1$/m);
  });

  it('name a run where they are given, as the other settings do', async () => {
    const nameOf = async (raw: RawRunOptions) =>
      (await askedRun(scratchFolder(), { ...FAST, ...raw, runId: undefined })).run.runId;
    expect(await nameOf({})).toMatch(/^fastworkflow-gpt-4o_\d{10}$/);
    expect(await nameOf({ temperature: '0.5' })).toMatch(/^fastworkflow-gpt-4o-t0\.5_\d{10}$/);
    expect(await nameOf({ temperature: 'default', startIndex: '2' })).toMatch(/-gpt-4o-tdefault-tasks-2-end_\d{10}$/);
    expect(await nameOf({ userModel: 'gpt-4o-mini', endIndex: '5', userStrategy: 'react' })).toMatch(
      /^fastworkflow-gpt-4o-tasks-0-5-user-gpt-4o-mini-react_\d{10}$/,
    );
  });
});

describe('a run that is resumed', () => {
  it.each([
    {},
    { temperature: '0' },
    { temperature: 'default' },
    { roleModels: { 'param-extraction': { temperature: 0 } } },
  ])('has the temperatures that it was recorded with: %j', async (given) => {
    const cwd = scratchFolder();
    const options = { agentStrategy: 'fastworkflow', ...given };
    const { request } = await recordedRun(cwd, options);
    const again = await asked('run --run-id mine', cwd);
    expect(again.config.agent_model['temperature']).toBe(request.config.agentModel?.temperature);
    expect(again.config.role_models).toEqual(request.config.roleModels);
    expect(runDifferences(await askedRun(cwd, options), request)).toEqual([]);
  });
});

describe('a fork', () => {
  const fork = async (before: EvaluationConfig, given: RawRunOptions = {}, name = before.strategy) => {
    const { strategy } = await chooseStrategy(name, '.');
    return temperaturesOf(forkConfig(before, parseRunOptions(given), given, { strategy }));
  };

  it('has its origin’s temperatures, with another model too', async () => {
    const origin = await configOf(FAST);
    expect(await fork(origin)).toEqual({ agent: null, 'agent/extraction': 1 });
    const { strategy } = await chooseStrategy('fastworkflow', '.');
    const given = { model: 'gpt-4o-mini' };
    expect(forkConfig(origin, parseRunOptions(given), given, { strategy }).roleModels).toEqual({
      'agent/extraction': { provider: 'openai', model: 'gpt-4o-mini', temperature: 1 },
    });
    // Before there were temperatures of originals, one was sent for all.
    expect(await fork(await configOf({ ...FAST, temperature: '0' }))).toEqual({ agent: 0 });
    const toolCalling = await configOf({ ...FAST, agentStrategy: 'tool-calling' });
    expect(await fork(toolCalling, {}, 'fastworkflow')).toEqual({ agent: 0 });
  });

  it('has the one that it names in all roles, but in those that had one of their own', async () => {
    expect(await fork(await configOf(FAST), { temperature: '0.5' })).toEqual({ agent: 0.5 });
    const own = await configOf({ ...FAST, roleModels: { 'param-extraction': { temperature: 0.7 } } });
    expect(await fork(own, { temperature: '0.5' })).toEqual({ agent: 0.5, 'agent/extraction': 0.7 });
  });
});
