/**
 * Connects to Temporal: to the configured server, otherwise to the folder's local one. The configuration is Temporal's
 * own (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS_*`, the profile file), so the same
 * settings connect the `temporal` command.
 */

import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, type ClientOptions } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { msToTs } from '../sdk-internals/index.ts';
import { firstLine } from '../../errors/index.ts';
import { isLoopback } from '../../io/index.ts';
import { ServerError, grpc, grpcStatus } from '../errors.ts';
import { clientDataConverter, readKeyRing, workerDataConverter, type KeyRing } from '../codec/index.ts';
import {
  ensureServer,
  findServer,
  findStateDir,
  readRecord,
  toLocalServer,
  watchIdentity,
  type EnsureServerOptions,
  type IdentityWatch,
  type LocalServer,
  withoutProxy,
} from '../server/index.ts';

export interface ConnectOptions extends EnsureServerOptions {
  /** Profile in Temporal's configuration file. @default `TEMPORAL_PROFILE`, else `default` */
  readonly profile?: string;
  /** What to do if no server is configured: start the local server, or only use a running one. @default 'start' */
  readonly local?: 'start' | 'find';
  /** Called with a sentence if a configured server does not answer for a few seconds. */
  readonly onWait?: (sentence: string) => void;
  /** Further options of the client, such as interceptors. */
  readonly client?: Omit<ClientOptions, 'connection' | 'namespace' | 'dataConverter'>;
}

/** An open connection, which the caller has to close. */
export interface TemporalConnection {
  readonly connection: Connection;
  readonly client: Client;
  /** Options of a worker's `NativeConnection.connect`. They contain the key: never print them. */
  readonly native: NativeConnectionOptions;
  /** Keys that encrypt payloads; empty: payloads are not encrypted. */
  readonly keys: KeyRing;
  /** Data converter of a worker, the same as the client's. */
  readonly dataConverter: DataConverter;
  /** Address of the server: `host:port`. */
  readonly address: string;
  readonly namespace: string;
  /** Address of Temporal UI; null if unknown. */
  readonly uiUrl: string | null;
  readonly origin: 'configured' | 'local';
  /** The local server; null for a configured one. */
  readonly server: LocalServer | null;
  readonly close: () => Promise<void>;
}

/** Watches if the folder's local server still exists; undefined for a configured server. */
export async function watchLocalServer({
  connection,
  address,
  namespace,
  origin,
}: TemporalConnection): Promise<IdentityWatch | undefined> {
  return origin === 'local' ? watchIdentity(connection, address, namespace) : undefined;
}

/** The address and options in Temporal's environment configuration. */
interface ConfiguredTarget {
  /** Configured address; null if there is none, so that the local server is used. */
  readonly address: string | null;
  readonly namespace: string;
  /** Options of the connection. They contain the key: never print them. */
  readonly options: NativeConnectionOptions;
}

const DEFAULT_NAMESPACE = 'default';
const CONNECT_TIMEOUT_MS = 10_000;
/** Time for which a port may refuse connections, in ms; a started server listens sooner. */
const REFUSED_FOR_MS = 3_000;
/** Time after which a waiting command prints the reason, in ms. */
const NOTICE_AFTER_MS = 5_000;
const PROBE_TIMEOUT_MS = 1_000;

/** Longest time until a new namespace is known to the whole server, in ms; usually a second or two. */
const NAMESPACE_TIMEOUT_MS = 30_000;

/**
 * Retention of the namespaces that Tauflow creates on a local server, during which users can view episodes there.
 * Results are in the run log.
 */
const RETENTION = '30 days';

/**
 * @throws ServerError `unreachable`, `not-authorised`, `namespace-missing`, `bad-configuration`, and those of
 *   `ensureServer`
 */
export async function connect(options: ConnectOptions): Promise<TemporalConnection> {
  const target = readConfiguration(options.env, options.profile);
  const keys = readKeyRing(options.env);
  const server = target.address === null ? await localServer(options) : null;
  const address = server?.address ?? target.address ?? '';
  // Key and certificates belong to the configured server; the local one has none.
  const native: NativeConnectionOptions = {
    ...(server === null ? target.options : { address }),
    // Workers compress by default, which wastes CPU time without a network in between.
    ...(isLoopback(address) ? { grpcCompression: { codec: 'none' } } : {}),
  };
  const { namespace } = target;

  if (server === null) options.onProgress?.(`connecting to ${address}`);
  const connection = await open(address, native, options.onWait);
  try {
    await requireNamespace(connection, namespace, {
      address,
      isLocal: server !== null,
      onProgress: options.onProgress,
    });
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    connection,
    client: new Client({ ...options.client, dataConverter: clientDataConverter(keys), connection, namespace }),
    native,
    keys,
    dataConverter: workerDataConverter(keys),
    address,
    namespace,
    uiUrl: server?.uiUrl ?? cloudUi(address),
    origin: server === null ? 'configured' : 'local',
    server,
    close: () => connection.close(),
  };
}

