/** A port that another has is one sentence; to tell it, `server` looks first for the program that it would start. */

import { createServer } from 'node:net';
import { describe, it } from 'vitest';

import { expectSentence, tauflow } from './in-process.ts';

describe('a port in use', () => {
  async function withTakenPort(body: (port: string) => Promise<void>): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1' }, resolve);
    });
    const address = server.address();
    try {
      await body(String(typeof address === 'object' ? address?.port : ''));
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('is reported by scripted-model', async () => {
    await withTakenPort(async (port) => {
      expectSentence(await tauflow(['scripted-model', '--port', port]), 2, new RegExp(`port ${port} of .* is in use`));
    });
  });

  it('is reported by server', async () => {
    await withTakenPort(async (port) => {
      expectSentence(await tauflow(['server', '--port', port]), 2, new RegExp(`port ${port} is taken by another`));
    });
  });
});
