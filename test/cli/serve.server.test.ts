/** The served protocols: a person's MCP client plays a task, and A2A clients ask for an assessment of an agent. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Role, TaskState, type Message, type Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, type Client } from '@a2a-js/sdk/client';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, expectSentence, scratchFolder, tauflow } from './in-process.ts';
import { endAll, start, type Started } from './processes.ts';
import { modelAgent } from './serve/model-agent.ts';

const cwd = scratchFolder();

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
});

async function serve(): Promise<{ readonly served: Started; readonly url: string }> {
  let listening: (url: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => (listening = resolve));
  const served = start(['serve', 'a2a', '--port', '0'], { cwd, env: environment() }, undefined, (line) => {
    const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
    if (url !== undefined) listening(url);
  });
  return { served, url: await address };
}

async function clientOf(url: string, version: '1.0' | '0.3'): Promise<Client> {
  const legacyCompat = { enabled: true };
  const resolver = new DefaultAgentCardResolver({ legacyCompat });
  const card = await resolver.resolve(url);
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  const transports = [new JsonRpcTransportFactory({ legacyCompat })];
  return await new ClientFactory({ transports, cardResolver: resolver }).createFromAgentCard({
    ...card,
    supportedInterfaces,
  });
}

function asking(words: string): Message {
  return {
    ...{ messageId: crypto.randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER },
    parts: [{ content: { $case: 'text', value: words }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

const request = (words: string, returnImmediately = false) => ({
  ...{ tenant: '', message: asking(words), metadata: undefined },
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
});

function figuresIn({ artifacts }: Task): { readonly episodes: number; readonly average_reward: number } {
  const values = artifacts.flatMap(({ parts }) => parts.map(({ content }) => content?.value as unknown));
  expect(values[0]).toMatch(/Pass\^1/);
  return (values[1] as { readonly metrics: { readonly episodes: number; readonly average_reward: number } }).metrics;
}

describe('serve a2a', () => {
  it.each(['1.0', '0.3'] as const)(
    'runs what a client of protocol %s asks for',
    { timeout: 240_000 },
    async (version) => {
      const agent = await modelAgent();
      const { served, url } = await serve();
      const client = await clientOf(url, version);
      const states: (TaskState | undefined)[] = [];
      let task: string | undefined;
      for await (const { payload } of client.sendMessageStream(
        request(`assess ${agent} on retail, 2 trials, tasks 0-1`),
      )) {
        if (payload?.$case === 'task') task = payload.value.id;
        if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
      }
      expect(states).toContain(TaskState.TASK_STATE_WORKING);
      expect(states.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(figuresIn(await client.getTask({ tenant: '', id: task ?? '' }))).toMatchObject({
        episodes: 4,
        average_reward: 1,
      });
      served.signal('SIGINT');
      await served.ended;
    },
  );

  it('resumes a run after it was killed', { timeout: 300_000 }, async () => {
    const agent = await modelAgent();
    const first = await serve();
    const before = await clientOf(first.url, '1.0');
    let id = '';
    for await (const { payload } of before.sendMessageStream(
      request(`assess ${agent} on retail, tasks 0-3, 2 trials`),
    )) {
      if (payload?.$case === 'task') id = payload.value.id;
      if (payload?.$case === 'statusUpdate') break;
    }
    first.served.signal('SIGKILL');
    await first.served.ended.catch(() => undefined);
    const { url, served } = await serve();
    const client = await clientOf(url, '1.0');
    await expect
      .poll(async () => (await client.getTask({ tenant: '', id })).status?.state, { timeout: 200_000, interval: 500 })
      .toBe(TaskState.TASK_STATE_COMPLETED);
    expect(figuresIn(await client.getTask({ tenant: '', id }))).toMatchObject({ episodes: 8, average_reward: 1 });
    await expect(client.getTask({ tenant: '', id: 'no-such-task' })).rejects.toThrow(/not found/i);
    const refused = await client.sendMessage(request('assess /tmp/agent.ts'));
    expect('status' in refused ? refused.status?.state : undefined).toBe(TaskState.TASK_STATE_REJECTED);
    served.signal('SIGINT');
    await served.ended;
  });
});

const tasks = JSON.parse(readFileSync(new URL('../../data/retail/tasks-test.json', import.meta.url), 'utf8')) as {
  readonly actions: readonly { readonly name: string; readonly kwargs: Record<string, unknown> }[];
}[];
const TASK = 1;

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
    const client = new McpClient({ name: 'person', version: '1' });
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
