/**
 * `npm run cluster`: what `docker-compose.yml` starts, without Docker: PostgreSQL, a Temporal server on it, workers. All
 * of it listens on loopback, on free ports; its data are in a temporary folder and are removed at the end.
 */

import { endAll } from '../../../perf/processes.ts';
import { startCluster } from './cluster.ts';
import { HELP, readOptions, type ClusterOptions } from './options.ts';

const BAD_USAGE = 2;
const INTERRUPTED = 130;
const startedAt = Date.now();

function say(line: string): void {
  process.stderr.write(`[${Math.round((Date.now() - startedAt) / 1000)} s] ${line}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<number> {
  let options: ClusterOptions;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}; see npm run cluster -- --help\n`);
    return BAD_USAGE;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const cluster = await startCluster(options, say);
  const [command, ...args] = options.command;
  if (command === undefined) return await cluster.failed;
  const { code, tail, figures } = await cluster.run(command, args);
  process.stderr.write(`${tail}\n`);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  return code;
}

let isEnding = false;

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await endAll();
  process.exit(code);
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void end(INTERRUPTED));

try {
  await end(await main());
} catch (error) {
  // What an interruption has ended early is no error.
  if (!isEnding) say(messageOf(error));
  await end(1);
}
