/** `tauflow view` as a command: the port, the flags, and the address that it prints. */

import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';

import { runProgram, exitOnClosedOutput } from '../../src/cli/testing.ts';
import { eventually } from '../helpers/eventually.ts';
import { makeViewedRun } from '../viewer/viewed.ts';
import { expectSentence, inProcessContext, scratchFolder, tauflow } from './in-process.ts';

describe('view', () => {
  it('refuses what is no port, a port that another program has, and what is no address of a UI', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expectSentence(await tauflow(['view', '--port', '65536']), 2, /--port must be a whole number from 0 to 65535/);
    expectSentence(
      await tauflow(['view', '--port', `${port}`]),
      2,
      new RegExp(`port ${port} is taken by another program`),
    );
    expectSentence(await tauflow(['view', '--temporal-ui', 'javascript:1']), 2, /--temporal-ui must be a web address/);
  });

  it('refuses a log folder that is not there, if it is named', async () => {
    expectSentence(await tauflow(['view', '--log-dir', 'typo']), 2, /there is no folder typo; name the log folder/);
  });

  it('serves the runs of the log folder until it is interrupted', async () => {
    const cwd = scratchFolder();
    await makeViewedRun(`${cwd}/results`, 'mine');
    const words = ['view', '--port', '0', '--temporal-ui', 'http://127.0.0.1:8233/'];
    const { context, ended } = inProcessContext(words, { cwd });
    const running = runProgram(words, context);
    let url = '';
    await eventually(() => {
      url =
        /^(http:\/\/127\.0\.0\.1:\d+) shows the runs in results; press Ctrl-C to stop$/.exec(ended().stdout)?.[1] ?? '';
      expect(url).not.toBe('');
      return Promise.resolve();
    });
    expect(await (await fetch(`${url}/api/runs`)).json()).toMatchObject({
      logDir: `${cwd}/results`,
      runs: [{ id: 'mine' }],
    });
    expect(await (await fetch(`${url}/api/runs/mine`)).json()).toMatchObject({
      sweepUrl: 'http://127.0.0.1:8233/namespaces/default/workflows/mine',
    });
    // A link from Temporal UI leads on, unless another program of this machine has the port.
    if (!ended().stderr.includes('port 8235, which another program has')) {
      const link = await fetch('http://127.0.0.1:8235/', { redirect: 'manual' });
      expect([link.status, link.headers.get('location')]).toEqual([302, `${url}/`]);
    }
    // As Ctrl-C does.
    exitOnClosedOutput();
    await running;
    expect(ended().code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });
});
