/** Finds the programs that the images of `docker-compose.yml` would bring. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Programs {
  readonly temporalServer: string;
  readonly sqlTool: string;
  /** The schema's folders, as an image has them at `/etc/temporal/schema`. */
  readonly schema: string;
  /** PostgreSQL's `bin`. */
  readonly postgresql: string;
}

/** @throws Error that says what is missing and how to get it */
export function findPrograms(env: NodeJS.ProcessEnv): Programs {
  const folder = env['TEMPORAL_BIN'];
  if (folder === undefined || folder === '') throw new Error(`TEMPORAL_BIN is not set; ${HOW_TO_BUILD}`);
  // `go install` names a program by its folder, an image by what it is.
  const temporalServer = firstOf([join(folder, 'temporal-server'), join(folder, 'server')]);
  const sqlTool = firstOf([join(folder, 'temporal-sql-tool'), join(folder, 'sql')]);
  const version = run(temporalServer, ['--version']).split(' ').at(-1);
  const modules = env['GOMODCACHE'] ?? run('go', ['env', 'GOMODCACHE']);
  return {
    temporalServer,
    sqlTool,
    schema: firstOf([join(modules, `go.temporal.io/server@v${version}/schema`)]),
    postgresql: env['POSTGRESQL_BIN'] ?? newestPostgresql(),
  };
}

const HOW_TO_BUILD =
  'name a folder with server and sql tool: GOBIN=FOLDER go install go.temporal.io/server/cmd/server@v1.30.8 ' +
  'go.temporal.io/server/cmd/tools/sql@v1.30.8';

function firstOf(paths: readonly string[]): string {
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${paths.join(' or ')} is missing; ${HOW_TO_BUILD}`);
  return found;
}

function newestPostgresql(): string {
  const versions = '/usr/lib/postgresql';
  const newest = existsSync(versions)
    ? readdirSync(versions).sort((one, other) => Number(other) - Number(one))[0]
    : undefined;
  if (newest === undefined) throw new Error('PostgreSQL is missing: install it, or name its folder in POSTGRESQL_BIN');
  return join(versions, newest, 'bin');
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' }).trim();
}
