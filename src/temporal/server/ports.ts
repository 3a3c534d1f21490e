/** The ports of a folder's server. */

import { setTimeout as delay } from 'node:timers/promises';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import { VIEW_PORT } from '../../episode/index.ts';
import { ServerError } from '../errors.ts';

export const LOOPBACK = '127.0.0.1';
export const DEFAULT_PORT = 7233;
export const DEFAULT_UI_PORT = 8233;
/** Port of the endpoint that decrypts payloads for Temporal UI. */
export const DEFAULT_CODEC_PORT = 8234;

/** Number of attempts to find a wanted port free; a server that was just killed may still have it for a moment. */
const ATTEMPTS = 4;
const RETRY_MS = 50;

export interface Ports {
  readonly port: number;
  readonly uiPort: number;
}

/**
 * Chooses the ports: the preferred ones if they are free, otherwise other ports.
 * @throws ServerError `port-taken` when an `explicit` port is taken
 */
export async function choosePorts(explicit: Partial<Ports>, preferred: Ports): Promise<Ports> {
  const port = await choosePort(explicit.port, preferred.port, DEFAULT_PORT, [explicit.uiPort ?? preferred.uiPort]);
  const uiPort = await choosePort(explicit.uiPort, preferred.uiPort, DEFAULT_UI_PORT, [
    port,
    DEFAULT_CODEC_PORT,
    VIEW_PORT,
  ]);
  return { port, uiPort };
}

async function choosePort(
  explicit: number | undefined,
  preferred: number,
  usual: number,
  exclude: number[],
): Promise<number> {
  const wanted = explicit ?? preferred;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    // The library does not name the same port again for a while; a server restarts within that time.
    clearLockedPorts();
    if ((await getPort({ port: wanted })) === wanted) return wanted;
    if (attempt < ATTEMPTS) await delay(RETRY_MS);
  }
  if (explicit !== undefined) {
    throw new ServerError('port-taken', `port ${explicit} is taken by another program; choose another or leave it out`);
  }
  // Near the default port. The system uses its own range for connecting programs and the server's internal services, so
  // a port from that range could be taken before the server binds it, or when it restarts.
  return getPort({ port: portNumbers(usual, usual + 700), exclude });
}
