import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WITH_USER, type TurnBinding } from '../../../src/agent-service/index.ts';
import type { EpisodeOffer } from '../../../src/agent-service/testing.ts';
import { bindingWith, send, serve } from './helpers.ts';

const parameters = { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] };
const OFFER: EpisodeOffer = {
  policy: 'Be kind.',
  tools: ['get_order', 'cancel_order'].map((name) => ({
    type: 'function',
    function: { name, description: `Does ${name}.`, parameters },
  })),
  writes: ['cancel_order'],
};

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function connect(changes: Partial<TurnBinding> = {}, path = ''): Promise<Client> {
  const { mcpUrl } = (await serve()).open(bindingWith({ offer: OFFER, ...changes }));
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${mcpUrl}${path}`)));
  return client;
}

describe('MCP', () => {
  it('lists the tools with what they do to the data, and the policy', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations, inputSchema }) => ({ name, annotations, inputSchema }))).toEqual([
      { name: 'get_order', annotations: { readOnlyHint: true, openWorldHint: false }, inputSchema: parameters },
      {
        name: 'cancel_order',
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
        inputSchema: parameters,
      },
    ]);
    expect(client.getInstructions()).toBe('Be kind.');
    const { contents } = await client.readResource({ uri: 'tauflow://policy' });
    expect(contents).toMatchObject([{ text: 'Be kind.' }]);
  });

  it('calls a tool', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'get_order', arguments: { order_id: 'Error: 1' } });
    const observation = 'get_order {"order_id":"Error: 1"}';
    expect(result).toMatchObject({
      content: [{ type: 'text', text: observation }],
      structuredContent: { observation, done: false },
    });
    expect(result.isError).toBeUndefined();
  });

  it("keeps the spelling of a call's numbers", async () => {
    const toolCall = vi.fn(bindingWith().toolCall);
    const { mcpUrl } = (await serve()).open(bindingWith({ offer: OFFER, toolCall }));
    const text = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"amount": 131.0},"name":"pay"}}';
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    expect((await send(mcpUrl, text, { headers })).status).toBe(200);
    expect(toolCall.mock.calls[0]?.[0].argumentsJson).toBe('{"amount": 131.0}');
  });

  it('takes one request at a time, whose numbers keep their spelling', async () => {
    const { mcpUrl } = (await serve()).open(bindingWith({ offer: OFFER }));
    const batch =
      ' [{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"amount": 131.0},"name":"pay"}}]';
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    expect(await send(mcpUrl, batch, { headers })).toMatchObject({ status: 400, body: { error: 'invalid' } });
  });

  it("does not show the agent what went wrong on this gateway's side", async () => {
    const client = await connect({ toolCall: () => Promise.reject(new Error('task 4 is lost')) });
    const failing = expect(client.callTool({ name: 'get_order', arguments: { order_id: '#W1' } })).rejects;
    await failing.toThrow('the call could not be carried out');
  });

  it.each([
    [
      'an error of the tool',
      { toolCall: () => Promise.resolve({ observation: 'Error: order not found', done: false }) },
      'Error: order not found',
    ],
    [
      'a tool that is not there',
      { toolCall: () => Promise.resolve({ observation: 'Unknown action get_order', done: false }) },
      'Unknown action get_order',
    ],
    [
      'a call that the episode refuses',
      { toolCall: () => Promise.resolve({ refused: 'over' as const, message: 'the episode has ended' }) },
      'the episode has ended',
    ],
  ])('gives %s as the result of the tool', async (_what, changes, text) => {
    const client = await connect(changes);
    const result = await client.callTool({ name: 'get_order', arguments: { order_id: '#W1' } });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
  });

  it('speaks to the user only where that is offered', async () => {
    const plain = await connect();
    const refused = await plain.callTool({ name: 'respond_to_user', arguments: { content: 'Hello' } });
    expect(refused).toMatchObject({ isError: true });
    const client = await connect({}, WITH_USER);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('respond_to_user');
    const result = await client.callTool({ name: 'respond_to_user', arguments: { content: 'Hello' } });
    expect(result.structuredContent).toEqual({ observation: 'respond_to_user {"content":"Hello"}', done: false });
    const drafted = await client.callTool({ name: 'respond_to_user', arguments: { content: '<think>a</think>Hello' } });
    expect(drafted.structuredContent).toEqual({ observation: 'respond_to_user {"content":"Hello"}', done: false });
    const thought = await client.callTool({ name: 'respond_to_user', arguments: { content: '[THINK]a[/THINK]' } });
    expect(thought).toMatchObject({ isError: true });
  });

  it('knows no other address, resource or subscription', async () => {
    const { mcpUrl } = (await serve()).open(bindingWith({ offer: OFFER }));
    expect((await send(`${mcpUrl}/else`, '{}')).status).toBe(404);
    for (const method of ['GET', 'DELETE', 'TRACE'])
      expect((await send(mcpUrl, undefined, { method })).status).toBe(405);
    await expect((await connect()).readResource({ uri: 'tauflow://truth' })).rejects.toThrow(/not found/i);
  });
});
