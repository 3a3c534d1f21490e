/** `tauflow serve a2a`: A2A clients ask for an assessment of an agent. */

import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, type Client } from '@a2a-js/sdk/client';
import { Role, TaskState, type Message, type Task } from '@a2a-js/sdk';
import { afterAll, describe, expect, it } from 'vitest';
import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, scratchFolder } from './in-process.ts';
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
