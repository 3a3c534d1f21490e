/** `tauflow view`: shows runs of a log folder in a browser on this machine, including runs in progress. */

import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError, onError } from '../../errors/index.ts';
import { PortTakenError, closeServer, listenOnLoopback, requestPath } from '../../io/index.ts';
import { resolveLogPlace, storeAddress } from '../../run-log/index.ts';
import { createLogStores } from '../../run-log/store/index.ts';
import { VIEW_PORT } from '../../episode/index.ts';
import type { CliContext } from '../context.ts';
import { packFinder, uiOfRun } from '../find-run.ts';
import { RUN_LOGS_PLACE, parseWholeNumber } from '../flag-values.ts';
import { awaitInterrupt } from '../interrupt.ts';
import type { ViewedPlace } from '../../viewer/index.ts';
import { StateFinder } from '../status/state.ts';
import { findFitting } from '../regrade/subject.ts';

interface ViewFlags {
  readonly logDir: string;
  readonly port?: string;
  readonly temporalUi?: string;
}

export function defineViewCommand(command: Command, context: CliContext): void {
  command
    .option('--log-dir <folder>', RUN_LOGS_PLACE, 'results')
    .option('--port <port>', `port to listen on (default: ${VIEW_PORT}, or a free one if it is taken)`)
    .option('--temporal-ui <url>', "address for links to histories (default: the UI of each run's server)")
    .action(async (flags: ViewFlags) => {
      const { logDir } = flags;
      if (command.getOptionValueSource('logDir') === 'cli') requireFolder(logDir, context.cwd);
      await serveView(flags, context);
    });
}

async function serveView(flags: ViewFlags, context: CliContext): Promise<void> {
  const { startViewServer } = await import('../../viewer/index.ts');
  const { namesTasks } = await import('../../results/regrade/index.ts');
  const { readTemporalUi } = await import('../report/read.ts');
  const given = flags.port === undefined ? undefined : parseWholeNumber('--port', flags.port, 0, 65_535);
  const uiUrl = readTemporalUi(flags);
  const place = await openPlace(flags, context);
  const states = new StateFinder(context);
  const start = (port: number) =>
    startViewServer({
      place,
      port,
      findPack: packFinder(context),
      findTasks: async (entries) => {
        const fitting = namesTasks(entries) ? await findFitting(entries, {}, context.home) : [];
        // If several fit, none is certain.
        return fitting.length === 1 ? (fitting[0] ?? null) : null;
      },
      findState: (log) => states.find(log),
      findUi: async (manifest) => uiUrl ?? (await uiOfRun(manifest, context)),
    });
  const { asked } = awaitInterrupt();
  const server = await (given === undefined ? startOnAny(start) : start(given));
  context.out(`${server.url} shows the runs in ${flags.logDir}; press Ctrl-C to stop`);
  const links = new URL(server.url).port === String(VIEW_PORT) ? null : await forwardLinks(server.url, context);
  await asked;
  if (links !== null) await closeServer(links);
  await server.close();
  await states.close();
}

/** Redirects links from Temporal UI, which use the default port; null if another program has that port. */
async function forwardLinks(url: string, context: CliContext): Promise<Server | null> {
  const links = createServer((request, response) => {
    response.writeHead(302, { Location: `${url}${requestPath(request)}` }).end();
  });
  try {
    await listenOnLoopback(links, VIEW_PORT);
    return links;
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
    context.log(`links from Temporal UI lead to port ${VIEW_PORT}, which another program has, and so not to this view`);
    return null;
  }
}

/** Throws a UsageError if the folder is missing. The default folder may be missing before the first run. */
function requireFolder(logDir: string, cwd: string): void {
  if (storeAddress(logDir) !== null || existsSync(resolve(cwd, logDir))) return;
  throw new UsageError(`there is no folder ${logDir}; name the log folder of your runs with --log-dir.`);
}

/** Opens a folder, or the copy of a store. The store must answer first. */
async function openPlace({ logDir }: ViewFlags, context: CliContext): Promise<ViewedPlace> {
  const resolved = resolveLogPlace(logDir, context.cwd);
  if (storeAddress(logDir) === null) return { logDir: resolved, folder: resolved };
  const mirror = await (await createLogStores(context)(resolved)).mirror();
  await mirror.refresh(null);
  return mirror;
}

/** Tries the default port first, so that the address usually stays the same. */
function startOnAny<T>(start: (port: number) => Promise<T>): Promise<T> {
  return start(VIEW_PORT).catch(onError(() => start(0), PortTakenError));
}
