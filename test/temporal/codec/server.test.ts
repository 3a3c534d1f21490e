import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { EncryptionCodec, readKeyRing, listOrigins, startCodecServer } from '../../../src/temporal/codec/index.ts';

const UI = 'http://127.0.0.1:8233';
const keysOf = (value: string) => readKeyRing({ TAUFLOW_ENCRYPTION_KEY: value });
const codec = new EncryptionCodec(keysOf(`a:${randomBytes(32).toString('base64')}`));
let server: Awaited<ReturnType<typeof startCodecServer>>;

beforeAll(async () => {
  server = await startCodecServer({ codec, port: 0, origins: new Set(listOrigins(UI)) });
});
afterAll(() => server.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** A payload as the UI sends it. */
const plain = { metadata: { encoding: base64('json/plain') }, data: base64('"hello"') };

async function post(path: string, body: unknown, headers: Record<string, string> = { Origin: UI }) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Namespace': 'default', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Json };
}
/** The status of a request as it is written: `fetch` would put odd paths in order. */
async function statusOf(requestLine: string, body: string): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.end(`${requestLine}\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'close');
  return Number(/^HTTP\/1.1 (\d+) /.exec(answer)?.[1]);
}

interface Json {
  readonly payloads?: readonly unknown[];
  readonly message?: string;
}

describe('the codec endpoint', () => {
  it('encodes and decodes in the protocol of remote codecs', async () => {
    const encoded = await post('/encode', { payloads: [plain, plain] });
    expect(encoded.status).toBe(200);
    expect(encoded.json.payloads).toHaveLength(2);
    expect(encoded.json.payloads?.[0]).toMatchObject({
      metadata: { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('a') },
    });
    const decoded = await post('/decode', { payloads: [...(encoded.json.payloads ?? []), plain] });
    expect(decoded.json).toEqual({ payloads: [plain, plain, plain] });
    expect((await post('/decode', { payloads: [] })).json).toEqual({ payloads: [] });
  });

  it("answers the UI's pages, and lets the browser ask first", async () => {
    for (const origin of [UI, 'http://localhost:8233']) {
      const asked = await fetch(`${server.url}/decode`, { method: 'OPTIONS', headers: { Origin: origin } });
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
      expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-namespace');
      const decoded = await post('/decode', { payloads: [plain] }, { Origin: origin });
      expect(decoded.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it("answers programs of this machine, and no other page, also not one that has the UI's name in its own", async () => {
    expect((await post('/decode', { payloads: [plain] }, {})).status).toBe(200);
    for (const origin of ['http://evil.example', `${UI}.evil.example`, 'http://127.0.0.1:8234', 'null']) {
      const refused = await post('/decode', { payloads: [plain] }, { Origin: origin });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
      expect(refused.json).toEqual({ message: expect.stringContaining('are not answered') as string });
      const asked = await fetch(`${server.url}/decode`, { method: 'OPTIONS', headers: { Origin: origin } });
      expect(asked.status).toBe(403);
    }
  });

  it('says what is wrong with a request', async () => {
    expect((await post('/other', { payloads: [] })).status).toBe(404);
    const read = await fetch(`${server.url}/decode`);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await post('/decode', { payloads: [] }, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    for (const body of ['', '{', '[]', 'null', '{"payloads": {}}', '{"payloads": ["x"]}', '{"payloads": [null]}']) {
      expect((await post('/decode', body)).status, body).toBe(400);
    }
  });

  it.each(['/', '//', '///', '//decode', '/decode/', '/decode//', '/%', '/decode%', '//[', '/constructor', '/?', '*'])(
    'knows no path %s',
    async (path) => {
      expect(await statusOf(`POST ${path} HTTP/1.1`, '{"payloads": []}')).toBe(404);
      expect(await statusOf(`GET ${path} HTTP/1.1`, '')).toBe(404);
    },
  );

  it.each(['/decode', '/decode?x=//', '/decode#//', 'http://127.0.0.1/decode'])(
    'takes %s for /decode',
    async (path) => {
      expect(await statusOf(`POST ${path} HTTP/1.1`, '{"payloads": []}')).toBe(200);
    },
  );

  it('never blames itself for a body', async () => {
    const bodies = [
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
      Buffer.from('\ufeff{"payloads": 1}'),
      Buffer.from('{"payloads": [{"data": "§§"}]}'),
      Buffer.from('{"payloads": [{"metadata": 5}]}'),
      Buffer.from('{"payloads": [{"metadata": {"encoding": {"a": 1}}}]}'),
      Buffer.from(`{"payloads": ${'['.repeat(200_000)}`),
      Buffer.from(`{"payloads": [${'{"metadata":'.repeat(100_000)}`),
    ];
    for (const path of ['/decode', '/encode']) {
      for (const body of bodies) {
        const response = await fetch(`${server.url}${path}`, { method: 'POST', body });
        expect([200, 400], body.toString().slice(0, 50)).toContain(response.status);
      }
    }
    const damaged = { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('a') };
    for (const data of ['', base64('short'), base64('long enough to hold a tag, and still of no use')]) {
      expect((await post('/decode', { payloads: [{ metadata: damaged, data }] })).status).toBe(422);
    }
  });

  it('says which key it lacks', async () => {
    const other = new EncryptionCodec(keysOf(`b:${randomBytes(32).toString('base64')}`));
    const [payload] = await other.encode([{ metadata: {}, data: new Uint8Array() }]);
    const metadata = { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('b') };
    const refused = await post('/decode', {
      payloads: [{ metadata, data: Buffer.from(payload?.data ?? []).toString('base64') }],
    });
    expect(refused.status).toBe(422);
    expect(refused.json.message).toMatch(/encrypted with the key b and the keys of this process are: a;/);
  });

  it('reads no body beyond its bound', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', () => undefined);
    socket.write('POST /decode HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 9; i++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('larger than 8388608 bytes');
  });

  it('listens on loopback only, and says so when its port is taken', async () => {
    const { hostname, port } = new URL(server.url);
    expect(hostname).toBe('127.0.0.1');
    await expect(startCodecServer({ codec, port: Number(port), origins: new Set() })).rejects.toThrow(
      `port ${port} is taken by another program; choose another with --port`,
    );
  });
});
