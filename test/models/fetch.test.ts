import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/models/providers.ts';
import { createModelFetch } from '../../src/models/testing.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A provider at a name that only the proxy knows. */
async function behindProxy() {
  const provider = await listening(createServer((_, response) => response.end('{"answer": 1}')));
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const [host = '', port] = provider.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    // Whichever end closes first, the other has nothing more to say.
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return { provider, asked, proxy: `http://${await listening(proxy)}` };
}

describe('the route of model calls', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('leads through the proxy of %s', async (name) => {
    const { asked, proxy } = await behindProxy();
    const response = await createModelFetch({ [name]: proxy })('http://models.example.invalid/v1');
    expect(await response.json()).toEqual({ answer: 1 });
    expect(asked).toEqual(['models.example.invalid:80']);
  });

  it('avoids the proxy for servers on this machine and in NO_PROXY', async () => {
    const { provider, asked, proxy } = await behindProxy();
    const response = await createModelFetch({ HTTP_PROXY: proxy })(`http://${provider}/v1`);
    expect(response.status).toBe(200);
    for (const NO_PROXY of ['.example.invalid', '*']) {
      await expect(
        createModelFetch({ HTTP_PROXY: proxy, NO_PROXY })('http://models.example.invalid:1/'),
      ).rejects.toThrow();
    }
    expect(asked).toEqual([]);
  });

  it.each([
    ['example.invalid', 'a.models.example.invalid'],
    ['.example.invalid', 'example.invalid'],
    ['*.example.invalid', 'models.example.invalid'],
    ['EXAMPLE.invalid:1', 'models.example.invalid'],
    ['other.invalid example.invalid', 'models.example.invalid'],
    ['other.invalid, *', 'models.example.invalid'],
    ['10.0.0.0/8, 192.0.2.0/24', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::/32', '[2001:db8:1::7]'],
  ])('avoids the proxy by NO_PROXY=%s for %s', async (NO_PROXY, host) => {
    const { asked, proxy } = await behindProxy();
    const stop = AbortSignal.timeout(200);
    const call = createModelFetch({ HTTP_PROXY: proxy, no_proxy: NO_PROXY })(`http://${host}:1/`, { signal: stop });
    await expect(call).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it.each([
    ['example.invalid', 'models-example.invalid'],
    ['example.invalid:2', 'models.example.invalid'],
    ['10.0.0.0/8', '192.0.2.7'],
    ['10.0.0.0/99, nonsense/8, /, 192.0.2.0', '192.0.2.7'],
  ])('leads through the proxy in spite of NO_PROXY=%s for %s', async (NO_PROXY, host) => {
    const { asked, proxy } = await behindProxy();
    const response = await createModelFetch({ HTTP_PROXY: proxy, NO_PROXY })(`http://${host}:1/`);
    expect(response.status).toBe(200);
    expect(asked).toEqual([`${host}:1`]);
  });

  it('is refused for an invalid proxy, without its password', () => {
    const make = () => createModelFetch({ HTTPS_PROXY: 'socks9://me:secret@proxy' });
    expect(make).toThrow(ProviderError);
    expect(make).toThrow('HTTPS_PROXY is not the address of a proxy; write it as http://host:port');
  });
});

describe('the answer to a request', () => {
  it("comes from the redirection's target, for the same request", async () => {
    const told: string[] = [];
    const provider = await listening(
      createServer((request, response) => {
        request.on('data', (part: Buffer) => told.push(`${String(request.method)} ${String(part)}`));
        request.on('end', () => response.end('{"answer": 1}'));
      }),
    );
    const gateway = await listening(
      createServer((_, response) => response.writeHead(307, { location: `http://${provider}/v2` }).end()),
    );
    const response = await createModelFetch({})(`http://${gateway}/v1`, { method: 'POST', body: '{"question": 1}' });
    expect(await response.json()).toEqual({ answer: 1 });
    expect(told).toEqual(['POST {"question": 1}']);
  });

  it('is the last one of endless redirections', async () => {
    let asked = 0;
    const gateway = await listening(
      createServer((request, response) => {
        asked += 1;
        response.writeHead(308, { location: `${String(request.url)}/on` }).end('elsewhere');
      }),
    );
    const response = await createModelFetch({})(`http://${gateway}/v1`, { method: 'POST', body: '{}' });
    expect([response.status, response.ok, await response.text()]).toEqual([308, false, 'elsewhere']);
    expect(asked).toBe(6);
  });

  it.each([301, 302, 303])('has the new address: %i', async (status) => {
    const told: string[] = [];
    const gateway = await listening(
      createServer((request, response) => {
        told.push(request.method ?? '');
        response.writeHead(status, { location: 'https://models.example/v1?key=secret' }).end();
      }),
    );
    const response = await createModelFetch({})(`http://${gateway}/v1`, { method: 'POST', body: '{}' });
    expect(told).toEqual(['POST']);
    expect(await response.json()).toEqual({
      error: {
        message: "the address redirects to https://models.example/v1; give the provider's address as it is there",
        code: 'redirected',
      },
    });
  });

  it('does not come from another server that would get the key', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listening(
      createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.end('{}');
      }),
    );
    const gateway = await listening(
      createServer((_, response) => void response.writeHead(307, { location: `http://${other}/` }).end()),
    );
    const headers = { authorization: 'Bearer secret' };
    await createModelFetch({})(`http://${gateway}/`, { method: 'POST', body: '{}', headers });
    expect(seen).toEqual([undefined]);
  });

  it('has its headers, is decoded, and is complete in every form', async () => {
    const provider = await listening(
      createServer((request, response) => {
        response.writeHead(418, { 'x-asked': request.headers['accept-encoding'], 'set-cookie': ['a=1', 'b=2'] });
        response.end('"tea"');
      }),
    );
    const response = await createModelFetch({})(`http://${provider}/`);
    expect([response.headers.get('x-asked'), response.headers.getSetCookie()]).toEqual(['identity', ['a=1', 'b=2']]);
    expect([response.status, response.statusText]).toEqual([418, "I'm a Teapot"]);
    const copy = response.clone();
    expect([
      await response.text(),
      await copy.arrayBuffer().then((bytes) => Buffer.from(bytes).toString()),
      copy.status,
    ]).toEqual(['"tea"', '"tea"', 418]);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is decoded if a gateway encodes it nevertheless: %s', async (encoding, encode) => {
    const provider = await listening(
      createServer((_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(encode('{"answer": "¥"}'));
      }),
    );
    const response = await createModelFetch({})(`http://${provider}/`);
    expect(await response.json()).toEqual({ answer: '¥' });
  });

  it('is refused if it cannot be decoded, or exceeds its limit then', async () => {
    const bodies = [gzipSync(Buffer.alloc(17 * 1024 * 1024, 'a')), Buffer.from('no gzip')];
    const provider = await listening(
      createServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bodies.shift())),
    );
    const call = () => createModelFetch({})(`http://${provider}/`);
    await expect(call()).rejects.toThrow("the provider's answer is larger than 16777216 bytes");
    await expect(call()).rejects.toThrow("the provider's answer cannot be decoded as gzip");
  });

  it('keeps the status of an error whose body cannot be decoded, or is too long', async () => {
    const bodies = [Buffer.from('no gzip'), gzipSync(Buffer.alloc(1024 * 1024, 'a')), gzipSync('{"error": "busy"}')];
    const provider = await listening(
      createServer((_, response) => response.writeHead(429, { 'content-encoding': 'gzip' }).end(bodies.shift())),
    );
    for (const text of ['', '', '{"error": "busy"}']) {
      const response = await createModelFetch({})(`http://${provider}/`);
      expect([response.status, await response.text()]).toEqual([429, text]);
    }
  });

  it.each(['constructor', '__proto__', 'zstd'])('is unchanged if its encoding is unknown: %s', async (encoding) => {
    const provider = await listening(
      createServer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('{"answer": 1}')),
    );
    const response = await createModelFetch({})(`http://${provider}/`);
    expect(await response.json()).toEqual({ answer: 1 });
  });
});
