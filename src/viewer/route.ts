/** The current view as the part of the address after `#`: every view has a link of its own. Pure. */

import { NO_FILTERS, readFilters, writeFilters, type Filters } from './filters.ts';

export type Route =
  | { readonly page: 'compare' }
  | { readonly page: 'run'; readonly run: number }
  | { readonly page: 'task'; readonly run: number; readonly taskId: number }
  | {
      readonly page: 'episode';
      readonly run: number;
      readonly taskId: number;
      readonly trial: number;
      /** 1-based. */
      readonly step: number | null;
    };

export interface Place {
  readonly route: Route;
  /** Kept from page to page, so that the next episode is the next one of those asked for. */
  readonly filters: Filters;
}

/** `#/episode/0/17/2/step-5?outcome=max_steps` */
export function hashOf({ route, filters }: Place): string {
  const query = writeFilters(filters);
  return `#/${pathOf(route)}${query === '' ? '' : `?${query}`}`;
}

/** null for an address that is none of the page's. */
export function placeOf(hash: string): Place | null {
  const [path = '', query = ''] = splitAt(hash.replace(/^#\/?/, ''), '?');
  const route = routeOf(path.split('/'));
  return route === null ? null : { route, filters: query === '' ? NO_FILTERS : readFilters(query) };
}

function pathOf(route: Route): string {
  switch (route.page) {
    case 'compare':
      return 'compare';
    case 'run':
      return `run/${String(route.run)}`;
    case 'task':
      return `task/${String(route.run)}/${String(route.taskId)}`;
    case 'episode': {
      const step = route.step === null ? '' : `/step-${String(route.step)}`;
      return `episode/${String(route.run)}/${String(route.taskId)}/${String(route.trial)}${step}`;
    }
  }
}

function routeOf([page, ...parts]: readonly string[]): Route | null {
  if (page === 'compare') return parts.length === 0 ? { page } : null;
  const [run, taskId, trial] = parts.slice(0, 3).map((part) => (/^\d+$/.test(part) ? Number(part) : NaN));
  if (run === undefined || Number.isNaN(run)) return null;
  if (page === 'run') return { page, run };
  if (taskId === undefined || Number.isNaN(taskId)) return null;
  if (page === 'task') return { page, run, taskId };
  if (page !== 'episode' || trial === undefined || Number.isNaN(trial)) return null;
  const step = /^step-([1-9]\d*)$/.exec(parts[3] ?? '')?.[1];
  return { page, run, taskId, trial, step: step === undefined ? null : Number(step) };
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
