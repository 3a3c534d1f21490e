/** Server of `tauflow view`: a local web app over a log folder. Reads files only, and needs no Temporal server. */

import { loadBundle, type WebBundle } from '../bundle.ts';
import { contentSecurityPolicy, framePage } from '../page.ts';
import type { ViewedPlace } from './folder.ts';
import { serveRoutes, type ServerRoute, type ViewServer } from './http.ts';
import { LiveReader, type FindState } from './live.ts';
import { viewRoutes } from './routes.ts';
import { RunReader, type ViewContext } from './run.ts';
import { RunLister } from './runs.ts';
import { TrendReader } from './trends.ts';

export type { ViewedPlace };

export interface ViewOptions extends ViewContext {
  readonly place: ViewedPlace;
  /** Port to listen on; 0: any free one. */
  readonly port: number;
  /** Finds the states of runs. @default states are read from the log */
  readonly findState?: FindState;
  /**
   * Script and style of the page.
   * @default the app's
   */
  readonly bundle?: () => Promise<WebBundle>;
}

/** @throws PortTakenError */
export function startViewServer({
  place,
  port,
  bundle = loadBundle,
  findState = () => Promise.resolve(null),
  ...context
}: ViewOptions): Promise<ViewServer> {
  const parts = {
    place,
    lister: new RunLister(place, findState),
    reader: new RunReader(place, context),
    live: new LiveReader(findState),
    trends: new TrendReader(place),
  };
  return serveRoutes([pageRoute(bundle), ...viewRoutes(parts)], port);
}

/** Returns the route of the page. The page has no data; its script requests it from the server. */
function pageRoute(load: () => Promise<WebBundle>): ServerRoute {
  return {
    method: 'GET',
    path: '',
    answer: async () => {
      const bundle = await load();
      const policy = contentSecurityPolicy(bundle, "connect-src 'self'", "frame-ancestors 'none'");
      return {
        type: 'text/html',
        version: `${bundle.script}${bundle.style}`,
        headers: { 'Content-Security-Policy': policy },
        text: () => {
          const head = '<link rel="icon" href="data:,">';
          return Promise.resolve(
            framePage(bundle, { title: 'Tauflow', head, noScript: 'The view needs JavaScript.' }).join(''),
          );
        },
      };
    },
  };
}
