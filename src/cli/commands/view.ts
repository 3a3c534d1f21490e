/** `tauflow view`: runs of a log folder in a browser on this machine, also while they go on. */

import type { Command } from 'commander';
import { PortTakenError } from '../../io/index.ts';
import { resolveLogDir } from '../../results/log/index.ts';
import { VIEW_PORT } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { packFinder, uiOfRun } from '../find-run.ts';
import { wholeNumber } from '../flag-values.ts';
import { onInterrupt } from '../interrupt.ts';
import { findFitting } from '../regrade/subject.ts';

interface ViewFlags {
  readonly logDir: string;
  readonly port?: string;
  readonly temporalUi?: string;
}

export function defineViewCommand(command: Command, context: CliContext): void {
  command
    .option('--log-dir <folder>', 'where the run logs are', 'results')
    .option('--port <port>', `port to listen on (default: ${VIEW_PORT}, or a free one if it is taken)`)
    .option('--temporal-ui <url>', "address for links to histories (default: the UI of each run's server)")
    .action(async (flags: ViewFlags) => {
      await serveView(flags, context);
    });
}

async function serveView(flags: ViewFlags, context: CliContext): Promise<void> {
  const { startViewServer } = await import('../../view/index.ts');
  const { viewBundle } = await import('../../results/page/index.ts');
  const { namesTasks } = await import('../../results/regrade/index.ts');
  const { readTemporalUi } = await import('../report/read.ts');
  const given = flags.port === undefined ? undefined : wholeNumber('--port', flags.port, 0, 65_535);
  const uiUrl = readTemporalUi(flags);
  const start = (port: number) =>
    startViewServer({
      logDir: resolveLogDir(flags.logDir, context.cwd),
      port,
      bundle: viewBundle,
      findPack: packFinder(context),
      findTasks: async (entries) => {
        const fitting = namesTasks(entries) ? await findFitting(entries, {}, context.home) : [];
        // Of several none is certain.
        return fitting.length === 1 ? (fitting[0] ?? null) : null;
      },
      findUi: async (manifest) => uiUrl ?? (await uiOfRun(manifest, context)),
    });
  const asked = new Promise<void>((resolve) => {
    onInterrupt(resolve);
  });
  const server = await (given === undefined ? startOnAny(start) : start(given));
  context.out(`${server.url} shows the runs in ${flags.logDir}; press Ctrl-C to stop`);
  await asked;
  await server.close();
}

/** Tries the default port first, so that an address that somebody has kept is the same again. */
async function startOnAny<T>(start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(VIEW_PORT);
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
    return start(0);
  }
}
