import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITH_USER, startGateway } from '../../src/agent-service/index.ts';
import type { RunningGateway } from '../../src/agent-service/testing.ts';
import { playAgent, type AgentCall } from './agents.ts';
import { playLines, STOP } from './models.ts';
import { startRig, type Rig } from './rig.ts';

const USER = ['hi', 'my order', STOP];
let said = 0;
let gateway: RunningGateway;
let rig: Rig;

beforeAll(async () => {
  gateway = await startGateway();
  rig = await startRig({
    callModel: (request, options) => playLines({ agent: [], user: [USER[said++] ?? STOP] }).callModel(request, options),
    asksAgents: true,
    deps: { gateway: () => Promise.resolve(gateway), random: () => 0 },
  });
});
afterAll(async () => {
  await rig.stop();
  await gateway.close();
});

/** Lets an agent that knows nothing but MCP lead the whole conversation in its first request. */
async function play(agent: (client: Client, call: AgentCall) => Promise<void>) {
  const served = await playAgent(async (call) => {
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${call.request.mcp_url}${WITH_USER}`)));
    try {
      await agent(client, call);
    } finally {
      await client.close();
    }
    return { end: true };
  });
  said = 0;
  const config = {
    strategy: 'agent-service',
    strategyOptions: { omitPolicy: false, useReasoning: true, agentUrl: served.url },
    maxRetries: 2,
  };
  const handle = await rig.startEpisode(rig.episodeInput({}, config));
  const summary = await handle.result();
  return { summary, record: await rig.log.readEpisode({ taskId: 0, trial: 0 }) };
}

const respond = (client: Client, content: string) =>
  client.callTool({ name: 'respond_to_user', arguments: { content } });

describe('an agent that knows nothing but MCP', () => {
  it('sees policy and tools, and speaks to the user by a tool until the user ends it', async () => {
    const { summary, record } = await play(async (client) => {
      expect(client.getInstructions()).toBe(rig.pack.policy);
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'list_all_product_types')?.annotations?.readOnlyHint).toBe(true);
      expect(tools.find(({ name }) => name === 'cancel_pending_order')?.annotations?.readOnlyHint).toBe(false);
      await client.callTool({ name: 'list_all_product_types' });
      const reply = await respond(client, 'What is it about?');
      expect(reply.structuredContent).toEqual({ observation: 'my order', done: false });
      await respond(client, 'I see.');
    });
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(record?.trajectory.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user'],
    ]);
  });

  it('that dies is asked again, and says nothing twice', async () => {
    const { summary } = await play(async (client, { request, die }) => {
      await respond(client, 'What is it about?');
      if (request.attempt === 1) die();
      await respond(client, 'I see.');
    });
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(said).toBe(3);
  });
});
