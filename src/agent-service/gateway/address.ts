/** Addresses of the gateway: where it listens, the base of the URLs for agents, and whose requests it answers. */

import type { Server } from 'node:http';
import { UsageError } from '../../errors/index.ts';
import { LOOPBACK, listen } from '../../io/index.ts';

export interface GatewayPlace {
  /** Base URL for agents on other machines (`--gateway-url`). @default only loopback, at a free port */
  readonly url?: string;
  /** `HOST:PORT` to listen on (`TAUFLOW_GATEWAY_LISTEN`). @default all interfaces at the URL's port */
  readonly listen?: string;
}

export interface ListeningAt {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Path of the URL, which a proxy may have removed. */
  readonly prefix: string;
  /** Values of `Host` that are answered. */
  readonly hosts: ReadonlySet<string>;
}

/** @throws UsageError for an invalid address, and for one that is in use */
export async function listenAt(server: Server, place: GatewayPlace): Promise<ListeningAt> {
  const { base, host, port } = parsePlace(place);
  let bound: number;
  try {
    bound = await listen(server, { port, host: host === '' ? undefined : host });
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'the port is taken by another program' : code;
    throw new UsageError(
      `The gateway cannot listen on ${host === '' ? 'all interfaces' : host}, port ${port}: ${why}; ` +
        'choose another address with --gateway-url or TAUFLOW_GATEWAY_LISTEN.',
    );
  }
  const own = isWildcard(host) ? LOOPBACK : host;
  const url = base ?? new URL(`http://${own.includes(':') ? `[${own}]` : own}:${bound}`);
  const prefix = url.pathname.replace(/\/$/, '');
  const port80 = url.port === '' ? [`${url.hostname}:${url.protocol === 'https:' ? 443 : 80}`] : [];
  const local = [LOOPBACK, 'localhost', '[::1]'].map((name) => `${name}:${bound}`);
  return { url: `${url.origin}${prefix}`, prefix, hosts: new Set([url.host, ...port80, ...local]) };
}

/**
 * Parses an address before anything listens there.
 * @throws UsageError for an invalid address
 */
export function parsePlace({ url, listen }: GatewayPlace) {
  const base = url === undefined ? null : readUrl(url);
  return { base, ...(listen === undefined ? besideUrl(base) : readListen(listen)) };
}

function isWildcard(host: string): boolean {
  return host === '' || host === '0.0.0.0' || host === '::';
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--gateway-url ${text} is no base URL; write it as http://HOST:PORT.`);
  }
  return url;
}

function besideUrl(url: URL | null): { readonly host: string; readonly port: number } {
  if (url === null) return { host: LOOPBACK, port: 0 };
  if (url.protocol === 'https:') {
    throw new UsageError(
      `The gateway speaks http, and --gateway-url is https: set TAUFLOW_GATEWAY_LISTEN to the HOST:PORT that the proxy calls.`,
    );
  }
  return { host: '', port: Number(url.port === '' ? 80 : url.port) };
}

function readListen(text: string): { readonly host: string; readonly port: number } {
  const { host = '', port = '' } = /^(?<host>[^:\s/]+|\[[\da-f:]+\]):(?<port>\d{1,5})$/i.exec(text)?.groups ?? {};
  if (host === '' || Number(port) > 65_535) {
    throw new UsageError(`TAUFLOW_GATEWAY_LISTEN ${text} is no address; write it as HOST:PORT.`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/**
 * Path below the MCP address with the tool that speaks to the user. It ends in `/mcp`, because some clients, such as
 * MCP Inspector's command line, replace any other path by `/mcp`.
 */
export const WITH_USER = '/user/mcp';
