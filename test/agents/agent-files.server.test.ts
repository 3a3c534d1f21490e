/** Agents that are files, programs or functions: how they are loaded, and those of examples/. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
  existsSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, afterEach, beforeAll } from 'vitest';
import { findStrategy, isAgentFile, type AgentFunction } from '../../src/agents/index.ts';
import { loadAgent, loadedAgents } from '../../src/agents/from-file/index.ts';
import { loadFunction, serveFunction, startGateway } from '../../src/agent-service/index.ts';
import { checkAgent } from '../../src/agent-service/check/index.ts';
import type { CheckFinding } from '../../src/io/index.ts';
import { environment, run, scratchFolder, serverOfTests, tauflow } from '../cli/in-process.ts';
import { endAll, start } from '../cli/processes.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tauflow-own-')));
const template = fileURLToPath(new URL('../fixtures/new-agent/my-agent.ts', import.meta.url));
const bench = fileURLToPath(new URL('../../src/benchmarks/types.ts', import.meta.url));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const solve = "solve: () => Promise.resolve('done')";

describe('a file with an agent', () => {
  it('is known by its digest, and never by its name', async () => {
    const { strategy, file } = await loadAgent(template);
    expect(strategy).toMatchObject({ name: 'plan-first', label: 'Plan first' });
    expect(findStrategy('plan-first', file)).toBe(strategy);
    expect(findStrategy('plan-first')).toBeUndefined();
    expect(findStrategy('plan-first', { digest: 'another' })).toBeUndefined();
    expect(loadedAgents().map(({ file: { digest } }) => digest)).toContain(file.digest);
  });

  it.each(['js', 'mjs'])('may be JavaScript, and export `strategy` (.%s)', async (ending) => {
    const path = write(`plain.${ending}`, `export const strategy = { name: 'plain', label: 'P', ${solve} };`);
    expect((await loadAgent(path)).strategy.name).toBe('plain');
  });

  it('has the digest of what is in it and in what it imports, wherever it is', async () => {
    const text = `import { label } from './lib/label.ts'; export default { name: 'parts', label, ${solve} };`;
    const digest = async (place: string, label: string) => {
      write(`${place}/lib/label.ts`, `export const label: string = '${label}';`);
      return (await loadAgent(write(`${place}/agent.ts`, text))).file.digest;
    };
    const before = await digest('a', 'one');
    expect(await digest('b', 'one')).toBe(before);
    expect(await digest('b', 'two')).not.toBe(before);
    cpSync(template, join(folder, 'copy.ts'));
    expect((await loadAgent(join(folder, 'copy.ts'))).file.digest).toBe((await loadAgent(template)).file.digest);
  });

  const refused: readonly (readonly [what: string, text: string, reason: RegExp])[] = [
    ['what is no code', 'export default {;', /cannot be compiled: Expected identifier but found ";" \(.*:1:17\)\.$/],
    ['no export', 'export const agent = 1;', /exports no strategy; export a StrategyDefinition as default/],
    [
      'an export of another kind',
      'export default 3;',
      /is not a strategy: it must be an object with name, label and solve/,
    ],
    ['no name', `export default { label: 'X', ${solve} };`, /is not a strategy: name must be a text\.$/],
    ['no function', "export default { name: 'x', label: 'X', solve: 1 };", /solve must be a function\.$/],
    [
      'settings that no strategy has',
      `export default { name: 'x', label: 'X', ${solve}, settings: ['nothing'] };`,
      /has settings, which no strategy has/,
    ],
    [
      'a misspelt part',
      `export default { name: 'x', label: 'X', ${solve}, note: [] };`,
      /has note, which no strategy has/,
    ],
    ['the name of another', `export default { name: 'act', label: 'X', ${solve} };`, /is called act, as a strategy of/],
    [
      'a role that falls back to none',
      `export default { name: 'x', label: 'X', ${solve}, modelRoles: [{ name: 'critic', description: 'c', calls: ['agent/critic'], fallback: 'judge' }] };`,
      /modelRoles must have a role’s fallback before it/,
    ],
    [
      'an option of no kind',
      `export default { name: 'x', label: 'X', ${solve}, options: [{ key: 'tries', help: 't', value: { kind: 'colour' } }] };`,
      /options\.0\.value.* must be an object with a kind: choice, integer/,
    ],
    [
      'an option that every strategy has',
      `export default { name: 'x', label: 'X', ${solve}, options: [{ key: 'compat', help: 't', value: { kind: 'list' } }] };`,
      /options\.0\.key is the name of an option that every strategy has/,
    ],
    [
      'an option that it has twice',
      `const option = { key: 'tries', help: 't', value: { kind: 'list' } };
       export default { name: 'x', label: 'X', ${solve}, options: [option, option] };`,
      /options must have each option once/,
    ],
    ['what a workflow has not', "import fs from 'node:fs'; fs.rmSync('x');", /imports node:fs, and an agent runs in a/],
    ['the same required', "require('net').connect(1);", /imports net, and an agent runs in a workflow/],
    [
      'a global that a workflow has not',
      'process.exit(7);',
      /uses process, and an agent runs in a workflow, .* \(.*\.ts:1:1\)\.$/,
    ],
    [
      'a global that is used later',
      `export default { name: 'x', label: 'X', solve: async () => {\n  await fetch('http://x');\n} };`,
      /uses fetch, .*\.ts:2:9\)\.$/,
    ],
    [
      'the same by globalThis',
      'const wait = () =>\n  globalThis.setInterval(() => {}, 1);\nwait();',
      /uses setInterval.*:2:3/,
    ],
    ['an exception', "throw new Error('no luck');", /cannot be loaded: Error: no luck\.$/],
    [
      'another copy of the program',
      `import { RESPOND } from '${bench}'; RESPOND.at(0);`,
      /import values from 'tauflow\/agents'/,
    ],
    ['an import that is nowhere', "import { x } from './nowhere.ts'; x();", /Could not resolve "\.\/nowhere\.ts"/],
  ];
  it.each(refused)('is refused in one sentence for %s', async (what, text, reason) => {
    const path = write(`${what.replaceAll(' ', '-')}.ts`, text);
    const error: unknown = await loadAgent(path).catch((thrown: unknown) => thrown);
    expect(error).toHaveProperty('name', 'AgentFileError');
    const { message } = error as Error;
    expect(message).toMatch(reason);
    expect(message).toMatch(/^the agent in .*\.$/);
    expect(message).toContain(path);
    expect(message).not.toContain('\n');
  });

  it('may have names of globals of its own, use those of workflows, and ask whether one is there', async () => {
    write('node_modules/lib/index.js', 'export const size = () => Buffer.byteLength("x");');
    const text = `import { size } from 'lib';
      const fetch = () => setTimeout(size, 1);
      const env = typeof process === 'undefined' ? {} : process.env;
      const buffer = { Buffer: 1 };
      export default { name: 'x', label: 'X', solve: () => Promise.resolve([fetch(), env, buffer.Buffer]) };`;
    const { code } = await loadAgent(write('careful.ts', text));
    expect(code).toContain('typeof process === "undefined" ? {} : process.env');
    expect(code).not.toContain('absent');
  });

  it('is refused when it is not there', async () => {
    const path = join(folder, 'absent.ts');
    await expect(loadAgent(path)).rejects.toThrow(`the agent in ${path} does not exist; check --agent-strategy.`);
  });
});

describe('a word after --agent-strategy', () => {
  it.each([
    ['./my-agent.ts', true],
    ['agents/mine.mjs', true],
    ['mine.js', true],
    ['tool-calling', false],
    ['gpt4.1', false],
  ])('%s', (word, isFile) => {
    expect(isAgentFile(word)).toBe(isFile);
  });
});

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
