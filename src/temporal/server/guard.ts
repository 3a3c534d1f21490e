/** Keeps a folder's local server running for a command that needs it longer than an instant. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServerError } from '../codec/index.ts';
import { ensureServer, type EnsureServerOptions, type LocalServer } from './ensure.ts';
import { inspectServer } from './inspect.ts';
import { isAlive } from './processes.ts';

/** How often its process is looked for, in ms: a look costs microseconds. */
const lookMs = 500;
/** `server stop` notes that the server was stopped just after its process has ended. */
const noteMs = 500;

/**
 * Watches the server's process, and starts the server again when it dies: same database, same ports, so clients and
 * workers find it again by themselves. A server that somebody has stopped stays stopped.
 *
 * @throws ServerError `unreachable` when it was stopped, or came back at another address; those of
 *   {@link ensureServer} when it cannot be started again; the signal's reason once that is aborted
 */
export async function guardServer(
  server: LocalServer,
  options: EnsureServerOptions,
  signal: AbortSignal,
): Promise<never> {
  const { onProgress = () => {} } = options;
  let { pid } = server;
  for (;;) {
    await delay(lookMs, undefined, { signal });
    if (await isAlive(pid)) continue;
    await delay(noteMs, undefined, { signal });
    const { server: state } = await inspectServer(options);
    if (state.kind === 'none') {
      throw new ServerError('unreachable', `the local Temporal server at ${server.address} was stopped`);
    }
    onProgress(`the local Temporal server (pid ${pid}) has died`);
    const revived = await ensureServer(options);
    if (revived.address !== server.address) {
      throw new ServerError(
        'unreachable',
        `the local Temporal server has moved from ${server.address}, which another program took, to ${revived.address}`,
      );
    }
    onProgress('it runs again; the sweep goes on');
    pid = revived.pid;
  }
}
