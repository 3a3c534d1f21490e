/** `tauflow view`: a local web app over a log folder. Reads what is on disk, and needs no Temporal server. */

import type { ViewerBundle } from '../results/page/index.ts';
import type { ViewedPlace } from './folder.ts';
import { serveRoutes, type ViewServer } from './http.ts';
import { viewRoutes } from './routes.ts';
import { LiveReader } from './live.ts';
import { RunReader, type Surroundings } from './run.ts';
import { RunLister } from './runs.ts';
import { shellRoute } from './shell.ts';
import { TrendReader } from './trends.ts';

export type { ViewServer, ViewedPlace };

export interface ViewOptions extends Surroundings {
  readonly place: ViewedPlace;
  /** 0: any free one. */
  readonly port: number;
  /** The page's script and style. */
  readonly bundle: () => Promise<ViewerBundle>;
}

/** @throws PortTakenError */
export function startViewServer({ place, port, bundle, ...surroundings }: ViewOptions): Promise<ViewServer> {
  const trends = new TrendReader(place);
  const parts = {
    place,
    lister: new RunLister(place),
    reader: new RunReader(place, surroundings),
    live: new LiveReader(),
    trends,
  };
  return serveRoutes([shellRoute(bundle), ...viewRoutes(parts)], port);
}
