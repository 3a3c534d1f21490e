/** A real S3 server on this machine, moto's, where Python has it, and a proxy before it that counts, fails and holds. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import getPort from 'get-port';

import { LOOPBACK, closeServer, listenOnLoopback } from '../../../src/io/index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { findPython } from '../../helpers/python.ts';

/** A Python that has moto's server; null where there is none. */
export const motoPython = (): string | null => findPython('MOTO_PYTHON', 'tests with an S3 server');

export interface Running {
  /** `http://127.0.0.1:5000` */
  readonly address: string;
  close(): Promise<void>;
}

export async function startMoto(python: string): Promise<Running> {
  const port = await getPort({ host: LOOPBACK });
  const args = ['-m', 'moto.server', '-H', LOOPBACK, '-p', String(port)];
  const child = spawn(python, args, { cwd: tmpdir(), stdio: 'ignore' });
  const address = `http://${LOOPBACK}:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error('moto has ended');
    await fetch(`${address}/moto-api/data.json`);
  });
  return {
    address,
    close: async () => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/**
 * Treatment of a request: it is passed on, refused unseen, passed on with its answer replaced by a refusal, cut in the
 * middle of its answer, passed on and never answered, or never answered unseen.
 */
export type Fate = 'pass' | 'refuse' | 'lose answer' | 'cut answer' | 'hold answer' | 'hold';

export interface Proxy extends Running {
  /** `GET`, `PUT`, …, each as often as it was asked for; listings are `LIST`. */
  readonly counts: Map<string, number>;
  fate: (method: string, request: IncomingMessage) => Fate;
}

/** @param target address of the server behind it */
export async function startProxy(target: string): Promise<Proxy> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const method = methodOf(request);
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const fate = proxy.fate(method, request);
    if (fate === 'hold') return;
    if (fate === 'refuse') {
      request.resume().on('end', () => refuse(response));
      return;
    }
    const { method: verb, url, headers } = request;
    const onward = send(`${target}${url ?? ''}`, { method: verb, headers }, (answer) => {
      if (fate === 'hold answer') {
        answer.resume();
        return;
      }
      if (fate === 'lose answer') {
        answer.resume().on('end', () => refuse(response));
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fate === 'pass') answer.pipe(response);
      else answer.once('data', (piece: Buffer) => response.write(piece.subarray(0, 5), () => response.destroy()));
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const address = await listenOnLoopback(server, 0);
  const proxy: Proxy = { address, counts, fate: () => 'pass', close: () => closeServer(server) };
  return proxy;
}

function methodOf({ method = '', url = '' }: IncomingMessage): string {
  return method === 'GET' && url.includes('list-type=2') ? 'LIST' : method;
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/xml' });
  response.end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate</Message></Error>');
}

/** Variables with which Amazon's client asks the store, and nobody for credentials. */
export function storeEnv({ address }: Pick<Running, 'address'>): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: address,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}
