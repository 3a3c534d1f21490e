/**
 * Surroundings of a sweep, made anew for each row so that rows do not warm each other up: a Temporal server in a folder
 * of its own, a worker, and the scripted model, each a process whose CPU and memory can be read.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import envPaths from 'env-paths';
import type { ScriptedStats } from '../src/scripted-model/index.ts';
import type { Pack } from '../src/packs/index.ts';
import { connect, ensureSearchAttributes, type TemporalConnection } from '../src/temporal/client/index.ts';
import { stopServer } from '../src/temporal/server/index.ts';
import { onEnd, start, type Child } from './children.ts';

export interface StageOptions {
  readonly pack: Pack;
  readonly latencyMs: number;
  /** Model calls at once. */
  readonly maxConcurrency: number;
  /** Flags for the worker's Node, such as `--cpu-prof`. */
  readonly workerNodeFlags?: readonly string[];
}

export interface ScriptedServer {
  readonly child: Child;
  /** `http://127.0.0.1:8123/v1` */
  readonly url: string;
  stats(): Promise<ScriptedStats>;
}

export interface Stage {
  /** Absolute path of a temporary folder; the run log goes here. */
  readonly folder: string;
  /** Of the processes that work in it, without the server's address: it is found by the folder. */
  readonly env: NodeJS.ProcessEnv;
  readonly temporal: TemporalConnection;
  readonly server: { readonly pid: number; readonly version: string };
  readonly model: ScriptedServer;
  readonly worker: Child;
  /** Another worker, where the first has been killed. */
  readonly startWorker: () => Promise<Child>;
  close(): Promise<void>;
}

/** The program as it is built. */
export const program = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

/** Temporal's and the model's configuration are the benchmark's own. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL_(?!CLI_PATH)|TAUFLOW_SCRIPTED_)/.test(name));
  return { ...Object.fromEntries(kept), TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' };
}

export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-bench-'));
  return { folder, remove: onEnd(() => rm(folder, { recursive: true, force: true })) };
}

export async function openStage(options: StageOptions): Promise<Stage> {
  requireBuild();
  const { folder, remove } = await makeFolder();
  const env = cleanEnvironment();
  const home = process.env['TAUFLOW_HOME'] ?? envPaths('tauflow', { suffix: '' }).cache;
  const stopTemporal = onEnd(async () => void (await stopServer(folder)));
  const temporal = await connect({ workDir: folder, home, env });
  const disconnect = onEnd(() => temporal.close());
  await ensureSearchAttributes(temporal.connection, temporal.namespace);
  if (temporal.server === null) throw new Error('the benchmark measures a server of its own, and got another');
  const model = await startScriptedModel(folder, options);
  const workers: Child[] = [];
  const startWorker = async () => {
    const worker = start(
      process.execPath,
      [
        ...(options.workerNodeFlags ?? []),
        ...[program, 'worker', '--max-concurrent-activities', String(options.maxConcurrency), '--log-dir', folder],
      ],
      { cwd: folder, env: { ...env, TEMPORAL_ADDRESS: temporal.address, TAUFLOW_SCRIPTED_URL: model.url } },
    );
    workers.push(worker);
    await worker.line(/^worker on /);
    return worker;
  };
  return {
    folder,
    env,
    temporal,
    server: { pid: temporal.server.pid, version: temporal.server.serverVersion },
    model,
    worker: await startWorker(),
    startWorker,
    async close() {
      for (const worker of workers) await worker.end();
      await model.child.end();
      await disconnect();
      await stopTemporal();
      await remove();
    },
  };
}

/** The scripted model on a free port, as a process of its own. */
export async function startScriptedModel(
  folder: string,
  { pack, latencyMs }: Pick<StageOptions, 'pack' | 'latencyMs'>,
): Promise<ScriptedServer> {
  requireBuild();
  const child = start(
    process.execPath,
    [program, 'scripted-model', '--port', '0', '--pack', pack.ref.path, '--latency', `${latencyMs}ms`],
    { cwd: folder, env: cleanEnvironment() },
  );
  const [, url = ''] = await child.line(/scripted model at (\S+)/);
  return {
    child,
    url,
    stats: async () => (await (await fetch(`${url.replace(/\/v1$/, '')}/stats`)).json()) as ScriptedStats,
  };
}

function requireBuild(): void {
  if (!existsSync(program)) throw new Error(`${program} is missing; run: npm run build`);
}