/**
 * Reads Temporal's environment configuration; connects to nothing.
 *
 * @throws ServerError `bad-configuration` for an unknown profile or a file that cannot be read
 */
export function readConfiguration(env: NodeJS.ProcessEnv, profile?: string): ConfiguredTarget {
  const file = env['TEMPORAL_CONFIG_FILE'];
  if (file !== undefined && file !== '' && !existsSync(file)) {
    // The library would ignore it, and the sweep would run on another server than intended.
    throw new ServerError(
      'bad-configuration',
      `TEMPORAL_CONFIG_FILE names ${file}, which is not there; correct it or unset it`,
    );
  }
  let config: ClientConnectConfig;
  try {
    config = loadClientConnectConfig({ overrideEnvVars: definedOnly(env), ...(profile !== undefined && { profile }) });
  } catch (error) {
    // The message and the cause are left out, because a parser quotes lines of the file, which may contain a key.
    throw new ServerError(
      'bad-configuration',
      `Temporal's configuration cannot be used (${firstLine(error)}); correct TEMPORAL_PROFILE, the TEMPORAL_* variables or the file that TEMPORAL_CONFIG_FILE names`,
    );
  }
  const { address, ...rest } = config.connectionOptions;
  const isSet = address !== undefined && address !== '';
  return {
    address: isSet ? address : null,
    namespace: config.namespace === undefined || config.namespace === '' ? DEFAULT_NAMESPACE : config.namespace,
    options: isSet ? definedOnly({ address, ...rest }) : {},
  };
}

async function localServer(options: ConnectOptions): Promise<LocalServer> {
  if (options.local !== 'find') return ensureServer(options);
  const server = await findServer(options.workDir);
  if (server !== null) return server;
  throw new ServerError(
    'unreachable',
    `no Temporal server runs for ${options.workDir}; start one with \`tauflow server\` or set TEMPORAL_ADDRESS`,
  );
}

async function open(
  address: string,
  options: NativeConnectionOptions,
  onWait: ConnectOptions['onWait'],
): Promise<Connection> {
  const { tls, apiKey, metadata } = options;
  const notice = setTimeout(() => onWait?.(`connecting to ${address}`), NOTICE_AFTER_MS);
  const isOver = new AbortController();
  const attempt = Connection.connect({
    address,
    ...withoutProxy(address),
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(metadata !== undefined && { metadata }),
  });
  try {
    const connection = await Promise.race([attempt, givenUp(address, isOver.signal)]);
    if (connection !== null) return connection;
    // A connection that is made later is not needed any more.
    attempt.then((late) => late.close()).catch(() => undefined);
  } catch (error) {
    if (isRefusal(error)) throw notAuthorised(address);
  } finally {
    clearTimeout(notice);
    isOver.abort();
  }
  throw new ServerError('unreachable', await unreachableSentence(address, options));
}

/** Resolves when no answer can be expected: no process has listened for a while, or the time limit is reached. */
async function givenUp(address: string, signal: AbortSignal): Promise<null> {
  const startedAt = performance.now();
  for (;;) {
    await delay(250, undefined, { signal });
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= CONNECT_TIMEOUT_MS) return null;
    if (waitedMs >= REFUSED_FOR_MS && (await probePort(address)) === 'refused') return null;
  }
}

