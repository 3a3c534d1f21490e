/** The current place of the page, for all components. Links, the back button and keys change it. */

import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { EpisodeKey } from '../../evaluation/index.ts';
import { NO_FILTERS, WHOLE_LIST, formatHash, parseHash, type Place, type Route, type RunKey } from './address.ts';

interface Navigation {
  readonly place: Place;
  /** Returns the address of another view with the same filters. */
  readonly linkTo: (route: Route) => string;
  readonly go: (route: Route) => void;
  /** Replaces the current address, without an entry for the back button. */
  readonly amend: (place: Partial<Place>) => void;
}

const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (navigation === null) throw new Error('useNavigation is used outside of Navigated');
  return navigation;
}

interface RunRoutes {
  readonly key: RunKey;
  readonly up: Route;
  readonly task: (taskId: number) => Route;
  readonly episode: (episode: EpisodeKey, step?: number) => Route;
}

/** Returns routes within the addressed run; a report's first run by default. */
export function useRunRoutes(): RunRoutes {
  const { route } = useNavigation().place;
  const run = 'run' in route ? route.run : '0';
  return {
    key: run,
    up: { page: 'run', run },
    task: (taskId) => ({ page: 'task', run, taskId }),
    episode: ({ taskId, trial, condition }, step) => ({
      ...{ page: 'episode', run, taskId, trial, condition, step: step ?? null },
    }),
  };
}

/** Scroll position of each view when it was left. */
const scrolled = new Map<string, number>();

export function Navigated({ home, children }: { readonly home: Route; readonly children: ComponentChildren }) {
  const read = (): Place => parseHash(location.hash) ?? { route: home, filters: NO_FILTERS };
  const [place, setPlace] = useState(read);

  useEffect(() => {
    history.scrollRestoration = 'manual';
    const onChange = ({ oldURL }: HashChangeEvent) => {
      scrolled.set(formatView(parseHash(new URL(oldURL).hash)?.route ?? home), window.scrollY);
      setPlace(read());
    };
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);

  const view = formatView(place.route);
  useLayoutEffect(() => {
    const isRead = ['runs', 'run', 'compare'].includes(place.route.page);
    window.scrollTo(0, isRead ? (scrolled.get(view) ?? 0) : 0);
  }, [view]);

  const navigation: Navigation = {
    place,
    linkTo: (route) => formatHash({ ...place, route }),
    go: (route) => {
      location.hash = formatHash({ ...place, route });
    },
    amend: (changes) => {
      const next = { ...place, ...changes };
      history.replaceState(null, '', formatHash(next));
      setPlace(next);
    },
  };
  return <NavigationContext.Provider value={navigation}>{children}</NavigationContext.Provider>;
}

function formatView(route: Route): string {
  if (route.page === 'runs') return formatHash({ route: { ...route, list: WHOLE_LIST }, filters: NO_FILTERS });
  return formatHash({ route: route.page === 'episode' ? { ...route, step: null } : route, filters: NO_FILTERS });
}

type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Runs a key's action unless the reader is typing. */
export function useKeys(keys: Keys): void {
  // A layout effect, so that a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const act = keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [keys]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}
