/**
 * `tauflow server`: the local Temporal server in the foreground; `stop` stops the folder's server, `reset` renames its
 * database.
 */

import type { Command } from 'commander';
import { shownPath, type CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';

interface Flags {
  readonly port?: string;
  readonly uiPort?: string;
  readonly db?: string;
}

const DB = ['--db <file>', 'database file (default: in .tauflow of this folder)'] as const;

export function defineServerCommand(command: Command, context: CliContext): void {
  command
    .option('--port <port>', 'gRPC port (default: 7233 where free)')
    .option('--ui-port <port>', "Temporal UI's port (default: 8233 where free)")
    .option(...DB)
    .action(async (flags: Flags) => {
      await serve(flags, context);
    });
  command
    .command('stop')
    .description("end this folder's local server; its database stays")
    .action(async () => {
      const { stopServer } = await import('../../temporal/server/index.ts');
      const pid = await stopServer(context.cwd);
      context.out(pid === null ? 'no server was running for this folder' : `the server (pid ${pid}) has ended`);
    });
  command
    .command('reset')
    .description("end this folder's local server and move its database aside; run logs stay")
    .option(...DB)
    .action(async (_, reset: Command) => {
      const { resetServer } = await import('../../temporal/server/index.ts');
      const { db } = reset.optsWithGlobals<Flags>();
      const aside = await resetServer(context.cwd, new Date(), db);
      if (aside === null) context.out(`there is no database ${db ?? 'of a local server in this folder'}`);
      else
        context.out(
          `the database is now ${shownPath(aside, context.cwd)}; resume runs with \`npx tauflow resume RUN\``,
        );
    });
}

async function serve(flags: Flags, context: CliContext): Promise<void> {
  const { runServerForeground } = await import('../../temporal/server/index.ts');
  await runServerForeground({
    workDir: context.cwd,
    home: context.home,
    env: context.env,
    onProgress: (message) => context.log(message),
    ports: { port: parsePortFlag('--port', flags.port), uiPort: parsePortFlag('--ui-port', flags.uiPort) },
    dbFile: flags.db,
    onReady: ({ address, uiUrl, dbFile }) => {
      context.out(`Temporal server at ${address}, UI at ${uiUrl}, database ${dbFile}; press Ctrl-C to stop`);
    },
  });
}

function parsePortFlag(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`${flag} ${text} is not a port; give a number from 1 to 65535.`);
}
