/** Finds the programs that the images of `docker-compose.yml` would bring. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine } from '../../../src/errors/index.ts';

export interface Programs {
  readonly temporalServer: string;
  readonly version: string;
  readonly sqlTool: string;
  /** The schema's folders, as an image has them at `/etc/temporal/schema`. */
  readonly schema: string;
  /** The folder of the server's settings, where they are not part of the program: before 1.30. */
  readonly settings: string | undefined;
  /** PostgreSQL's `bin`. */
  readonly postgresql: string;
}

/** Name of the settings that an image's server is started with, in their folder. */
export const SETTINGS = 'docker';

const EMBEDDED_SETTINGS = 'common/config/config_template_embedded.yaml';

/** @throws Error that says what is missing and how to get it */
export function findPrograms(env: NodeJS.ProcessEnv): Programs {
  const folder = env['TEMPORAL_BIN'];
  if (folder === undefined || folder === '') throw new Error(`TEMPORAL_BIN is not set; ${HOW_TO_BUILD}`);
  // `go install` names a program by its folder, an image by what it is.
  const temporalServer = firstOf([join(folder, 'temporal-server'), join(folder, 'server')]);
  const sqlTool = firstOf([join(folder, 'temporal-sql-tool'), join(folder, 'sql')]);
  // The scripts make the namespace with it.
  run('temporal', ['--version']);
  const version = run(temporalServer, ['--version']).split(' ').at(-1) ?? '';
  const source = join(env['GOMODCACHE'] ?? run('go', ['env', 'GOMODCACHE']), `go.temporal.io/server@v${version}`);
  return {
    temporalServer,
    version,
    sqlTool,
    schema: firstOf([join(source, 'schema')]),
    settings: existsSync(join(source, EMBEDDED_SETTINGS)) ? undefined : join(source, 'config'),
    postgresql: findPostgresql(env),
  };
}

/** A sentence about what is missing here for a cluster; null where all of it is there. */
export function whyNoCluster(env: NodeJS.ProcessEnv): string | null {
  try {
    findPrograms(env);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const HOW_TO_BUILD =
  'name a folder with server and sql tool: GOBIN=FOLDER go install go.temporal.io/server/cmd/server@v1.30.8 ' +
  'go.temporal.io/server/cmd/tools/sql@v1.30.8';

function firstOf(paths: readonly string[]): string {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${paths.join(' or ')} is missing; ${HOW_TO_BUILD}`);
  return found;
}

/** Finds PostgreSQL's `bin`. @throws Error that says how to get it */
export function findPostgresql(env: NodeJS.ProcessEnv): string {
  const named = env['POSTGRESQL_BIN'];
  if (named !== undefined) return named;
  const versions = '/usr/lib/postgresql';
  const newest = existsSync(versions)
    ? readdirSync(versions).sort((one, other) => Number(other) - Number(one))[0]
    : undefined;
  if (newest === undefined) throw new Error('PostgreSQL is missing: install it, or name its folder in POSTGRESQL_BIN');
  return join(versions, newest, 'bin');
}

function run(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8' }).trim();
  } catch (error) {
    throw new Error(`${program} is needed and cannot be run (${firstLine(error)}); install it`, { cause: error });
  }
}
