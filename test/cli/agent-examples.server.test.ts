/** The agents of examples/: each passes `tauflow agent check`, and plays in a run as the built-in strategy does. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, scratchFolder, tauflow } from './in-process.ts';
import { endAll, run, start } from './processes.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const cwd = scratchFolder();
const place = { cwd, env: environment() };
const SLOW = { timeout: 180_000 };

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
});

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

const TASKS = [1, 2, 3];

async function play(runId: string, ...words: readonly string[]): Promise<void> {
  const ended = await run(
    ['run', '--run-id', runId, '--model', 'oracle', '--task-ids', ...TASKS.map(String), ...words],
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
    await play(`${name}-built-in`, '--agent-strategy', 'tool-calling');
    await play(name, '--agent-url', await agentOf(where), '--max-concurrency', '3');
    for (const task of TASKS) {
      const { reward, actions, config } = recorded(name, task);
      const builtIn = recorded(`${name}-built-in`, task);
      expect({ reward, actions }).toEqual({ reward: builtIn.reward, actions: builtIn.actions });
      expect(config.strategy_options).toMatchObject({
        agent_name: isFile ? (expect.stringMatching(/^[\w-]+ [0-9a-f]{12}$/) as string) : `${name} 1`,
      });
    }
  });
});
