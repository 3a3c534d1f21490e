/** `tauflow serve mcp`: a person's MCP client plays a task, which is graded at its end. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';

import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, expectSentence, scratchFolder, tauflow } from './in-process.ts';
import { endAll, start } from './processes.ts';

const cwd = scratchFolder();
const tasks = JSON.parse(readFileSync(new URL('../../data/retail/tasks-test.json', import.meta.url), 'utf8')) as {
  readonly actions: readonly { readonly name: string; readonly kwargs: Record<string, unknown> }[];
}[];
const TASK = 1;

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
});

interface Observed {
  readonly observation: string;
  readonly done: boolean;
}

describe('serve mcp', () => {
  it('grades what a client has done', { timeout: 180_000 }, async () => {
    const words = ['serve', 'mcp', '--task', String(TASK), '--run-id', 'by-hand'];
    let connected: (url: string) => void = () => undefined;
    const address = new Promise<string>((resolve) => (connected = resolve));
    const served = start(words, { cwd, env: environment() }, undefined, (line) => {
      const url = /http:\S+\/mcp\/user\/mcp/.exec(line)?.[0];
      if (url !== undefined) connected(url);
    });
    const client = new Client({ name: 'person', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(await address)));
    for (const { name, kwargs } of tasks[TASK]?.actions ?? []) {
      expect((await client.callTool({ name, arguments: kwargs })).isError).toBeUndefined();
    }
    let isDone = false;
    for (let turns = 0; turns < 10 && !isDone; turns++) {
      const said = await client.callTool({
        name: 'respond_to_user',
        arguments: { content: turns === 0 ? 'It is done.' : 'Anything else?' },
      });
      isDone = (said.structuredContent as Observed).done;
    }
    await client.close();
    const { code, stdout } = await served.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('The user says: ');
    const path = join(cwd, 'results/by-hand/episodes', `task-${TASK}.trial-0.json`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });
  });

  it.each([[[]], [['--task', 'five']]])('has to know the task: %j', async (words) => {
    expectSentence(await tauflow(['serve', 'mcp', ...words]), 2, /name the task to play by its number/);
  });

  it('takes no agent, and no trials', async () => {
    const ended = await tauflow(['serve', 'mcp', '--task', '1', '--num-trials', '3']);
    expectSentence(ended, 2, /unknown option '--num-trials'/);
  });
});
