/** Tauflow beside Python packages: FastWorkflow, a2a-sdk, an MCP server, and the reference. */

import { spawnSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { afterAll, describe, expect, it, onTestFinished, beforeAll } from 'vitest';
import getPort from 'get-port';
import { environment, run, scratchFolder, serverOfTests } from '../cli/in-process.ts';
import { endAll, runApart, start } from '../cli/processes.ts';
import { askAgent, findAgent, type AgentService } from '../../src/agent-service/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { findPython } from '../helpers/python.ts';
import { answering, serve } from '../helpers/stub-service.ts';
import { REQUEST } from '../agent-service/turn-protocol/helpers.ts';
import { checkBenchmark } from '../../src/benchmarks/own/check.ts';
import { openFolder, type EnvironmentService, type ServiceCall } from '../../src/benchmarks/own/testing.ts';
import { writeBenchmark } from '../benchmarks/own/folders.ts';
import { compareOnAllData, compareSequences, DOMAINS } from './differential/compare.ts';
import { compareExpressions, compareTexts, READINGS } from './differential/compare-texts.ts';
import { describeWithPython } from './differential/describe-with-python.ts';

const adapter = fileURLToPath(new URL('../../adapters/fastworkflow/', import.meta.url));
const cwd = scratchFolder();
const place = { cwd, env: environment(serverOfTests()) };
const QUEUE = ['--task-queue', 'fastworkflow-python'];
const pythonEnvironment = { ...process.env, PYTHONPATH: adapter, PYTHONDONTWRITEBYTECODE: '1' };

afterAll(endAll);

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
if (!python) console.warn('Tests of adapters/fastworkflow are skipped: there is no python3 of version 3.11 or newer.');

describe.skipIf(!python)('adapters/fastworkflow', () => {
  it('passes its own tests', { timeout: 400_000 }, async () => {
    const tests = start(
      ['-m', 'unittest', 'discover', '-s', join(adapter, 'tests')],
      { cwd: adapter, env: pythonEnvironment },
      ['python3'],
    );
    const { code, stderr } = await tests.ended;
    expect(code, stderr).toBe(0);
  });
});

describe.skipIf(!python)('--agent-strategy fastworkflow-python', () => {
  const stub = join(adapter, 'tests', 'stub');
  const withStub = {
    ...place.env,
    TAUFLOW_FASTWORKFLOW_PYTHON: 'python3',
    PYTHONPATH: stub,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const words = ['run', '--agent-strategy', 'fastworkflow-python', '--model', 'oracle', '--task-ids', '1', ...QUEUE];

  it('starts the adapter with the run and stops it', { timeout: 200_000 }, async () => {
    // The stub has no retail example. The adapter checks only for these files in the folder that the variable names.
    const folder = join(cwd, 'stub-workflow');
    mkdirSync(join(folder, '_commands'), { recursive: true });
    mkdirSync(join(folder, '___command_info'));
    writeFileSync(join(folder, '___command_info', 'tinymodel.pth'), '');
    const env = { ...withStub, TAUFLOW_FASTWORKFLOW_WORKFLOW: folder };
    const ended = await run([...words, '--run-id', 'started'], { cwd, env });
    expect(ended.code, ended.stderr).toBe(0);
    const printed = readFileSync(join(cwd, 'results', 'started', 'agent.log'), 'utf8');
    const [, url = ''] = /^fastworkflow-python stub-workflow 9\.9\.9 .*\nlistening on (\S+)\n$/.exec(printed) ?? [];
    await expect(fetch(url)).rejects.toThrow();
    const { config } = JSON.parse(
      readFileSync(join(cwd, 'results', 'started', 'episodes', 'task-1.trial-0.json'), 'utf8'),
    ) as { config: { strategy: string; strategy_options: { agent_name: string } } };
    expect(config.strategy).toBe('agent-service');
    expect(config.strategy_options.agent_name).toMatch(/^fastworkflow-python stub-workflow 9\.9\.9 /);
  });

  it('says in one line what is missing', { timeout: 200_000 }, async () => {
    const without = await run(words, { cwd, env: { ...place.env, TAUFLOW_FASTWORKFLOW_PYTHON: '' } });
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain('name it in TAUFLOW_FASTWORKFLOW_PYTHON');
    const lacking = await run(words, { cwd, env: { ...withStub, PYTHONPATH: '' } });
    expect(lacking).toMatchObject({ code: 2 });
    expect(lacking.stderr).toMatch(/python3?\S* has no fastworkflow; install it there/);
  });
});

const interpreter = process.env['TAUFLOW_FASTWORKFLOW_PYTHON'] ?? '';
if (interpreter === '') {
  console.warn(
    'Tests with FastWorkflow itself are skipped: TAUFLOW_FASTWORKFLOW_PYTHON names no interpreter that has it.',
  );
}

interface Recorded {
  readonly reward: number;
  readonly actions: unknown;
}

/** Six tasks each, three of them the same: an episode of one run must not be taken for that of the other. */
const RUNS = [
  ['1', '2', '3', '4', '5', '6'],
  ['4', '5', '6', '7', '8', '9'],
] as const;
const WORDS = ['run', '--model', 'oracle', '--max-concurrency', '6', ...QUEUE, '--agent-strategy'];
const ITSELF = { ...place.env, TAUFLOW_FASTWORKFLOW_PYTHON: interpreter, PYTHONDONTWRITEBYTECODE: '1' };

describe.skipIf(interpreter === '')('FastWorkflow itself', () => {
  async function play(runId: string, tasks: readonly string[], ...words: readonly string[]): Promise<Recorded[]> {
    const ended = await runApart([...WORDS, ...words, '--run-id', runId, '--task-ids', ...tasks], { cwd, env: ITSELF });
    expect(ended.code, ended.stderr).toBe(0);
    return tasks.map((task) => {
      const path = join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`);
      const { reward, actions } = JSON.parse(readFileSync(path, 'utf8')) as Recorded;
      return { reward, actions };
    });
  }

  it(
    'plays as the port does in two runs at once, with an adapter each and with one',
    { timeout: 900_000 },
    async () => {
      const url = await new Promise<string>((resolve, reject) => {
        const words = ['-m', 'tauflow_fastworkflow', 'retail', '--port', '0', '--without-intent-models'];
        const agent = start(words, { cwd, env: pythonEnvironment }, [interpreter], (line) => {
          const found = /http:\S+/.exec(line);
          if (found !== null) resolve(found[0]);
        });
        agent.ended.then(({ stderr }) => reject(new Error(stderr)), reject);
      });
      const port = await Promise.all(RUNS.map((tasks, i) => play(`port-${i}`, tasks, 'fastworkflow')));
      expect(port.flat().map(({ reward }) => reward)).toEqual(Array(12).fill(1));
      const shared = RUNS.map((tasks, i) => play(`shared-${i}`, tasks, 'agent-service', '--agent-url', url));
      expect(await Promise.all(shared)).toEqual(port);
      const own = RUNS.map((tasks, i) => play(`own-${i}`, tasks, 'fastworkflow-python'));
      expect(await Promise.all(own)).toEqual(port);
    },
  );
});

/** Agents made with the Python SDK: A2A_PYTHON and A2A_03_PYTHON name interpreters that have `a2a-sdk` 1.x and 0.3.x. */
describe('a2a-sdk', () => {
  const python = findPython('A2A_PYTHON', 'agents on a2a-sdk 1.x') ?? '';
  const oldPython = findPython('A2A_03_PYTHON', 'agents on a2a-sdk 0.3') ?? '';
  const TIME = { timeoutMs: 30_000 };

  const CALL = { name: 'get_order_details', arguments: '{"order_id": "#W1"}' };
  const CALLS = { content: null, tool_calls: [{ id: 'c1', type: 'function', function: CALL }] };
  const SAYS = { content: 'It is on its way.' };

  async function startAgent(executable: string, script: string, words: readonly string[]): Promise<AgentService> {
    const port = await getPort();
    const folder = fileURLToPath(new URL('../fixtures/a2a/', import.meta.url));
    const child = spawn(executable, [script, String(port), ...words], { cwd: folder, stdio: 'ignore' });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const found = await eventually(async () => await findAgent({ url: `http://127.0.0.1:${port}` }, TIME));
    return found.service;
  }

  /** A model that calls a tool first, and then speaks. */
  async function model(): Promise<string> {
    const { url } = await serve((received, response) => {
      const message = received.body.includes('"role": "tool"') ? SAYS : CALLS;
      answering(200, JSON.stringify({ choices: [{ message }] }))(received, response);
    });
    return url;
  }

  describe.skipIf(python === '' || oldPython === '')('an agent made with a2a-sdk', { timeout: 90_000 }, () => {
    it.each([
      ['1.x, in words over JSON-RPC', python, 'agent_1_x.py', ['text', 'JSONRPC'], 'text'],
      ['1.x, in words over HTTP+JSON', python, 'agent_1_x.py', ['text', 'HTTP+JSON'], 'text'],
      ['1.x, as data over HTTP+JSON', python, 'agent_1_x.py', ['data', 'HTTP+JSON'], 'data'],
      ['0.3, in words', oldPython, 'agent_0_3.py', [], 'text'],
    ])('%s calls a tool, and then speaks', async (_, executable, script, words, tools) => {
      const service = await startAgent(executable, script, words);
      expect(service.a2aTools).toBe(tools);
      const model_url = await model();
      const first = await askAgent(service, { ...REQUEST, request: 1, idempotency_key: 'e1/1', model_url }, TIME);
      expect(first.answer).toMatchObject({
        kind: 'tool_calls',
        calls: [{ name: CALL.name, argumentsJson: CALL.arguments }],
      });
      const result = { role: 'tool', tool_call_id: 'c1', name: CALL.name, content: '{}' } as const;
      const call = { role: 'assistant', ...CALLS } as const;
      const conversation = [...REQUEST.conversation, call, result] as typeof REQUEST.conversation;
      const next = { ...REQUEST, request: 2, idempotency_key: 'e1/2', messages: [result], conversation, model_url };
      const second = await askAgent(service, next, { ...TIME, peer: first.peer });
      expect(second.answer).toEqual({ kind: 'message', content: SAYS.content });
    });
  });
});

/** Tools of an MCP server that others wrote: `tau2-mock-mcp-eval` of PyPI. */
describe('an MCP server', () => {
  const python = findPython('TAU2_MCP_PYTHON', 'tests of tools of an MCP server');
  const domain = { domain: 'tasks-server', options: {} };

  const DEFINITION = `
  import { defineBenchmark, mcp } from 'tauflow/benchmark';
  export default defineBenchmark({
    name: 'tasks-server',
    tools: mcp({
      command: ${JSON.stringify(python)},
      args: ['-m', 'tau2_mock_mcp.server'],
      env: { TAU2_MOCK_MCP_STATE_DIR: '{tmp}' },
      tools: ['create_task', 'update_task_status'],
      state: { tool: 'get_users', field: 'parsed_content' },
    }),
  });`;
  const TASKS = `
- id: write
  instruction: You are user_1. You want a task to write a letter.
  calls: [{ create_task: { user_id: user_1, title: Letter } }]
`;

  function create(title: string): ServiceCall {
    const kwargs = JSON.stringify({ user_id: 'user_1', title });
    return { requestor: 'assistant', name: 'create_task', arguments: kwargs };
  }

  describe.skipIf(python === null)('tools of an MCP server', { timeout: 60_000 }, () => {
    let folder: string;
    let service: EnvironmentService;

    beforeAll(async () => {
      folder = writeBenchmark({ 'benchmark.ts': DEFINITION, 'tasks.yaml': TASKS, 'data/counters.json': null });
      service = await openFolder(folder);
    });

    const call = (episode: string, calls: readonly ServiceCall[], made: ServiceCall) =>
      service.call({
        ...domain,
        episode,
        task: 'write',
        calls,
        call: made,
        idempotencyKey: `${episode} ${calls.length}`,
      });

    it('offers the tools that the folder names', async () => {
      const { tools } = await service.start({ ...domain, episode: 'start', task: 'write' });
      expect(tools.map((tool) => (tool['function'] as { name: string }).name)).toEqual([
        'create_task',
        'update_task_status',
      ]);
    });

    it('keeps the state between calls, and apart from other episodes', async () => {
      const first = await call('one', [], create('Letter'));
      const second = await call('one', [create('Letter')], create('Stamp'));
      const other = await call('two', [], create('Letter'));
      expect(first.observation).toContain('"task_id": "task_2"');
      expect(second.observation).toContain('"task_id": "task_3"');
      expect(second.state.agent).not.toBe(first.state.agent);
      expect(other.state).toEqual(first.state);
    });

    it('makes the calls before again in a new process', async () => {
      const folded = await call('late', [create('Letter')], create('Stamp'));
      const known = await call('one', [create('Letter')], create('Stamp'));
      expect(folded.observation).toContain('"task_id": "task_3"');
      expect(folded.state).toEqual(known.state);
    });

    it('grades the state that the server shows', async () => {
      expect(await checkBenchmark(folder)).toMatchObject({ problems: [], wrong: [], summary: { splits: { test: 1 } } });
    });
  });
});

const SEED = 20_240_515;

describeWithPython('The Python reference', (reference) => {
  afterAll(() => {
    reference.end();
  });

  it.each(Array.from(DOMAINS.keys()))('takes 400 random sequences of %s calls to the same data', async (domain) => {
    const { sequences } = await compareSequences(reference, domain, { seed: SEED, count: 400 });
    expect(sequences).toBe(400);
  });

  it.each(Array.from(DOMAINS.keys()))('hashes all of %s alike after random sequences', async (domain) => {
    expect((await compareOnAllData(reference, domain, { seed: SEED, count: 3 })).sequences).toBe(3);
  });

  it('calculates 5000 random expressions alike', async () => {
    expect(await compareExpressions(reference, { seed: SEED, count: 5000 })).toBe(5000);
  });

  it.each(Array.from(READINGS.keys()))('makes the same of 2000 random texts with %s', async (name) => {
    expect(await compareTexts(reference, name, { seed: SEED, count: 2000 })).toBe(2000);
  });
});
