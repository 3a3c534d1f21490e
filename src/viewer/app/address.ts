/** Addresses of views: the view and its filters, in the part after `#`. Pure. */

import { USER_FAULT_KINDS, FAULT_KINDS, type FaultKind } from '../../analysis/index.ts';
import type { EpisodeKey } from '../../evaluation/index.ts';
import type { PayloadEpisode, PayloadRun } from '../data/payload.ts';
import { splitQuery } from '../data/words.ts';
import { isSuccess } from '../../results/metrics/index.ts';
import type { RowOutcome } from '../../run-log/index.ts';
import { NO_NOTES, type Note, type Notes } from './notes.ts';

/** Position among a report's runs, from `0`, or the id of a run in a log folder. */
export type RunKey = string;

export type Route =
  /** All runs of a log folder; a report lists its own runs instead. */
  | { readonly page: 'runs'; readonly list: ListFilters }
  /** A schedule's name; null: all. */
  | { readonly page: 'schedules'; readonly schedule: string | null }
  /** Empty: all runs of a report. */
  | { readonly page: 'compare'; readonly runs: readonly RunKey[] }
  | { readonly page: 'run'; readonly run: RunKey }
  | { readonly page: 'task'; readonly run: RunKey; readonly taskId: number }
  | {
      readonly page: 'episode';
      readonly run: RunKey;
      readonly taskId: number;
      readonly trial: number;
      /** Condition of the episode. @default `base` */
      readonly condition?: string;
      readonly step: number | null;
    };

export interface Place {
  readonly route: Route;
  /** Filters of the list, the same on all pages, so that the next episode is the next filtered one. */
  readonly filters: Filters;
}

/** Formats an address: `#/episode/0/17/2/step-5?outcome=max_steps`. */
export function formatHash({ route, filters }: Place): string {
  const query = route.page === 'runs' ? writeList(route.list) : writeFilters(filters);
  return `#/${formatPath(route)}${query === '' ? '' : `?${query}`}`;
}

