import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/index.ts';
import { serveHealth } from '../../src/host/index.ts';
import type { HealthSource } from '../../src/host/testing.ts';

const WORKING: HealthSource = { state: () => ({ calls: 3, isEnding: false }), ask: () => Promise.resolve({}) };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function probes(source: HealthSource) {
  const port = await freePort();
  closing.push(await serveHealth({ TAUFLOW_HEALTH: `127.0.0.1:${port}` }, source));
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, body: (await response.json()) as object };
  };
}

describe('probes of a worker', () => {
  it('say that it works and takes work', async () => {
    const get = await probes(WORKING);
    const good = { status: 200, body: { status: 'working', calls: 3 } };
    expect(await get('/healthz')).toEqual(good);
    expect(await get('/readyz')).toEqual(good);
  });

  it('take no work while it ends, and let what is under way be finished', async () => {
    const get = await probes({ ...WORKING, state: () => ({ calls: 1, isEnding: true }) });
    expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ending', calls: 1 } });
    expect((await get('/readyz')).status).toBe(503);
  });

  it('take no work without a server, which is no reason to end the process', async () => {
    const get = await probes({ ...WORKING, ask: () => Promise.reject(new Error('14 UNAVAILABLE\n at …')) });
    expect((await get('/healthz')).status).toBe(200);
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'waiting', problem: 'the Temporal server: 14 UNAVAILABLE' },
    });
  });

  it('answer nothing else', async () => {
    const get = await probes(WORKING);
    expect((await get('/')).status).toBe(404);
    expect((await get('/healthz', { method: 'POST' })).status).toBe(404);
  });

  it('are not served without an address', async () => {
    const close = await serveHealth({}, WORKING);
    await expect(close()).resolves.toBeUndefined();
  });

  it('are not served at an address that is none, or that is taken', async () => {
    await expect(serveHealth({ TAUFLOW_HEALTH: 'everywhere:80' }, WORKING)).rejects.toThrow(
      'TAUFLOW_HEALTH must be an IP address and a port',
    );
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    closing.push(async () => {
      taken.close();
      await once(taken, 'close');
    });
    const { port } = taken.address() as AddressInfo;
    const served = serveHealth({ TAUFLOW_HEALTH: `127.0.0.1:${port}` }, WORKING);
    await expect(served).rejects.toThrow(UsageError);
    await expect(served).rejects.toThrow(`TAUFLOW_HEALTH: probes cannot be answered at 127.0.0.1:${port}`);
  });
});
