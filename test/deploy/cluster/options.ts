/** Reads the command line of `npm run cluster`. */

import { parseArgs } from 'node:util';
import * as z from 'zod';

export const HELP = `Usage: npm run cluster -- [options] [-- COMMAND …]

start PostgreSQL, a Temporal server and workers as docker-compose.yml does, and wait for Ctrl-C; or run a command with
TEMPORAL_ADDRESS set, print what each part has used as JSON, and end

  --workers <n>          worker processes (default: 1)
  --worker-flags=<…>     their flags, separated by spaces
  --deploy-after <s>     after so many seconds, start new workers and end the old ones with SIGTERM
  --restart-after <s>    after so many seconds, end the server with SIGTERM and start it again
  --upgrade-to <folder>  with the server of this folder, after its version's updates of the databases
  --sample-every <s>     print CPU time and memory so often (default: 30)

TEMPORAL_BIN names the folder of Temporal's server and sql tool, POSTGRESQL_BIN that of PostgreSQL's programs.
Variables TEMPORAL_TLS… are given to server, workers and command. PROMETHEUS_ENDPOINT=127.0.0.1:8000 serves the metrics
of the server there.
`;

const seconds = z.coerce.number().positive();

const options = z.object({
  help: z.boolean(),
  workers: z.coerce.number().int().min(0),
  'worker-flags': z.string().transform((text) => text.split(' ').filter(Boolean)),
  'deploy-after': seconds.optional(),
  'restart-after': seconds.optional(),
  'upgrade-to': z.string().min(1).optional(),
  'sample-every': seconds,
});

export interface ClusterOptions {
  readonly help: boolean;
  readonly workers: number;
  readonly workerFlags: readonly string[];
  /** @unit seconds */
  readonly deployAfter: number | undefined;
  /** @unit seconds */
  readonly restartAfter: number | undefined;
  /** Folder of the server that comes back after the restart; undefined: the same one. */
  readonly upgradeTo: string | undefined;
  /** @unit seconds */
  readonly sampleEvery: number;
  /** Empty: wait for Ctrl-C. */
  readonly command: readonly string[];
}

/** @throws Error that names the flag */
export function readOptions(args: readonly string[]): ClusterOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      workers: { type: 'string', default: '1' },
      'worker-flags': { type: 'string', default: '' },
      'deploy-after': { type: 'string' },
      'restart-after': { type: 'string' },
      'upgrade-to': { type: 'string' },
      'sample-every': { type: 'string', default: '30' },
    },
  });
  const parsed = options.safeParse(values);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`--${issue?.path.join('.')}: ${issue?.message}`);
  }
  if (parsed.data['upgrade-to'] !== undefined && parsed.data['restart-after'] === undefined) {
    throw new Error('--upgrade-to needs --restart-after');
  }
  return {
    help: parsed.data.help,
    workers: parsed.data.workers,
    workerFlags: parsed.data['worker-flags'],
    deployAfter: parsed.data['deploy-after'],
    restartAfter: parsed.data['restart-after'],
    upgradeTo: parsed.data['upgrade-to'],
    sampleEvery: parsed.data['sample-every'],
    command: positionals,
  };
}
