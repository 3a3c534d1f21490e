/** `tauflow view`: a local web app over a log folder. Reads what is on disk, and needs no Temporal server. */

import type { ViewerBundle } from '../results/page/index.ts';
import { serveRoutes, type ViewServer } from './http.ts';
import { viewRoutes } from './routes.ts';
import { LiveReader } from './live.ts';
import { RunReader, type Surroundings } from './run.ts';
import { RunLister } from './runs.ts';
import { shellRoute } from './shell.ts';
import { TrendReader } from './trends.ts';

export type { ViewServer };

export interface ViewOptions extends Surroundings {
  /** Absolute path. */
  readonly logDir: string;
  /** 0: any free one. */
  readonly port: number;
  /** The page's script and style. */
  readonly bundle: () => Promise<ViewerBundle>;
}

/** @throws PortTakenError */
export function startViewServer({ logDir, port, bundle, ...surroundings }: ViewOptions): Promise<ViewServer> {
  const trends = new TrendReader(logDir);
  const parts = {
    lister: new RunLister(logDir),
    reader: new RunReader(logDir, surroundings),
    live: new LiveReader(),
    trends,
  };
  return serveRoutes([shellRoute(bundle), ...viewRoutes(parts)], port);
}
