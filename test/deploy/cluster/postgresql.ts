/** Starts a PostgreSQL of its own in a folder: on loopback, with the settings that its packages come with. */

import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { start, type Child } from '../../../perf/processes.ts';

export interface Postgresql {
  readonly child: Child;
  readonly port: number;
  /** Answers a query, without headings. */
  query(database: string, sql: string): string;
}

export const POSTGRESQL_USER = 'temporal';
export const POSTGRESQL_PASSWORD = 'temporal';

export async function startPostgresql(bin: string, folder: string, port: number): Promise<Postgresql> {
  const owner = ownerOf();
  const [data, secret] = [join(folder, 'postgresql'), join(folder, 'postgresql-password')];
  mkdirSync(data);
  writeFileSync(secret, POSTGRESQL_PASSWORD, { mode: 0o600 });
  if (owner !== null) for (const path of [folder, data, secret]) chownSync(path, owner.uid, owner.gid);
  const as = owner ?? {};
  const login = ['--username', POSTGRESQL_USER, '--auth', 'scram-sha-256', '--pwfile', secret];
  execFileSync(join(bin, 'initdb'), ['--pgdata', data, '--encoding', 'UTF8', ...login], { ...as, stdio: 'pipe' });
  const child = start(
    join(bin, 'postgres'),
    ['-D', data, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`, '-p', String(port)],
    { cwd: data, env: { PATH: process.env['PATH'], LC_MESSAGES: 'C' }, ...as },
  );
  await child.line(/ready to accept connections/);
  return {
    child,
    port,
    query: (database, sql) =>
      execFileSync(
        join(bin, 'psql'),
        ['--host', '127.0.0.1', '--port', String(port), '--username', POSTGRESQL_USER, '-d', database, '-Atc', sql],
        { env: { ...process.env, PGPASSWORD: POSTGRESQL_PASSWORD }, encoding: 'utf8' },
      ).trim(),
  };
}

/** PostgreSQL refuses to run as root; its packages make a user for it. */
function ownerOf(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres for the database');
  return { uid, gid };
}
