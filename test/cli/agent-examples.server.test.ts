/** Agents that are programs or functions: those of examples/, and functions that become services. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadFunction, serveFunction, startGateway } from '../../src/agent-service/index.ts';
import type { AgentFunction } from '../../src/agents/index.ts';
import { checkAgent } from '../../src/agent-service/check/index.ts';
import type { CheckFinding } from '../../src/io/index.ts';
import { environment, run, scratchFolder, serverOfTests, tauflow } from './in-process.ts';
import { endAll, start } from './processes.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const cwd = scratchFolder();
const place = { cwd, env: environment(serverOfTests()) };
const SLOW = { timeout: 180_000 };

afterAll(endAll);

/** @returns its URL */
async function startExample(command: readonly string[]): Promise<string> {
  return await new Promise((resolve, reject) => {
    const agent = start(['0'], { cwd: examples, env: process.env }, command, (line) => {
      resolve(/http:\S+/.exec(line)?.[0] ?? '');
    });
    agent.ended.then(() => reject(new Error('the agent has ended')), reject);
  });
}

interface Recorded {
  readonly reward: number;
  readonly actions: unknown;
  readonly config: { readonly strategy_options: Readonly<Record<string, unknown>> };
}

function recorded(runId: string, task: number): Recorded {
  const path = join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Recorded;
}

const TASKS = [1, 2];

async function play(runId: string, ...words: readonly string[]): Promise<void> {
  const ended = await run(
    [
      'run',
      '--task-queue',
      'examples',
      '--run-id',
      runId,
      '--model',
      'oracle',
      '--task-ids',
      ...TASKS.map(String),
      ...words,
    ],
    place,
  );
  expect(ended.code, ended.stderr).toBe(0);
}

/** A program that serves, or a file with a function, which has packages of its own. */
const AGENTS = [
  ['python-agent', ['python3', 'python-agent/agent.py']],
  ['node-agent', ['node', 'node-agent/agent.mjs']],
  ['ai-sdk-agent', 'ai-sdk-agent/ai-sdk-agent.ts'],
  ['openai-agents-js', 'openai-agents-js/openai-agents-js.ts'],
] as const;

/** @returns the value of `--agent-url` */
async function agentOf(place: (typeof AGENTS)[number][1]): Promise<string> {
  return typeof place === 'string' ? join(examples, place) : await startExample(place);
}

beforeAll(() => play('built-in', '--agent-strategy', 'tool-calling'), SLOW.timeout);

describe.each(AGENTS)('examples/%s', (name, where) => {
  const isFile = typeof where === 'string';
  if (isFile && !existsSync(join(examples, name, 'node_modules'))) {
    it.skip(`examples/${name} (skipped: no packages; run npm install --workspaces=false in it)`, () => undefined);
    return;
  }

  it('passes the check', SLOW, async () => {
    const { code, stdout } = await tauflow(['agent', 'check', await agentOf(where)]);
    expect(stdout).toMatch(/^✓[^]*\nNothing is wrong\.$/);
    expect(stdout).not.toContain('–');
    expect(code).toBe(0);
  });

  it('takes the actions of tool-calling, and gets its rewards', SLOW, async () => {
    await play(name, '--agent-url', await agentOf(where), '--max-concurrency', '2');
    for (const task of TASKS) {
      const { reward, actions, config } = recorded(name, task);
      const builtIn = recorded('built-in', task);
      expect({ reward, actions }).toEqual({ reward: builtIn.reward, actions: builtIn.actions });
      expect(config.strategy_options).toMatchObject({
        agent_name: isFile ? (expect.stringMatching(/^[\w-]+ [0-9a-f]{12}$/) as string) : `${name} 1`,
      });
    }
  });
});

it('examples/python-environment passes the check', SLOW, async () => {
  const url = await startExample(['python3', 'python-environment/shop.py']);
  const { code, stdout } = await tauflow(['env', 'check', url]);
  expect(stdout).toMatch(/^✓[^]*\nNothing is wrong\.$/);
  expect(stdout).not.toContain('–');
  expect(code).toBe(0);
});

