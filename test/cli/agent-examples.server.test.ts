/** The agents of examples/: each passes `tauflow agent check`, and plays in a run as the built-in strategy does. */

import { readFileSync } from 'node:fs';
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

describe.each([
  ['python-agent', ['python3', 'python-agent/agent.py']],
  ['node-agent', ['node', 'node-agent/agent.mjs']],
] as const)('examples/%s', (name, command) => {
  it('passes the check', SLOW, async () => {
    const { code, stdout } = await tauflow(['agent', 'check', await startExample(command)]);
    expect(stdout).toMatch(/^✓[^]*\nNothing is wrong\.$/);
    expect(stdout).not.toContain('–');
    expect(code).toBe(0);
  });

  it('takes the actions of tool-calling, and gets its rewards', SLOW, async () => {
    await play(`${name}-built-in`, '--agent-strategy', 'tool-calling');
    await play(name, '--agent-url', await startExample(command), '--max-concurrency', '3');
    for (const task of TASKS) {
      const { reward, actions, config } = recorded(name, task);
      const builtIn = recorded(`${name}-built-in`, task);
      expect({ reward, actions }).toEqual({ reward: builtIn.reward, actions: builtIn.actions });
      expect(config.strategy_options).toMatchObject({ agent_name: `${name} 1` });
    }
  });
});
