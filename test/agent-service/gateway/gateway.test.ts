import { connect } from 'node:net';
import getPort from 'get-port';
import { describe, expect, it } from 'vitest';
import { bindingWith, send, serve } from './helpers.ts';

describe('the gateway', () => {
  it('listens on loopback, and gives unguessable addresses', async () => {
    const gateway = await serve();
    const { toolsUrl, openaiUrl, anthropicUrl, mcpUrl } = gateway.open(bindingWith());
    const token = /\/t\/([\w-]{43})\/tools$/.exec(toolsUrl)?.[1] ?? '';
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([toolsUrl, openaiUrl, anthropicUrl, mcpUrl]).toEqual(
      ['tools', 'openai/v1', 'anthropic', 'mcp'].map((end) => `${gateway.url}/t/${token}/${end}`),
    );
    expect(gateway.open(bindingWith()).toolsUrl).not.toBe(toolsUrl);
  });

  it('answers nobody else', async () => {
    const { url, open } = await serve();
    const { toolsUrl } = open(bindingWith());
    const port = new URL(url).port;
    const statusOf = async (address: string, headers: Record<string, string> = {}) =>
      (await send(address, { name: 'x' }, { headers })).status;
    expect(await statusOf(toolsUrl)).toBe(200);
    expect(await statusOf(toolsUrl, { host: `localhost:${port}` })).toBe(200);
    expect(await statusOf(toolsUrl, { host: 'evil.example' })).toBe(403);
    expect(await statusOf(toolsUrl, { host: `evil.example:${port}` })).toBe(403);
    expect(await statusOf(toolsUrl, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(toolsUrl, { origin: url })).toBe(200);
    expect(await statusOf(toolsUrl.replace(/.\/tools$/, '_/tools'))).toBe(404);
    expect(await statusOf(`${url}/t/${'a'.repeat(43)}/tools`)).toBe(404);
    expect(await statusOf(`${url}/`)).toBe(404);
    expect((await send(toolsUrl, undefined, { method: 'GET' })).status).toBe(405);
  });

  it('is called where its URL says, with a path before its own or without', async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const gateway = await serve({ url: 'https://agents.example/gate/', listen: `127.0.0.1:${String(port)}` });
    expect(gateway.url).toBe('https://agents.example/gate');
    const { pathname } = new URL(gateway.open(bindingWith()).toolsUrl);
    for (const path of [pathname, pathname.replace('/gate', '')]) {
      for (const host of ['agents.example', 'agents.example:443']) {
        const sent = await send(`http://127.0.0.1:${String(port)}${path}`, { name: 'x' }, { headers: { host } });
        expect(sent.status).toBe(200);
      }
    }
  });

  it.each([
    [{ url: 'gate.example' }, '--gateway-url'],
    [{ url: 'http://user:pass@gate.example:80' }, '--gateway-url'],
    [{ url: 'https://gate.example' }, 'TAUFLOW_GATEWAY_LISTEN'],
    [{ listen: '8400' }, 'TAUFLOW_GATEWAY_LISTEN'],
    [{ listen: '127.0.0.1:99999' }, 'TAUFLOW_GATEWAY_LISTEN'],
  ])('refuses the place %j', async (place, named) => {
    await expect(serve(place)).rejects.toThrow(named);
  });

  it('says that its port is taken', async () => {
    const { port } = new URL((await serve()).url);
    await expect(serve({ listen: `127.0.0.1:${port}` })).rejects.toThrow(/taken by another program/);
  });

  it('reads 4 MB of a body at most', async () => {
    const { toolsUrl } = (await serve()).open(bindingWith());
    const { status, body } = await send(toolsUrl, ' '.repeat(4_000_001)).catch(() => ({ status: 413, body: null }));
    expect(status).toBe(413);
    if (body !== null) expect(body).toMatchObject({ error: 'too_large' });
  });

  it('has 1,000 requests open', async () => {
    const gateway = await serve();
    const turns = Array.from({ length: 1_000 }, (_, at) =>
      gateway.open(bindingWith({ toolCall: () => Promise.resolve({ observation: String(at), done: false }) })),
    );
    for (const at of [0, 499, 999]) {
      expect((await send(turns[at]?.toolsUrl ?? '', { name: 'x' })).body).toEqual({
        observation: String(at),
        done: false,
      });
    }
    await Promise.all(turns.map((turn) => turn.close()));
    expect((await send(turns[0]?.toolsUrl ?? '', { name: 'x' })).status).toBe(409);
  });

  it('survives an agent that goes away in the middle of a call', async () => {
    const gateway = await serve();
    let end: (() => void) | undefined;
    const turn = gateway.open(
      bindingWith({
        toolCall: () => new Promise((resolve) => (end = () => resolve({ observation: 'late', done: false }))),
      }),
    );
    const { port, pathname } = new URL(turn.toolsUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 12\r\n\r\n`;
    socket.write(`${head}{"name":"x"}`);
    await expect.poll(() => end !== undefined).toBe(true);
    socket.destroy();
    end?.();
    await turn.close();
    expect((await send(gateway.open(bindingWith()).toolsUrl, { name: 'x' })).status).toBe(200);
  });
});
