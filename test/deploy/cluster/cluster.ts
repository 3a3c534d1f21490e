/** A cluster of real processes: what it consists of, what is done to it while it runs, and what it has used. */

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { onEnd, start, type Child } from '../../../perf/processes.ts';
import { program } from '../../../perf/sweep.ts';
import { Meter, type Use } from './meter.ts';
import type { ClusterOptions } from './options.ts';
import { startPostgresql, type Postgresql } from './postgresql.ts';
import { findPrograms } from './programs.ts';
import { startTemporalServer } from './temporal-server.ts';

const METER_EVERY_MS = 2000;

export interface Figures {
  readonly seconds: number;
  /** Growth of the databases. */
  readonly database_bytes: { readonly temporal: number; readonly visibility: number };
  readonly before: Readonly<Record<string, Use>>;
  readonly after: Readonly<Record<string, Use>>;
}

export interface Cluster {
  /** Rejects when what was to be done to the cluster has not succeeded, such as a restart of its server. */
  readonly failed: Promise<never>;
  /** Runs a command on the cluster. @returns its exit code, its last lines, and what the cluster has used meanwhile */
  run(command: string, args: readonly string[]): Promise<{ code: number; tail: string; figures: Figures }>;
}

export async function startCluster(options: ClusterOptions, say: (line: string) => void): Promise<Cluster> {
  const programs = findPrograms(process.env);
  const meter = new Meter();
  const folder = mkdtempSync(join(tmpdir(), 'tauflow-cluster-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const database = await startPostgresql(programs.postgresql, folder, await getPort({ host: '127.0.0.1' }));
  meter.add('database', database.child.pid);
  const server = await startTemporalServer(programs, folder, database);
  meter.add('server', server.child.pid);
  say(`Temporal server ${programs.version} on ${server.address}, PostgreSQL on port ${database.port}`);

  const surroundings = {
    cwd: process.cwd(),
    env: { ...process.env, TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default' },
  };
  const startWorkers = () =>
    Promise.all(
      Array.from({ length: options.workers }, async () => {
        const worker = start(process.execPath, [program, 'worker', ...options.workerFlags], surroundings);
        meter.add('workers', worker.pid);
        await worker.line(/^worker on /);
        return worker;
      }),
    );
  let workers: Child[] = await startWorkers();
  say(`${workers.length} workers; TEMPORAL_ADDRESS=${server.address} npx tauflow run --no-worker …`);

  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  const after = (seconds: number | undefined, work: () => Promise<void>) => {
    if (seconds === undefined) return;
    const timer = setTimeout(() => void work().catch(fail), seconds * 1000);
    onEnd(() => Promise.resolve(clearTimeout(timer)));
  };
  after(options.deployAfter, async () => {
    const old = workers;
    workers = await startWorkers();
    say('new workers are ready; the old ones are ending');
    for (const { process: worker } of old) worker.kill('SIGTERM');
    say(`the old workers have ended with ${(await Promise.all(old.map(({ ended }) => ended))).join(', ')}`);
  });
  const { upgradeTo } = options;
  // Found now: what is missing should not come up in the middle of a run.
  const next = upgradeTo === undefined ? undefined : findPrograms({ ...process.env, TEMPORAL_BIN: upgradeTo });
  after(options.restartAfter, async () => {
    say('the server is ending');
    await server.restart(next);
    meter.add('server', server.child.pid);
    say(`the server is back${next === undefined ? '' : `, as ${next.version}`}`);
  });
  const timers = [
    setInterval(() => say(JSON.stringify(meter.look())), options.sampleEvery * 1000),
    // Often enough that little is missed of a process that ends.
    setInterval(() => void meter.look(), METER_EVERY_MS),
  ];
  onEnd(() => Promise.resolve(timers.forEach(clearInterval)));

  return {
    failed,
    async run(command, args) {
      const sizes = sizesOf(database);
      const before = meter.look();
      const startedAt = performance.now();
      const child = start(command, args, surroundings);
      meter.add('command', child.pid);
      const code = (await Promise.race([child.ended, failed])) ?? 1;
      const [temporal, visibility] = sizesOf(database);
      const figures = {
        seconds: (performance.now() - startedAt) / 1000,
        database_bytes: { temporal: temporal - sizes[0], visibility: visibility - sizes[1] },
        before,
        after: meter.look(),
      };
      return { code, tail: child.tail(), figures };
    },
  };
}

function sizesOf(database: Postgresql): [number, number] {
  const sizeOf = (name: string) => Number(database.query(name, `select pg_database_size('${name}')`));
  return [sizeOf('temporal'), sizeOf('temporal_visibility')];
}
