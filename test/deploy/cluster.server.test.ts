/** `npm run cluster`, where this machine has PostgreSQL and Temporal's programs. */

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../helpers/program.ts';
import { whyNoCluster } from './cluster/programs.ts';

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
