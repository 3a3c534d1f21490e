/** Deployments as their containers would run: the scripts of docker-compose.yml, and `npm run cluster`. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { describe, expect, onTestFinished, test } from 'vitest';
import { firstLine } from '../../src/errors/index.ts';
import { PROGRAM } from '../helpers/program.ts';
import { readComposeParts } from './cluster/compose-parts.ts';
import { POSTGRESQL_PASSWORD, POSTGRESQL_USER, startPostgresql } from './cluster/postgresql.ts';
import { findPostgresql, whyNoCluster } from './cluster/programs.ts';

const parts = readComposeParts();
const DATABASES = ['temporal', 'temporal_visibility'];

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tauflow-compose-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function sh(script: string, env: NodeJS.ProcessEnv): string {
  return execFileSync('/bin/sh', ['-c', script], { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' });
}

test('the service `results` gives a folder that Docker made to the workers’ user, and no other', () => {
  const isRoot = process.getuid?.() === 0;
  const folder = scratchFolder();
  const owner = () => statSync(folder).uid;
  const before = owner();
  sh(parts.config('results-script'), { RESULTS: folder, OWNER: '1000:1000' });
  expect(owner()).toBe(isRoot ? 1000 : before);
  sh(parts.config('results-script'), { RESULTS: folder, OWNER: '1001:1001' });
  expect(owner()).toBe(isRoot ? 1000 : before);
});

const bin = (() => {
  try {
    return { path: findPostgresql(process.env) };
  } catch (error) {
    process.stderr.write(`the test of the service \`backup\` is skipped: ${firstLine(error)}\n`);
    return null;
  }
})();

describe.skipIf(bin === null)('the service `backup`', { timeout: 120_000 }, () => {
  test('writes both databases, which the guide’s command puts back', async () => {
    const folder = scratchFolder();
    const backups = join(folder, 'backups');
    mkdirSync(backups);
    const path = bin?.path ?? '';
    const database = await startPostgresql(path, folder, await getPort({ port: 20_432 }));
    onTestFinished(() => database.child.end());
    for (const name of DATABASES) {
      database.query('postgres', `create database ${name}`);
      database.query(name, `create table executions as select '${name}' as id`);
    }
    const login = {
      PATH: `${path}:${String(process.env['PATH'])}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(database.port),
      PGUSER: POSTGRESQL_USER,
      PGPASSWORD: POSTGRESQL_PASSWORD,
    };
    const printed = sh(parts.config('backup-script').replaceAll('/backups', backups), login).trim().split('\n');
    expect(printed).toEqual(DATABASES.map((name) => expect.stringMatching(`/\\d{4}-.*Z\\.${name}\\.dump$`) as string));
    expect(
      readdirSync(backups)
        .map((name) => join(backups, name))
        .sort(),
    ).toEqual([...printed].sort());

    for (const [index, name] of DATABASES.entries()) {
      database.query(name, "update executions set id = 'later'; create table later ()");
      const restore = ['pg_restore', '--clean', '--if-exists', '--dbname', name, printed[index]];
      sh(restore.join(' '), login);
      expect(database.query(name, 'select id from executions')).toBe(name);
    }
  });
});

/** `npm run cluster`, where this machine has PostgreSQL and Temporal's programs. */
describe('cluster', () => {
  const ROOT = join(import.meta.dirname, '../..');
  const reason = whyNoCluster(process.env);
  if (reason !== null) process.stderr.write(`the test of \`npm run cluster\` is skipped: ${reason}\n`);

  /** Runs `npm run cluster`, of the build that there is. */
  async function runCluster(flags: readonly string[], command: readonly string[]) {
    const args = ['--import', 'tsx', 'test/deploy/cluster/main.ts', ...flags, '--', ...command];
    return await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  }

  describe.skipIf(reason !== null)('a cluster by the compose’s scripts', { timeout: 240_000 }, () => {
    test('runs a sweep over a restart of its server, after its schema was updated again, and says what it used', async () => {
      const logDir = await mkdtemp(join(tmpdir(), 'tauflow-cluster-test-'));
      onTestFinished(() => rm(logDir, { recursive: true }));
      const flags = ['--workers', '2', `--worker-flags=--log-dir ${logDir}`, '--restart-after', '3'];
      const { stdout, stderr } = await runCluster(
        [...flags, '--upgrade-to', process.env['TEMPORAL_BIN'] ?? ''],
        [...PROGRAM, 'run', '--no-worker', '--log-dir', logDir, '--run-id', 'main', '--end-index', '10'].concat(
          // Long enough that the server is away in the middle.
          ['--num-trials', '1', '--max-concurrency', '5', '--scripted-latency', '1s'],
        ),
      );
      expect(stderr).toMatch(/the server is back, as \d+\.\d+/);
      expect(await readdir(join(logDir, 'main/episodes'))).toHaveLength(10);
      const { database_bytes: grown, after } = JSON.parse(stdout) as {
        database_bytes: { temporal: number };
        after: Record<string, { cpu_s: number }>;
      };
      expect(grown.temporal).toBeGreaterThan(0);
      for (const part of ['database', 'server', 'workers', 'command'])
        expect(after[part]?.cpu_s, part).toBeGreaterThan(0);
    });
  });
});
