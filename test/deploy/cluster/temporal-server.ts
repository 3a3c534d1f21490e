/** Sets the databases up with the compose's own scripts, and starts a Temporal server on them. */

import { execFile } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import getPort, { portNumbers } from 'get-port';
import { start, type Child } from '../../../perf/processes.ts';
import { readComposeParts, type ComposeParts } from './compose-parts.ts';
import { SETTINGS, type Programs } from './programs.ts';
import { POSTGRESQL_PASSWORD, POSTGRESQL_USER, type Postgresql } from './postgresql.ts';

export interface TemporalServer {
  readonly address: string;
  readonly child: Child;
  /**
   * Ends the server and starts it again, on the same ports and data.
   *
   * @param next those of another version: its schema comes before its server
   */
  restart(next?: Programs): Promise<void>;
}

const PORTS = [
  ...['FRONTEND_GRPC_PORT', 'FRONTEND_HTTP_PORT', 'FRONTEND_MEMBERSHIP_PORT', 'MATCHING_GRPC_PORT'],
  ...['MATCHING_MEMBERSHIP_PORT', 'HISTORY_GRPC_PORT', 'HISTORY_MEMBERSHIP_PORT', 'WORKER_GRPC_PORT'],
  'WORKER_MEMBERSHIP_PORT',
];

/** The server keeps its ports in a `smallint` of PostgreSQL: those above 32767 end it at start. */
const SMALL_PORTS = [...portNumbers(21_000, 21_999)];

export async function startTemporalServer(
  programs: Programs,
  folder: string,
  { port }: Postgresql,
): Promise<TemporalServer> {
  const parts = readComposeParts();
  const database = {
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: String(port),
    POSTGRES_USER: POSTGRESQL_USER,
    POSTGRES_PWD: POSTGRESQL_PASSWORD,
    SQL_PASSWORD: POSTGRESQL_PASSWORD,
  };
  const updateDatabases = (of: Programs) =>
    runScript(
      parts,
      'schema-script',
      { PATH: [linkTools(of, folder), process.env['PATH']].join(delimiter), ...database },
      { from: '/etc/temporal/schema', to: of.schema },
    );
  await updateDatabases(programs);

  const settings = join(folder, 'dynamic-config.yaml');
  writeFileSync(settings, parts.config('dynamic-config'));
  const ports: Record<string, string> = {};
  for (const name of PORTS) ports[name] = String(await getPort({ host: '127.0.0.1', port: SMALL_PORTS }));
  const address = `127.0.0.1:${ports['FRONTEND_GRPC_PORT']}`;
  const env = {
    PATH: process.env['PATH'],
    ...parts.serverEnvironment,
    ...database,
    ...ports,
    BIND_ON_IP: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: settings,
    PROMETHEUS_ENDPOINT: process.env['PROMETHEUS_ENDPOINT'] ?? '',
    ...certificates(),
  };
  // `temporal` reads a configuration from the home folder: nobody's counts here.
  const tool = {
    ...certificates(),
    PATH: process.env['PATH'],
    HOME: folder,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: 'default',
  };
  const launch = (of: Programs) =>
    start(of.temporalServer, ['start'], { cwd: folder, env: { ...env, ...settingsOf(of, String(port)) } });
  let [current, child] = [programs, launch(programs)];
  const prepare = () =>
    runScript(parts, 'namespace-script', tool).catch((error: unknown) => {
      throw new Error(`${String(error)}\nthe server's last lines:\n${child.tail()}`, { cause: error });
    });
  await Promise.race([prepare(), endedEarly(child)]);
  return {
    address,
    get child() {
      return child;
    },
    async restart(next) {
      await child.end();
      if (next !== undefined) await updateDatabases(next);
      current = next ?? current;
      child = launch(current);
      await Promise.race([prepare(), endedEarly(child)]);
    },
  };
}

/** The scripts call the tools by the names that they have in the images. */
function linkTools({ sqlTool }: Programs, folder: string): string {
  const bin = mkdtempSync(join(folder, 'bin-'));
  symlinkSync(sqlTool, join(bin, 'temporal-sql-tool'));
  return bin;
}

/** Variables that the images of versions before 1.30 add; they name the port of the second database apart. */
function settingsOf({ settings }: Programs, databasePort: string): NodeJS.ProcessEnv {
  if (settings === undefined) return {};
  return {
    TEMPORAL_ROOT: '/',
    TEMPORAL_CONFIG_DIR: settings,
    TEMPORAL_ENVIRONMENT: SETTINGS,
    VISIBILITY_DB_PORT: databasePort,
  };
}

/** The variables of TLS, the server's and its clients', as whoever starts the cluster has set them. */
function certificates(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('TEMPORAL_TLS')));
}

async function endedEarly(child: Child): Promise<never> {
  const code = await child.ended;
  throw new Error(`the server has ended with ${code}:\n${child.tail()}`);
}

async function runScript(
  parts: ComposeParts,
  name: string,
  env: NodeJS.ProcessEnv,
  /** A folder of an image, and where this machine has it. */
  moved?: { readonly from: string; readonly to: string },
): Promise<void> {
  const text = parts.config(name);
  const script = moved === undefined ? text : text.replaceAll(moved.from, moved.to);
  try {
    await promisify(execFile)('/bin/sh', ['-c', script], { env });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`${name} of docker-compose.yml has failed:\n${output}`, { cause: error });
  }
}
