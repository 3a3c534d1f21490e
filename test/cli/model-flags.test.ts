/** Flags of models: a model of its own for a role of a strategy, and settings by side and role. */

import { describe, expect, it } from 'vitest';

import { asked, askedOfFile, dryRun, FAST } from './dry-run.ts';
import { expectSentence, namesIn, scratchFolder, tauflow } from './in-process.ts';
import { recordedRun } from './recorded-run.ts';

describe('a model by role', () => {
  const REAL = 'run --agent-strategy fastworkflow --model gpt-4o --model-provider openai --temperature 0.3';

  it('makes the calls of its role, and has the agent’s provider and temperature unless asked otherwise', async () => {
    const { config } = await asked(
      `${REAL} --role-models ${JSON.stringify({
        planner: { model: 'gpt-4o-mini' },
        'param-extraction': { model: 'openai/o4-mini', temperature: 1 },
        clarification: { temperature: 0.7 },
        ranker: { model: 'oracle' },
      })}`,
    );
    const mini = { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.3 };
    expect(config.role_models).toEqual({
      'agent/planner': mini,
      'agent/summary': mini,
      'agent/extraction': { provider: 'openai', model: 'o4-mini', temperature: null, wire: 'responses' },
      'agent/clarification': { provider: 'openai', model: 'gpt-4o', temperature: 0.7 },
      'agent/ranker': { provider: 'scripted', model: 'oracle', temperature: 0.3 },
    });
  });

  it('is no model of its own when it comes out as the agent’s', async () => {
    const { config } = await asked(`${REAL} --role-models {"planner":{"model":"gpt-4o","temperature":0.3}}`);
    expect(config).not.toHaveProperty('role_models');
  });

  it('stays scripted beside a scripted agent', async () => {
    const { config } = await asked(
      `${FAST}:0.9 --role-models {"planner":{"temperature":1},"ranker":{"provider":"scripted"}}`,
    );
    expect(config.role_models).toMatchObject({ 'agent/planner': { provider: 'scripted', model: 'oracle:0.9' } });
    expect(config.role_models).not.toHaveProperty('agent/ranker');
  });

  it('can be given in a config file', async () => {
    const options = {
      agent_strategy: 'fastworkflow',
      model: 'oracle',
      role_models: {
        'param-extraction': { model: 'oracle:0.5', temperature: 0.5 },
        planner: { model: 'gpt-4o-mini', provider: 'openai' },
      },
    };
    const { config } = await askedOfFile(options);
    expect(config.role_models).toMatchObject({
      'agent/extraction': { provider: 'scripted', model: 'oracle:0.5', temperature: 0.5 },
      'agent/planner': { provider: 'openai', model: 'gpt-4o-mini', temperature: null },
    });
  });

  it('makes a run no demonstration', async () => {
    const { config, plan } = await asked(
      'run --agent-strategy fastworkflow --role-models {"planner":{"model":"oracle:0.5"}}',
    );
    expect(config.agent_model).toMatchObject({ model: 'oracle' });
    expect(plan.num_trials).toBe(1);
  });

  it('needs its provider’s key before anything starts', async () => {
    const words = `${FAST} --role-models {"planner":{"model":"openai/gpt-4o"}} --task-ids 1`.split(' ');
    const cwd = scratchFolder();
    expect(await tauflow(words, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /role planner's model openai\/gpt-4o cannot be called: OPENAI_API_KEY is not set; export it, or choose another model with --role-models\./,
      ) as string,
    });
    expect(namesIn(cwd)).toEqual([]);
  });

  it('is named with its flags where its key is missing, and the agent’s own server is offered for the user', async () => {
    const env = { CUSTOM_BASE_URL: 'http://127.0.0.1:1/v1' };
    const words = 'run --model tiny --model-provider custom --task-ids 1'.split(' ');
    const sentence =
      /simulated user's model openai\/gpt-6-luna cannot be called: OPENAI_API_KEY is not set; export it, or choose another model with --user-model and --user-model-provider, such as the agent's: --user-model tiny --user-model-provider custom\./;
    expect(await tauflow(words, { env })).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) as string });
    const dry = await tauflow([...words, '--dry-run'], { env });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(sentence) as string });
  });

  it('can be a local server’s, by the name that people know it by', async () => {
    const { config } = await asked(
      'run --model x --model-provider llama.cpp --user-model x --user-model-provider llama.cpp',
    );
    expect(config.agent_model).toMatchObject({ provider: 'llama-cpp', model: 'x' });
  });

  it('says at once that a budget cannot stop a run whose calls have no price', async () => {
    const env = { CUSTOM_BASE_URL: 'http://127.0.0.1:1/v1' };
    const words = (provider: string) =>
      `run --model x --model-provider ${provider} --user-model x --user-model-provider ${provider} --max-cost 5 --dry-run`;
    const { stdout } = await tauflow(words('custom').split(' '), { env });
    expect(stdout).toContain(
      '--max-cost 5 can never stop this run: no price is known for custom/x; give one with --prices FILE.',
    );
    expect((await tauflow(words('ollama').split(' '))).stdout).toContain('calls of ollama/x cost nothing');
    expect((await tauflow(words('openrouter').split(' '))).stdout).not.toContain('can never stop');
  });

  it('does not come from FastWorkflow’s own environment variables', async () => {
    const env = { LLM_AGENT: 'mistral/mistral-small-latest', LLM_PLANNER: 'x/y', LITELLM_API_KEY_PLANNER: 'k' };
    const { stdout } = await tauflow([...FAST.split(' '), '--dry-run', '--json'], { env });
    const { config } = dryRun.parse(JSON.parse(stdout));
    expect(config.agent_model).toMatchObject({ provider: 'scripted' });
    expect(Object.keys(config.role_models ?? {})).toEqual(['agent/extraction']);
  });
});