/** The agents of examples/ by themselves: what their authors' terminal shows. */
describe('an agent of examples/ by itself', () => {
  it.each([
    ['python3', 'python-agent/agent.py'],
    ['node', 'node-agent/agent.mjs'],
  ])('%s %s prints nothing when a request is broken off', async (program, file) => {
    const agent = spawn(program, [file, '0'], { cwd: examples, stdio: ['ignore', 'pipe', 'pipe'] });
    const model = createServer().listen(0, '127.0.0.1');
    let printed = '';
    agent.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const closed = once(agent, 'close');
    try {
      await once(model, 'listening');
      const [line] = (await once(createInterface({ input: agent.stdout }), 'line')) as [string];
      const url = /http:\S+/.exec(line)?.[0] ?? '';
      const model_url = `http://127.0.0.1:${String((model.address() as AddressInfo).port)}`;
      const body = JSON.stringify({ policy: '', conversation: [], tools: [], model_url });
      const reply = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'x'.repeat(1_000_000) } }] });

      const brokenOff = request(url, { method: 'POST', headers: { 'content-length': body.length } });
      const isClosed = new Promise((resolve) => brokenOff.on('error', () => undefined).on('close', resolve));
      brokenOff.end(body);
      const [, asked] = (await once(model, 'request')) as [unknown, ServerResponse];
      brokenOff.socket?.resetAndDestroy();
      await isClosed;
      asked.end(reply);

      model.on('request', (_, response: ServerResponse) => response.end(reply));
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    } finally {
      agent.kill();
      model.close();
      model.closeAllConnections();
      await closed;
    }
    expect(printed).toBe('');
  });
});

/** `tauflow agent serve`: a file with a function becomes a service. */
describe('agent serve', () => {
  const fixture = fileURLToPath(new URL('../fixtures/agent-function/agent.ts', import.meta.url));

  const open: { readonly close: () => Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  async function served(answer: AgentFunction): Promise<string> {
    const service = await serveFunction({ name: 'mine', version: '1', answer }, 0);
    open.push(service);
    return service.url;
  }

  describe('a function', () => {
    it('that uses a package passes every check', async () => {
      const file = await loadFunction(fixture);
      expect(file).toMatchObject({ name: 'agent', version: expect.stringMatching(/^[0-9a-f]{12}$/) as string });
      expect(readdirSync(dirname(fixture))).toEqual(['agent.ts']);
      const url = await served(file.answer);
      const gateway = await startGateway();
      open.push(gateway);
      const findings: CheckFinding[] = [];
      await checkAgent({ service: { url }, gateway, timeoutMs: 30_000 }, (finding) => findings.push(finding));
      expect(findings.length).toBeGreaterThan(5);
      expect(findings.filter(({ state }) => state !== 'right')).toEqual([]);
    });

    it('answers with a text, or as the protocol has it; its errors are answers too', async () => {
      const answers: readonly AgentFunction[] = [
        () => 'Hello',
        () => ({ end: true }),
        () => Promise.reject(Object.assign(new Error('slow down'), { status: 429 })),
        () => Promise.reject(new TypeError('no such thing')),
        (() => ({ message: 1n })) as unknown as AgentFunction,
        (() => undefined) as unknown as AgentFunction,
      ];
      const given = await Promise.all(
        answers.map(async (answer) => {
          const response = await fetch(await served(answer), { method: 'POST', body: '{}' });
          const text = await response.text();
          return [response.status, text.startsWith('{') ? (JSON.parse(text) as unknown) : text];
        }),
      );
      expect(given).toEqual([
        [200, { message: 'Hello' }],
        [200, { end: true }],
        [429, { error: 'Error: slow down' }],
        [500, { error: 'agent_failed', message: 'TypeError: no such thing' }],
        [200, 'no JSON: Do not know how to serialize a BigInt'],
        [200, ''],
      ]);
    });
  });

  describe('a file', () => {
    it.each([
      ['export const a = 1;', /exports no function; export one as default/],
      ['export default (', /cannot be compiled: .* \(line 1\)\.$/],
      ["import x from 'no-such-package'; export default () => x;", /cannot be loaded: .*no-such-package/],
      ["throw new Error('at once');", /cannot be loaded: at once\.$/],
    ])('is refused: %s', async (code, problem) => {
      const folder = scratchFolder();
      writeFileSync(join(folder, 'agent.ts'), code);
      const { code: exit, stderr } = await tauflow(['agent', 'serve', 'agent.ts'], { cwd: folder });
      expect(stderr).toMatch(problem);
      expect(exit).toBe(2);
      expect(readdirSync(folder)).toEqual(['agent.ts']);
    });
  });
});
