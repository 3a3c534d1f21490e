/** Flags that only some strategies have: decisions only, tool names, tries, rankers. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { strategies } from '../../src/agents/index.ts';
import { announceRun } from '../../src/cli/run/testing.ts';
import type { CliContext } from '../../src/cli/testing.ts';
import { runDifferences } from '../../src/run-log/index.ts';
import { asked, askedOfFile, FAST } from './dry-run.ts';
import { environment, expectSentence, namesIn, scratchFolder, tauflow } from './in-process.ts';
import { askedRun, recordedRun } from './recorded-run.ts';

const settingsOf = async (words: string) => (await asked(words)).config.strategy_options;

describe('a configuration', () => {
  it('has nothing of what is left at its default, so that it is that of runs of before', async () => {
    const { config } = await asked(
      `${FAST} --temperature 0 --parameter-tries 1 --intent-ranker trained --tool-names calculate=calculate`,
    );
    expect(config.strategy_options).toEqual({ omit_policy: false, use_reasoning: true });
    expect(config).not.toHaveProperty('role_models');
  });

  it('has the other settings by their names', async () => {
    expect(
      await settingsOf(
        `${FAST} --decision-only --tool-names calculate=calc,get_order_details=get_order transfer_to_human_agents=transfer --parameter-tries 3 --intent-ranker llm`,
      ),
    ).toMatchObject({
      decision_only: true,
      tool_names: { calculate: 'calc', get_order_details: 'get_order', transfer_to_human_agents: 'transfer' },
      parameter_tries: 3,
      intent_ranker: 'llm',
    });
  });

  it('takes them from a config file in either spelling, an object of tools included', async () => {
    const { config } = await askedOfFile({
      'agent-strategy': 'fastworkflow',
      model: 'oracle',
      decision_only: true,
      'tool-names': { calculate: 'calc', getOrder_details: 'getOrder' },
      'parameter-tries': 2,
      intent_ranker: 'llm',
    });
    expect(config.strategy_options).toMatchObject({
      decision_only: true,
      tool_names: { calculate: 'calc', getOrder_details: 'getOrder' },
      parameter_tries: 2,
      intent_ranker: 'llm',
    });
  });
});

describe('settings that cannot be', () => {
  const cases: readonly (readonly [name: string, words: string, sentence: RegExp])[] = [
    ['a variant', `${FAST} --compat fastworkflow-labels`, /--compat was removed; use --user-strategy react-reference/],
    ['decisions of a strategy that acts', 'run --decision-only', /--decision-only is for fastworkflow; .*tool-calling/],
    ['a threshold without scores', `${FAST} --decision-only --fail-under 0.5`, /--fail-under needs a score/],
    [
      'tool names of a strategy without',
      'run --tool-names a=b',
      /--tool-names is for fastworkflow; .*tool-calling has no/,
    ],
    ['tries of a strategy without', 'run --parameter-tries 2', /--parameter-tries is for fastworkflow;/],
    ['a ranker of a strategy without', 'run --intent-ranker llm', /--intent-ranker is for fastworkflow;/],
    [
      'half a pair',
      `${FAST} --tool-names calculate`,
      /--tool-names must be pairs such as command=tool, not "calculate"/,
    ],
    ['a pair without its tool', `${FAST} --tool-names calculate=`, /--tool-names must be pairs .*, not "calculate="/],
    ['a pair of three', `${FAST} --tool-names a=b=c`, /--tool-names must be pairs .*, not "a=b=c"/],
    ['two tools of a command', `${FAST} --tool-names a=b,a=c`, /--tool-names gives the command a two tools/],
    ['no tries', `${FAST} --parameter-tries 0`, /--parameter-tries must be at least 1/],
    ['tries in words', `${FAST} --parameter-tries many`, /--parameter-tries must be a whole number/],
    ['an unknown ranker', `${FAST} --intent-ranker best`, /--intent-ranker must be trained, lexical or llm/],
    [
      'a role of another strategy',
      'run --role-models {"planner":{}}',
      /--role-models names the role planner, which is of fastworkflow; the agent strategy tool-calling has no roles\.$/,
    ],
    [
      'a role’s temperature in words',
      `${FAST} --role-models {"planner":{"temperature":"hot"}}`,
      /--role-models has planner\.temperature that must be a number/,
    ],
    [
      'a role’s model without a provider',
      `${FAST} --role-models {"planner":{"model":"gpt-4o"}}`,
      /--role-models: planner\.model gpt-4o needs a planner\.provider; known are/,
    ],
    [
      'a role’s provider without a model',
      `${FAST} --role-models {"planner":{"provider":"openai"}}`,
      /--role-models: planner\.provider openai needs a planner\.model, such as/,
    ],
    [
      'an unknown provider of a role',
      `${FAST} --role-models {"planner":{"model":"m","provider":"fly"}}`,
      /--role-models: planner\.provider: unknown model provider "fly"; known/,
    ],
    ...Object.entries({
      '--top-p 1': /--top-p was removed; use --model-settings '\{"top_p": 0\.9\}'\.\n/,
      '--user-wire=chat': /--user-wire was removed; use --user-model-settings '\{"wire": "chat"\}'\.\n/,
      '--heartbeat-timeout 5s': /--heartbeat-timeout was removed; leave it out, because the limit is fixed\.\n/,
      '--episode-limit 5': /--episode-limit was removed; start a large run with --yes\.\n/,
      '--param-extraction-model-provider openai':
        /was removed; use --role-models '\{"param-extraction": \{"provider": "openai"\}\}'\.\n/,
    }).map(([words, sentence]) => [`removed: ${words}`, `${FAST} ${words}`, sentence] as const),
  ];
  it.each(cases)('%s: one sentence, exit code 2, nothing written', async (_name, words, sentence) => {
    const cwd = scratchFolder();
    expectSentence(await tauflow(words.split(' '), { cwd }), 2, sentence);
    expect(namesIn(cwd)).toEqual([]);
  });

  const files: readonly (readonly [options: object, sentence: RegExp])[] = [
    [{ tool_names: { calculate: 3 } }, /--tool-names must be pairs/],
    [{ tool_names: { calculate: '' } }, /--tool-names must be pairs .*"calculate="/],
    [{ decision_only: 'yes' }, /--decision-only must be true or false/],
    [
      { role_models: { planner: { temperature: -1 } } },
      /--role-models has planner\.temperature that must be at least 0/,
    ],
    [{ role_models: { planner: { model: '' } } }, /--role-models has planner\.model that must not be empty/],
    [{ top_p: 1 }, /has "top_p", which was removed; use --model-settings '\{"top_p": 0\.9\}'\.$/],
    [{ planner_model: 'o3' }, /has "planner_model", which was removed; use --role-models/],
    [{ roles: { planner: {} } }, /unknown option "roles"/],
  ];
  it.each(files)('in a config file: %j', async (options, sentence) => {
    const cwd = scratchFolder();
    writeFileSync(
      join(cwd, 'run.json'),
      JSON.stringify({ agent_strategy: 'fastworkflow', model: 'oracle', ...options }),
    );
    expectSentence(await tauflow(['run', '--config', 'run.json'], { cwd }), 2, sentence);
  });
});

describe('help', () => {
  it('names every role', async () => {
    const { code, stdout } = await tauflow(['run', '--help-all']);
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    for (const { modelRoles = [] } of Object.values(strategies)) {
      for (const { name, description } of modelRoles) expect(text).toContain(`${name} ${description}`);
    }
    expect(stdout).toMatch(/Options:.*--help.*Options of some agent strategies:.*Roles for --role-models/s);
  });
});

describe('a run’s notes', () => {
  it('name each setting, and each role with its model', async () => {
    const { notes } = await asked(
      `${FAST} --omit-policy --no-use-reasoning --tool-names calculate=calc ` +
        '--parameter-tries 2 --intent-ranker llm --role-models {"planner":{"model":"oracle:0.5"}} --decision-only',
    );
    for (const part of [
      '--omit-policy',
      '--no-use-reasoning',
      'calculate=calc',
      '--parameter-tries',
      '--intent-ranker llm',
      'The role planner had a model of its own: scripted/oracle:0.5.',
      'no action was taken, and there is no score',
    ]) {
      expect(notes.join('\n')).toContain(part);
    }
  });

  it('say who was scripted where not everybody was', async () => {
    const words = 'run --agent-strategy fastworkflow --model gpt-4o --provider openai --user-model oracle';
    const user = await asked(`${words} --user-model-provider scripted`);
    expect(user.notes.join()).toContain('The simulated user was scripted (oracle)');
    expect(user.notes.join()).not.toContain('The model was scripted');
    const role = await asked(`${words} --user-model-provider openai --role-models {"planner":{"model":"oracle"}}`);
    expect(role.notes.join()).toContain('The model of planner was scripted');
  });

  it('have what does not fit together, which is also said before the sweep starts', async () => {
    const cwd = scratchFolder();
    const words = `${FAST} --tool-names calculate=calc --task-ids 1`.split(' ');
    const warning = /The tool-name map says that calculate is the tool calc, which the environment does not have/;
    expect((await asked(words)).notes.join('\n')).toMatch(warning);
    // No server is there, so the sweep itself cannot start.
    const { code, stderr } = await tauflow(words, { cwd });
    expect(code).toBe(3);
    const lines = stderr.split('\n');
    expect(lines[0]).toMatch(new RegExp(`^warning: ${warning.source}`));
    expect(lines.findIndex((line) => line.startsWith('run '))).toBeGreaterThan(0);
  });
});

describe('--dry-run', () => {
  it('shows models by role and variants', async () => {
    const words = `${FAST} --role-models {"planner":{"model":"oracle:0.5"}} --parameter-tries 2 --omit-policy`;
    const { stdout } = await tauflow([...words.split(' '), '--dry-run']);
    expect(stdout).toMatch(/^planner +scripted\/oracle:0\.5$/m);
    expect(stdout).toMatch(/^variants +no policy, 2 parameter tries$/m);
    expect((await tauflow('run --model oracle --dry-run'.split(' '))).stdout).toMatch(/^variants +none$/m);
  });

  it('reports a lower bound of model calls that knows the strategy', async () => {
    const only = '--model oracle --task-ids 1';
    const toolCalling = (await asked(`run ${only}`)).least_model_calls;
    const fastWorkflow = (await asked(`run --agent-strategy fastworkflow ${only}`)).least_model_calls;
    const decisions = (await asked(`run --agent-strategy fastworkflow ${only} --decision-only`)).least_model_calls;
    // The plan and the choice to finish come on top; nobody answers a decision, and there is no answer to write.
    expect(fastWorkflow - toolCalling).toBe(2);
    expect(fastWorkflow - decisions).toBe(2);
  });
});

describe('the announcement of a run', () => {
  it('names models by role, variants, and who is scripted', async () => {
    const cwd = scratchFolder();
    const lines: string[] = [];
    const context: CliContext = {
      env: environment(),
      cwd,
      home: cwd,
      debug: false,
      stdout: process.stdout,
      stderr: process.stderr,
      stdin: process.stdin,
      out: () => undefined,
      drained: () => Promise.resolve(),
      log: (line) => void lines.push(line),
      end: () => undefined,
    };
    const options = { agentStrategy: 'fastworkflow', omitPolicy: true };
    announceRun(await askedRun(cwd, { ...options, roleModels: { planner: { model: 'openai/gpt-4o' } } }), context);
    const text = lines.join('\n');
    expect(text).toContain('planner with openai/gpt-4o\n');
    expect(text).toContain('variants no policy');
    expect(text).toContain("scripted from the tasks' ground truth: agent, user");
    expect(text).not.toContain('no key is needed');
  });
});

describe('a run that is resumed', () => {
  const settings = {
    agentStrategy: 'fastworkflow',
    toolNames: { calculate: 'calc', getOrder_details: 'get_orderDetails' },
    parameterTries: 2,
    intentRanker: 'llm',
    roleModels: { planner: { model: 'gpt-4o', provider: 'openai' }, ranker: { temperature: 0.25 } },
    omitPolicy: true,
    useReasoning: false,
    decisionOnly: true,
  };

  it('has its settings without being given them again', async () => {
    const cwd = scratchFolder();
    const { request } = await recordedRun(cwd, settings);
    const again = await asked('run --run-id mine', cwd);
    const first = await askedRun(cwd, settings);
    expect(runDifferences(first, request)).toEqual([]);
    expect(again.config.strategy_options).toEqual({
      omit_policy: true,
      use_reasoning: false,
      decision_only: true,
      tool_names: settings.toolNames,
      parameter_tries: 2,
      intent_ranker: 'llm',
    });
    expect(again.config.role_models).toEqual(request.config.roleModels);
  });

  it('may be given the same again in another order', async () => {
    const cwd = scratchFolder();
    await recordedRun(cwd, settings);
    const words = 'run --run-id mine --tool-names getOrder_details=get_orderDetails calculate=calc --role-models';
    expect((await asked(`${words} {"ranker":{"temperature":0.25}}`, cwd)).config.strategy_options).toHaveProperty(
      'tool_names',
      settings.toolNames,
    );
  });

  const others: readonly (readonly [words: string, sentence: RegExp])[] = [
    ['--parameter-tries 3', /parameter_tries: 2, now 3/],
    ['--intent-ranker trained', /intent_ranker: llm, now none/],
    ['--tool-names calculate=sum', /tool_names\.calculate: calc, now sum/],
    [
      '--role-models {"planner":{"model":"openai/gpt-4o-mini"}}',
      /role_models\.agent\/planner\.model: gpt-4o, now gpt-4o-mini/,
    ],
    ['--role-models {"ranker":{"temperature":1}}', /role_models\.agent\/ranker\.temperature: 0\.25, now 1/],
    ['--agent-strategy tool-calling', /strategy: fastworkflow, now tool-calling/],
  ];
  it.each(others)('is refused with %s, with the difference', async (words, sentence) => {
    const cwd = scratchFolder();
    await recordedRun(cwd, settings);
    expectSentence(await tauflow(['run', '--run-id', 'mine', ...words.split(' ')], { cwd }), 2, sentence);
  });

  it('is refused where an earlier version started it with variants that are no more', async () => {
    const cwd = scratchFolder();
    const { log } = await recordedRun(cwd, { agentStrategy: 'fastworkflow' });
    const manifest = JSON.parse(readFileSync(log.paths.run, 'utf8')) as { config: { strategy_options: object } };
    Object.assign(manifest.config.strategy_options, { compat: ['fastworkflow-labels'] });
    writeFileSync(log.paths.run, JSON.stringify(manifest));
    const refusal = /started with --compat fastworkflow-labels by an earlier version .*, or choose another --run-id\.$/;
    expectSentence(await tauflow(['run', '--run-id', 'mine'], { cwd }), 2, refusal);
  });
});