describe('settings of a model', () => {
  const SETTINGS = { seed: 7, top_p: 0.9, reasoning_effort: 'low', extra_body: { topK: { aB: 1 } } };
  const REAL = ['run', '--agent-strategy', 'fastworkflow', '--model', 'gpt-4o', '--model-provider', 'openai'];

  it('go whole into the configuration by side and role, and leave the run’s seed alone', async () => {
    const given = { ...SETTINGS, temperature: 0.5, max_completion_tokens: 300 };
    const { config } = await asked([
      ...[...REAL, '--agent-llm-args', JSON.stringify(given)],
      ...['--user-model', 'gpt-4.1', '--user-model-settings', '{"temperature": 0.2}'],
      ...['--role-models', '{"planner": {"top_p": 0.1}, "ranker": {"model": "gpt-4o-mini"}}'],
    ]);
    const agent = { provider: 'openai', model: 'gpt-4o', temperature: 0.5, ...SETTINGS };
    expect(config).toMatchObject({ seed: 10, max_completion_tokens: { agent: 300 } });
    expect(config.agent_model).toEqual(agent);
    expect(config['user_model']).toEqual({ provider: 'openai', model: 'gpt-4.1', temperature: 0.2 });
    expect(config.role_models).toEqual({
      'agent/planner': { ...agent, top_p: 0.1 },
      'agent/summary': { ...agent, top_p: 0.1 },
      'agent/ranker': { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.5 },
    });
  });

  it('come second to the flag of a setting, and may be an object in a config file', async () => {
    const options = { model: 'oracle', agent_model_settings: { temperature: 0.5, top_p: 1 }, temperature: 0.25 };
    const { config } = await askedOfFile(options);
    expect(config.agent_model).toEqual({ provider: 'scripted', model: 'oracle', temperature: 0.25, top_p: 1 });
    const typed = await askedOfFile(options, 'run --config run.json --temperature 0.75 --max-completion-tokens 5');
    expect(typed.config.agent_model).toEqual({ provider: 'scripted', model: 'oracle', temperature: 0.75, top_p: 1 });
    expect(typed.config).toMatchObject({ max_completion_tokens: { agent: 5 } });
  });

  it('are again those of a run that is resumed', async () => {
    const cwd = scratchFolder();
    const options = {
      model: 'gpt-4o',
      modelProvider: 'openai',
      agentModelSettings: SETTINGS,
      userModelSettings: { temperature: 0.2 },
    };
    const { request } = await recordedRun(cwd, options);
    const again = await asked('run --run-id mine', cwd);
    expect(again.config.agent_model).toEqual(request.config.agentModel);
    expect(again.config['user_model']).toEqual(request.config.userModel);
  });

  it.each([
    ['{"topP": 1}', /--agent-model-settings has topP; settings are temperature, seed, .*extra_body takes any other\.$/],
    ['hot', /--agent-model-settings must be a JSON object/],
  ])('are checked: %s', async (json, sentence) => {
    expectSentence(await tauflow([...REAL, '--agent-model-settings', json]), 2, sentence);
  });

  it.each(['--agent-model-settings', '--model-settings', '--agent-llm-args'])('are named %s as typed', async (flag) => {
    const outcome = await tauflow([...REAL, flag, '{"top_p": 2}']);
    expectSentence(outcome, 2, new RegExp(`^error: ${flag} has top_p that must be at most 1\\.$`));
  });
});