/** Parses an address; null for an invalid one. */
export function parseHash(hash: string): Place | null {
  const [path = '', query = ''] = splitAt(hash.replace(/^#\/?/, ''), '?');
  if (path === '') return { route: { page: 'runs', list: readList(query) }, filters: NO_FILTERS };
  const route = parseRoute(path.split('/'));
  return route === null ? null : { route, filters: query === '' ? NO_FILTERS : readFilters(query) };
}

function formatPath(route: Route): string {
  switch (route.page) {
    case 'runs':
      return '';
    case 'schedules':
      return route.schedule === null ? 'schedules' : `schedule/${encodeURIComponent(route.schedule)}`;
    case 'compare':
      return ['compare', ...route.runs.map(encodeURIComponent)].join('/');
    case 'run':
      return `run/${encodeURIComponent(route.run)}`;
    case 'task':
      return `task/${encodeURIComponent(route.run)}/${route.taskId}`;
    case 'episode': {
      const step = route.step === null ? '' : `/step-${route.step}`;
      return `episode/${encodeURIComponent(route.run)}/${formatEpisodeKey(route)}${step}`;
    }
  }
}

function parseRoute([page, ...parts]: readonly string[]): Route | null {
  if (page === 'compare') {
    const runs = parts.map(decodePart);
    return runs.every((run) => run !== '') ? { page, runs } : null;
  }
  if (page === 'schedules') return parts.length === 0 ? { page, schedule: null } : null;
  const run = decodePart(parts[0] ?? '');
  if (run === '') return null;
  if (page === 'schedule') return { page: 'schedules', schedule: run };
  if (page === 'run') return { page, run };
  const [taskId, trial] = parts.slice(1, 3).map((part) => (/^\d+$/.test(part) ? Number(part) : NaN));
  if (taskId === undefined || Number.isNaN(taskId)) return null;
  if (page === 'task') return { page, run, taskId };
  if (page !== 'episode' || trial === undefined || Number.isNaN(trial)) return null;
  const [, condition, step] =
    /^(?:(?!step-)([a-z][a-z0-9-]*))?\/?(?:step-([1-9]\d*))?$/.exec(parts.slice(3).join('/')) ?? [];
  return { page, run, taskId, trial, condition, step: step === undefined ? null : Number(step) };
}

/** Decodes a part of an address; empty for an invalid one. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Filters and order of the list of runs. */
export interface ListFilters {
  /** Words that a run must have. */
  readonly query: string;
  readonly status: string | null;
  /** Domain, such as `retail`. */
  readonly domain: string | null;
  readonly sort: ListSort;
  /** True for the reverse of the column's default order. */
  readonly isReversed: boolean;
}

export const LIST_SORTS = ['started', 'run', 'score', 'episodes', 'errors', 'cost', 'strategy', 'model'] as const;

export type ListSort = (typeof LIST_SORTS)[number];

export const WHOLE_LIST: ListFilters = { query: '', status: null, domain: null, sort: 'started', isReversed: false };

function writeList({ query, status, domain, sort, isReversed }: ListFilters): string {
  const search = new URLSearchParams();
  if (query !== '') search.set('q', query);
  if (status !== null) search.set('status', status);
  if (domain !== null) search.set('domain', domain);
  if (sort !== WHOLE_LIST.sort || isReversed) search.set('sort', isReversed ? `-${sort}` : sort);
  return search.toString();
}

function readList(text: string): ListFilters {
  const search = new URLSearchParams(text);
  const asked = search.get('sort') ?? '';
  const sort = LIST_SORTS.find((name) => name === asked.replace(/^-/, ''));
  return {
    query: search.get('q') ?? '',
    status: search.get('status'),
    domain: search.get('domain'),
    sort: sort ?? WHOLE_LIST.sort,
    isReversed: sort !== undefined && asked.startsWith('-'),
  };
}

export interface Filters {
  /** Words that an episode must have; `17/2` is task 17, trial 2. */
  readonly query: string;
  /** True to search in conversations too. */
  readonly inConversations: boolean;
  readonly outcome: RowOutcome | null;
  readonly fault: FaultKind | null;
  readonly reward: 'solved' | 'unsolved' | null;
  readonly suspect: boolean;
  /** True for tasks with a known defect only. */
  readonly defect: boolean;
  /** True for episodes with a note only. */
  readonly labelled: boolean;
}

export const NO_FILTERS: Filters = {
  query: '',
  inConversations: false,
  outcome: null,
  fault: null,
  reward: null,
  suspect: false,
  defect: false,
  labelled: false,
};

/** Returns the address's part after `?`; empty without filters. */
function writeFilters(filters: Filters): string {
  const query = new URLSearchParams();
  if (filters.query !== '') query.set('q', filters.query);
  if (filters.inConversations) query.set('in', 'all');
  if (filters.outcome !== null) query.set('outcome', filters.outcome);
  if (filters.fault !== null) query.set('fault', filters.fault);
  if (filters.reward !== null) query.set('reward', filters.reward);
  if (filters.suspect) query.set('suspect', '1');
  if (filters.defect) query.set('defect', '1');
  if (filters.labelled) query.set('labelled', '1');
  return query.toString();
}

function readFilters(text: string): Filters {
  const query = new URLSearchParams(text);
  const fault = query.get('fault');
  const reward = query.get('reward');
  return {
    query: query.get('q') ?? '',
    inConversations: query.get('in') === 'all',
    outcome: query.get('outcome') as RowOutcome | null,
    fault: fault !== null && Object.hasOwn(FAULT_KINDS, fault) ? (fault as FaultKind) : null,
    reward: reward === 'solved' || reward === 'unsolved' ? reward : null,
    suspect: query.get('suspect') === '1',
    defect: query.get('defect') === '1',
    labelled: query.get('labelled') === '1',
  };
}

export function isFiltered(filters: Filters): boolean {
  return writeFilters({ ...filters, inConversations: false }) !== '';
}

/** Formats a key: `17/2`, `17/2/tool-errors`. */
export function formatEpisodeKey({ taskId, trial, condition }: EpisodeKey): string {
  return `${taskId}/${trial}${condition === undefined ? '' : `/${condition}`}`;
}

/**
 * Filters the run's episodes.
 * @param said keys of the episodes whose conversations contain the query; null before the search
 * @param notes by `formatEpisodeKey`
 */
export function filterEpisodes(
  run: PayloadRun,
  filters: Filters,
  said: ReadonlySet<string> | null,
  notes: Notes = NO_NOTES,
): PayloadEpisode[] {
  const defective = new Set(run.notes?.defects.map(({ taskId }) => taskId));
  const words = splitQuery(filters.query);
  return run.episodes.filter(
    (episode) =>
      (filters.outcome === null || episode.outcome === filters.outcome) &&
      (filters.fault === null || episode.faults.some(({ kind }) => kind === filters.fault)) &&
      (filters.reward === null || isSuccess(episode.reward) === (filters.reward === 'solved')) &&
      (!filters.suspect || episode.isSuspect) &&
      (!filters.defect || defective.has(episode.taskId)) &&
      (!filters.labelled || notes.has(formatEpisodeKey(episode))) &&
      (isNamed(run, episode, words, notes.get(formatEpisodeKey(episode))) ||
        (filters.inConversations && said?.has(formatEpisodeKey(episode)) === true)),
  );
}

function isNamed(run: PayloadRun, episode: PayloadEpisode, words: readonly string[], note: Note | undefined): boolean {
  if (words.length === 0) return true;
  const { taskId, trial, outcome, faults, userFaults, error, tools, verdict } = episode;
  const text = [
    episode.condition ?? '',
    outcome,
    episode.taskName ?? '',
    ...faults.map(({ kind, faultType }) => `${kind} ${FAULT_KINDS[kind]} ${faultType ?? ''}`),
    ...userFaults.map((kind) => `${kind} ${USER_FAULT_KINDS[kind]}`),
    ...tools.map((tool) => run.tools[tool] ?? ''),
    verdict === null ? '' : `judge: ${verdict.author} ${verdict.faultType ?? ''}`,
    error ?? '',
    ...(note === undefined ? [] : [...note.labels, note.text]),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => {
    const named = /^(\d+)(?:\/(\d+))?$/.exec(word);
    if (named === null) return text.includes(word);
    return Number(named[1]) === taskId && (named[2] === undefined || Number(named[2]) === trial);
  });
}
