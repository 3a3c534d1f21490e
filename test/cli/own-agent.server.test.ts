/** Agents from files, and agents that call models of their own: in runs, dry runs and refusals. */

import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, inject } from 'vitest';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { environment, scratchFolder, serverOfTests, tauflow, type Place, run } from './in-process.ts';
import { runApart } from './processes.ts';
import { serveFunction } from '../../src/agent-service/index.ts';
import type { AgentFunction } from '../../src/agents/index.ts';
import { startA2a, text } from '../helpers/a2a-agent.ts';

/** Agents from files: runs on a server, files that are refused, and agents that replace parts of FastWorkflow. */
describe('agents from files:', () => {
  const template = fileURLToPath(new URL('../fixtures/new-agent/my-agent.ts', import.meta.url));
  const cwd = scratchFolder();
  const SLOW = { timeout: 180_000 };

  let model: ScriptedModel;
  let place: Place;

  beforeAll(async () => {
    cpSync(template, join(cwd, 'my-agent.ts'));
    cpSync(template.replace('my-agent', 'critic'), join(cwd, 'critic.ts'));
    model = await startScriptedModel({ packs: [await resolvePack('retail')] });
    place = { cwd, env: environment({ ...serverOfTests(), TAUFLOW_SCRIPTED_URL: model.url }) };
  });

  afterAll(async () => {
    await model.close();
  });

  const RUN = 'run --agent-strategy ./my-agent.ts --model oracle --task-ids 1 2 --task-queue own-agent';

  /** Entries of the run log about the agent. */
  function recorded(runId: string, task: number): unknown {
    return JSON.parse(readFileSync(join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`), 'utf8'));
  }

  describe('an agent from a file', () => {
    it('plays in the workflows, and is named with its digest in the results', SLOW, async () => {
      const { code, stdout, stderr } = await runApart([...RUN.split(' '), '--run-id', 'own', '--all'], place);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/average reward +1\.000 +2 of 2/);
      expect(stdout).toMatch(/cost of agent\/planner/);
      expect(stdout).toContain('| Plan first (oracle) | 1.000');
      const digest: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
      for (const task of [1, 2]) {
        expect(recorded('own', task)).toMatchObject({
          reward: 1,
          config: { strategy: 'plan-first', strategy_options: { agent_file: { digest } } },
        });
      }
    });

    it('is found again by its digest when the run is resumed, and refused when it is another by then', async () => {
      const agent = join(cwd, 'my-agent.ts');
      const resumed = await tauflow(['run', '--run-id', 'own'], { cwd });
      expect(resumed).toMatchObject({ code: 0 });
      expect(resumed.stderr).toContain('the run own is complete; this is its report');

      mkdirSync(join(cwd, 'elsewhere'));
      renameSync(agent, join(cwd, 'elsewhere', 'mine.ts'));
      const moved = await tauflow(['run', '--run-id', 'own', '--agent-strategy', 'elsewhere/mine.ts'], { cwd });
      expect(moved, moved.stderr).toMatchObject({ code: 0 });
      const gone = await tauflow(['run', '--run-id', 'own'], { cwd });
      expect(gone).toMatchObject({
        code: 2,
        stderr: `error: the agent in ${agent} does not exist; check --agent-strategy.`,
      });

      writeFileSync(agent, readFileSync(template, 'utf8').replace('five short lines', 'six short lines'));
      const changed = await tauflow(['run', '--run-id', 'own'], { cwd });
      expect(changed.code).toBe(2);
      expect(changed.stderr).toMatch(
        /^error: .*the run own exists.*strategy_options\.agent_file\.digest: \w+, now \w+/,
      );
      expect(changed.stderr.split('\n')).toHaveLength(1);
      cpSync(template, agent);
    });
  });

  describe('options and model roles of an agent from a file', () => {
    const CRITIC = ['run', '--agent-strategy', './critic.ts', '--model', 'oracle', '--task-ids', '1'];
    const dryRun = async (...words: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await tauflow([...CRITIC, ...words, '--dry-run', '--json'], { cwd });
      expect(code, stderr).toBe(0);
      return (JSON.parse(stdout) as { config: unknown }).config;
    };

    it('have flags, and are in the records of a run that is resumed without them', SLOW, async () => {
      const words = [
        '--review-rounds',
        '2',
        '--role-models',
        '{"critic": {"model": "oracle:0.9"}}',
        '--run-id',
        'critic',
      ];
      const { code, stdout, stderr } = await runApart([...CRITIC, ...words, '--all'], place);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/cost of agent\/critic/);
      expect(stdout).toContain('2 review rounds');
      expect(recorded('critic', 1)).toMatchObject({
        config: {
          strategy: 'with-critic',
          strategy_options: { review_rounds: 2 },
          role_models: { 'agent/critic': { provider: 'scripted', model: 'oracle:0.9' } },
        },
        counts: { reviews: 2 },
      });
      const resumed = await tauflow(['run', '--run-id', 'critic'], { cwd });
      expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
      const other = await tauflow(['run', '--run-id', 'critic', '--review-rounds', '3'], { cwd });
      expect(other).toMatchObject({ code: 2 });
      expect(other.stderr).toContain('strategy_options.review_rounds: 2, now 3');
    });

    it('have keys in config files, and a role’s fallback', async () => {
      const role_models = { critic: { model: 'oracle:0.5', temperature: 1 } };
      const options = { agent_strategy: './critic.ts', critic_tone: 'long', role_models };
      writeFileSync(join(cwd, 'critic.json'), JSON.stringify(options));
      const { code, stdout, stderr } = await tauflow(
        ['run', '--config', 'critic.json', '--model', 'oracle', '--dry-run', '--json'],
        { cwd },
      );
      expect(code, stderr).toBe(0);
      const critic = { provider: 'scripted', model: 'oracle:0.5', temperature: 1 };
      expect(JSON.parse(stdout)).toMatchObject({
        config: {
          strategy_options: { critic_tone: 'long' },
          role_models: { 'agent/critic': critic, 'agent/editor': critic },
        },
      });
    });

    it('are left out at their default', async () => {
      const config = await dryRun('--review-rounds', '1', '--critic-tone=short');
      expect(config).not.toHaveProperty('strategy_options.review_rounds');
      expect(config).not.toHaveProperty('strategy_options.critic_tone');
      expect(config).not.toHaveProperty('role_models');
    });

    it.each([
      [['--review-rounds', '6'], /^error: --review-rounds must be at most 5\.$/],
      [['--critic-tone', 'loud'], /^error: --critic-tone must be short or long\.$/],
      [
        ['--role-models', '{"critic": {"temperature": "hot"}}'],
        /^error: --role-models has critic\.temperature that must be a number\.$/,
      ],
      [
        ['--role-models', '{"planner": {}}'],
        /^error: --role-models names the role planner, which is of fastworkflow; the agent strategy with-critic has critic/,
      ],
      [['--reviews', '2'], /^error: unknown option '--reviews'/],
      [['--json', 'left'], /^error: too many arguments for 'run'/],
    ])('are checked: %j', async (words, sentence) => {
      const { code, stderr } = await tauflow([...CRITIC, ...words], { cwd });
      expect(stderr).toMatch(sentence);
      expect(code).toBe(2);
    });

    it('may not have a flag of the command’s', async () => {
      const text = readFileSync(join(cwd, 'critic.ts'), 'utf8');
      writeFileSync(join(cwd, 'clash.ts'), text.replace("key: 'reviewRounds'", "key: 'maxSteps'"));
      // The options of an agent that was loaded are known to its process, which this one shares with other test files.
      const { code, stderr } = await runApart(['run', '--agent-strategy', './clash.ts', '--dry-run'], place);
      expect(stderr).toMatch(
        /^error: --max-steps of the agent with-critic means something else to this command; rename it\.$/m,
      );
      expect(code).toBe(2);
    });
  });

  describe('a file that cannot be run', () => {
    it.each([
      ['run --agent-strategy ./nobody.ts', /nobody\.ts does not exist; check --agent-strategy\.$/],
      ['run --agent-strategy ./bad.ts --dry-run', /bad\.ts exports no strategy; .*\.$/],
      ['worker --agent-strategy ./bad.ts', /bad\.ts exports no strategy; .*\.$/],
      ['worker --agent-strategy react', /--agent-strategy react is not a file; a worker has .*\.$/],
    ])('%s', async (words, sentence) => {
      writeFileSync(join(cwd, 'bad.ts'), 'export const nothing = 0;');
      const { code, stderr } = await tauflow(words.split(' '), { cwd });
      expect(stderr).toMatch(sentence);
      expect(stderr.split('\n')).toEqual([expect.stringMatching(/^error: /)]);
      expect(code).toBe(2);
    });
  });

  /** Agents from files that replace the parts of FastWorkflow, as `tauflow/agents/fastworkflow` offers them. */
  describe('an agent that replaces parts of FastWorkflow', () => {
    beforeAll(() => {
      for (const name of ['my-fastworkflow.ts', 'own-execution.ts'])
        cpSync(join(dirname(template), name), join(cwd, name));
    });

    interface Recorded {
      readonly reward: number;
      readonly counts: Readonly<Record<string, number>>;
      readonly config: { readonly strategy: string };
      readonly steps: readonly { readonly name: string }[];
    }

    const TASKS = [0, 1, 2, 3, 4, 5];

    async function play(file: string, runId: string, ...words: string[]): Promise<readonly Recorded[]> {
      const tasks = TASKS.map(String);
      const { code, stdout, stderr } = await runApart(
        [
          'run',
          '--agent-strategy',
          file,
          '--task-ids',
          ...tasks,
          '--task-queue',
          'own-agent',
          '--run-id',
          runId,
          ...words,
        ],
        place,
      );
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/average reward +1\.000/);
      return TASKS.map((task) => recorded(runId, task) as Recorded);
    }

    const sum = (records: readonly Recorded[], count: string) =>
      records.reduce((total, { counts }) => total + (counts[count] ?? 0), 0);

    it('plays with a classifier, a way to perform actions and callbacks of its own', SLOW, async () => {
      const records = await play(
        './my-fastworkflow.ts',
        'parts',
        '--model',
        'oracle+natural',
        '--parameter-tries',
        '2',
      );
      expect(records.map(({ config: { strategy } }) => strategy)).toEqual(TASKS.map(() => 'my-fastworkflow'));
      const commands = records.flatMap(({ steps }) => steps.filter(({ name }) => name !== 'respond'));
      // The parts were called for every command that ran, and the classifier found some of them.
      expect(sum(records, 'planned_actions')).toBe(commands.length);
      expect(sum(records, 'reads') + sum(records, 'writes')).toBe(commands.length);
      expect(sum(records, 'writes')).toBeGreaterThan(0);
      expect(sum(records, 'intent_ranked')).toBeGreaterThan(0);
      expect(sum(records, 'calls_before_steps')).toBeGreaterThan(commands.length);
    });

    it('plays with another way to execute what the agent wrote', SLOW, async () => {
      const records = await play('./own-execution.ts', 'execution', '--model', 'oracle');
      expect(records.every(({ reward }) => reward === 1)).toBe(true);
      // Command understanding with a model was never asked: it counts how it recognizes a command.
      expect(sum(records, 'intent_exact')).toBe(0);
      expect(records.flatMap(({ steps }) => steps).length).toBeGreaterThan(2 * TASKS.length);
    });
  });
});

/** Agents that call models of their own: no model of the run is theirs, in every way in and in every command. */
describe("models of an agent's own:", () => {
  const cwd = scratchFolder();
  const file = join(cwd, 'my-agent.mjs');

  /** Its model is at an address that only the agent knows. */
  const agentCode = (url: string) => `
export default async function agent(turn) {
  const messages = [{ role: 'system', content: turn.policy }, ...turn.conversation];
  for (;;) {
    const body = JSON.stringify({ model: 'mine', messages, tools: turn.tools });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch('${url}/chat/completions', { method: 'POST', headers, body });
    const { message } = (await reply.json()).choices[0];
    messages.push(message);
    if (!message.tool_calls?.length) return message.content ?? '';
    for (const { id, function: { name, arguments: args } } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: await turn.callTool(name, args) });
  }
}`;

  let model: ScriptedModel;
  let service: Awaited<ReturnType<typeof serveFunction>>;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    model = await startScriptedModel({ packs: [await resolvePack('retail')] });
    writeFileSync(file, agentCode(model.url));
    const { default: answer } = (await import(pathToFileURL(file).href)) as { default: AgentFunction };
    service = await serveFunction({ name: 'my-agent', version: '1.2.0', answer }, 0);
    env = environment({
      TEMPORAL_ADDRESS: inject('temporal').address,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'sk-made-up-0123456789',
    });
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const QUEUE = ['--task-queue', 'own-models'];
  const manifest = (runId: string) =>
    JSON.parse(readFileSync(join(cwd, 'results', runId, 'run.json'), 'utf8')) as { readonly config: object };

  async function play(runId: string, ...words: readonly string[]): Promise<string> {
    const line = ['run', '--run-id', runId, '--task-ids', '1', ...QUEUE, ...words];
    const { code, stdout, stderr } = await run(line, { cwd, env });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^agent .*, with models of its own$/m);
    expect(manifest(runId).config).toMatchObject({
      agent_model: null,
      user_model: { provider: 'openai', model: 'gpt-4o' },
    });
    return stdout;
  }

  const USER = ['--user-model', 'gpt-4o'];

  describe('an agent with models of its own is run', { timeout: 120_000 }, () => {
    it('as a service, and with more trials when it is resumed', async () => {
      expect(await play('own-http', '--agent-url', service.url, ...USER)).toMatch(/average reward +1\.000 +1 of 1/);
      const resumed = await run(['run', '--run-id', 'own-http', '--num-trials', '2', ...QUEUE], { cwd, env });
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(resumed.stdout).toMatch(/average reward +1\.000 +2 of 2/);
      const place = { cwd, env: { OPENAI_API_KEY: 'sk-made-up-0123456789' } };
      for (const words of [
        ['report', 'own-http', '--all'],
        ['compare', 'own-http', 'own-http'],
        ['regrade', 'own-http'],
        ['list'],
        ...['inspect', 'tau2', 'csv', 'json'].map((format) => ['export', 'own-http', '--format', format]),
      ]) {
        const { code, stderr } = await tauflow(words, place);
        expect([words.join(' '), code], stderr).toEqual([words.join(' '), 0]);
      }
    });

    it('as a function in a file', async () => {
      expect(await play('own-file', '--agent-url', './my-agent.mjs', ...USER)).toMatch(
        /average reward +1\.000 +1 of 1/,
      );
    });

    it('as an A2A agent', async () => {
      const hello = '<json>{"name": "respond", "arguments": {"content": "Hello"}}</json>';
      const agent = await startA2a(({ say }) => say(text(hello)));
      expect(await play('own-a2a', '--agent-url', agent.url, ...USER, '--max-steps', '2')).toContain('shop helper');
    });

    it('from a config file', async () => {
      writeFileSync(join(cwd, 'run.json'), JSON.stringify({ agent_url: service.url, user_model: 'gpt-4o' }));
      expect(await play('own-config', '--config', 'run.json')).toMatch(/average reward +1\.000 +1 of 1/);
    });
  });

  describe('a dry run of an agent with models of its own', () => {
    const dryRun = async (...words: readonly string[]) => {
      const line = ['run', '--agent-url', service.url, ...USER, '--task-ids', '1', '--dry-run', ...words];
      const { code, stdout, stderr } = await tauflow(line, { cwd });
      expect(code, stderr).toBe(0);
      return stdout;
    };

    it('estimates the calls of the simulated user alone', async () => {
      const printed = await dryRun();
      expect(printed).toMatch(/^agent +agent-service with models of its own$/m);
      expect(printed).toMatch(/^model calls +at least 2 beside the agent's own/m);
      expect(printed).toMatch(/^tokens .*; the agent's own calls are not counted$/m);
    });

    it('names flags that have no effect, and keeps them out of the configuration', async () => {
      const flags = [
        '--temperature',
        '0.5',
        '--max-completion-tokens',
        '50',
        '--model-settings',
        '{"top_p": 1}',
        '--max-cost',
        '2',
      ];
      const printed = await dryRun(...flags);
      expect(printed).toContain('--temperature, --max-completion-tokens, --agent-model-settings have no effect');
      expect(printed).toContain("--max-cost 2 counts of the agent's own model calls only what the agent reports.");
      const { config } = JSON.parse(await dryRun(...flags, '--json')) as { config: object };
      expect(config).toMatchObject({ agent_model: null, max_completion_tokens: { user: 2048 } });
      expect(config).not.toHaveProperty('max_completion_tokens.agent');
    });
  });
});
