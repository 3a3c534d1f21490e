/** Another folder's server at the address of a folder's own: workers stop instead of doing its work. */

import { setTimeout as delay } from 'node:timers/promises';

import { Connection } from '@temporalio/client';
import { afterAll, describe, expect, it } from 'vitest';

import { findOrStart } from '../../../src/temporal/server/ensure.ts';
import { watchIdentity } from '../../../src/temporal/server/state.ts';
import { endAll, kill, makeFolder, startOnOwnPorts } from './local-servers.ts';

afterAll(endAll);

describe('the identity of a local server', { timeout: 120_000 }, () => {
  it('stays over a restart, and is lost to another folder’s server', async () => {
    const mine = await makeFolder();
    const { port, uiPort, pid, address } = await startOnOwnPorts(mine);
    const connection = await Connection.connect({ address });
    const watch = await watchIdentity(connection, address, 'default');
    await watch.confirm();

    await kill(pid);
    const { server: back } = await findOrStart({ ...mine, ports: { port, uiPort } });
    await watch.confirm();

    await kill(back.pid);
    await findOrStart({ ...(await makeFolder()), ports: { port, uiPort } });
    await expect(watch.lost).rejects.toThrow(/that of another folder has its address 127\.0\.0\.1:\d+ now/);
    await expect(watch.confirm()).rejects.toMatchObject({ type: 'OtherServer', nonRetryable: false });
    await connection.close();
  });

  it('lets work wait while the server is away', async () => {
    const mine = await makeFolder();
    const { port, uiPort, pid, address } = await startOnOwnPorts(mine);
    const connection = await Connection.connect({ address });
    const watch = await watchIdentity(connection, address, 'default');
    await kill(pid);
    const waits = () => Promise.race([watch.confirm().then(() => false), delay(300).then(() => true)]);
    await expect.poll(waits).toBe(true);
    const confirmed = watch.confirm();
    await findOrStart({ ...mine, ports: { port, uiPort } });
    await confirmed;
    watch.stop();
    await connection.close();
  });
});
