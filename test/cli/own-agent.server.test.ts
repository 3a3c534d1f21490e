/** Agents from files: on a server, what is refused before any start, and those that replace the parts of FastWorkflow. */

import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { environment, scratchFolder, serverOfTests, tauflow, type Place } from './in-process.ts';
import { runApart } from './processes.ts';

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
    expect(changed.stderr).toMatch(/^error: .*the run own exists.*strategy_options\.agent_file\.digest: \w+, now \w+/);
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
    const records = await play('./my-fastworkflow.ts', 'parts', '--model', 'oracle+natural', '--parameter-tries', '2');
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