async function unreachableSentence(address: string, { tls, apiKey }: NativeConnectionOptions): Promise<string> {
  const hasTls = tls !== undefined && tls !== null && tls !== false;
  switch (await probePort(address)) {
    case 'refused':
    case 'unknown':
      return `no Temporal server at ${address}; start one with \`tauflow server\` or unset TEMPORAL_ADDRESS`;
    case 'silent':
      return `no answer from ${address} in ${CONNECT_TIMEOUT_MS / 1000} s; check TEMPORAL_ADDRESS and the network to it`;
    case 'open': {
      if (!hasTls) {
        return (
          `something listens at ${address} and does not answer as a Temporal server; it may be stopped or busy, or ` +
          'expect TLS (TEMPORAL_TLS=true)'
        );
      }
      const cause = apiKey === undefined ? 'TEMPORAL_TLS' : 'TEMPORAL_TLS, or TEMPORAL_API_KEY, which turns TLS on';
      return (
        `something listens at ${address} and does not answer over TLS; if it is a server without TLS, unset ${cause}, ` +
        'else check the TEMPORAL_TLS_* variables'
      );
    }
  }
}

/**
 * Checks if a process listens at an address.
 * @returns `unknown` if a proxy or another form of address prevents the check
 */
async function probePort(address: string): Promise<'open' | 'refused' | 'silent' | 'unknown'> {
  const [, host, port] = /^\[?([^[\]/]+?)\]?:(\d+)$/.exec(address) ?? [];
  const { env } = process;
  const isProxied = ['grpc_proxy', 'https_proxy', 'http_proxy'].some((name) => (env[name] ?? '') !== '');
  if (host === undefined || port === undefined || isProxied) return 'unknown';
  const socket = createConnection({ host, port: Number(port) });
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve('open'));
      socket.once('error', () => resolve('refused'));
      socket.setTimeout(PROBE_TIMEOUT_MS, () => resolve('silent'));
    });
  } finally {
    socket.destroy();
  }
}

interface NamespacePlace {
  readonly address: string;
  readonly onProgress: ConnectOptions['onProgress'] | undefined;
  /** True for the folder's own server. A missing namespace is created there. */
  readonly isLocal: boolean;
}

async function requireNamespace(
  connection: Connection,
  namespace: string,
  { address, isLocal, onProgress }: NamespacePlace,
): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (grpcStatus(error) === grpc.UNAUTHENTICATED) throw notAuthorised(address);
    // Some deployments allow a key to run workflows but not to read namespaces.
    if (grpcStatus(error) === grpc.PERMISSION_DENIED) return;
    if (grpcStatus(error) !== grpc.NOT_FOUND) {
      throw new ServerError('unreachable', `the Temporal server at ${address} does not answer (${firstLine(error)})`);
    }
    if (isLocal) {
      onProgress?.(`TEMPORAL_NAMESPACE is ${namespace}: making that namespace on the local Temporal server`);
      return createNamespace(connection, namespace);
    }
    throw new ServerError(
      'namespace-missing',
      `the Temporal server at ${address} has no namespace ${namespace}; correct TEMPORAL_NAMESPACE, or create it with ` +
        `\`temporal operator namespace create --address ${address} --namespace ${namespace}\``,
    );
  }
}

async function createNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    });
  } catch (error) {
    if (grpcStatus(error) !== grpc.ALREADY_EXISTS) throw error;
  }
  // The server's services read the list of namespaces again every few seconds.
  const deadline = performance.now() + NAMESPACE_TIMEOUT_MS;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace });
      return;
    } catch (error) {
      if (grpcStatus(error) !== grpc.NOT_FOUND || performance.now() >= deadline) throw error;
    }
    await delay(50);
  }
}

function isRefusal(error: unknown): boolean {
  const status = grpcStatus(error);
  return status === grpc.UNAUTHENTICATED || status === grpc.PERMISSION_DENIED;
}

function notAuthorised(address: string): ServerError {
  return new ServerError(
    'not-authorised',
    `the Temporal server at ${address} refuses the credentials; check TEMPORAL_API_KEY or the TEMPORAL_TLS_* variables`,
  );
}

/** Returns the values without undefined and null ones. */
function definedOnly<T extends object>(values: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> };
}

/**
 * Finds the UI of a recorded run's server. The server need not be running, because a folder's server restarts on the
 * same ports if they are free.
 *
 * @param address address in the run's `run.json`
 * @returns null for a server that is not a folder's, because its UI is unknown
 */
export async function findUiUrl(address: string, workDir: string): Promise<string | null> {
  const stateDir = await findStateDir(workDir);
  const record = await readRecord(stateDir);
  const local = record === null ? null : toLocalServer(stateDir, record, false);
  return local?.address === address ? local.uiUrl : cloudUi(address);
}

function cloudUi(address: string): string | null {
  return /\.(tmprl\.cloud|temporal\.io)(:\d+)?$/.test(address) ? 'https://cloud.temporal.io' : null;
}
