/**
 * A run in progress: episodes recorded since the browser's last request, and the steps of open episodes. The browser
 * sends a request every second, so only new data is read.
 */

import { readdirSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import {
  OpenEpisodeReader,
  orReport,
  parseEpisodeLinesName,
  readAddedRows,
  type OpenEpisodeLine,
  type RunLog,
  type RunManifest,
} from '../../run-log/index.ts';
import { overviewOfEpisodes } from '../data/overview.ts';
import { episodeName, isUserRole, type EpisodeKey, type RunState } from '../../evaluation/index.ts';
import { sumCosts } from '../../episode/index.ts';
import type { LiveRun, OpenConversation, OpenEpisode } from '../data/api.ts';
import { readStamp } from './folder.ts';
import { countEpisodes } from '../../benchmarks/index.ts';

/** Most runs whose state is kept. */
const MAX_RUNS = 6;
const MINUTE_MS = 60_000;
const LAST_CHARS = 160;

interface KnownRun {
  manifest: { readonly version: string; readonly value: RunManifest | null } | null;
  /**
   * Time of the newest known change, its age by the clock when it was read, and the time of that reading in ms of
   * `performance.now()`.
   */
  quiet: { readonly lastMs: number; readonly ageMs: number; readonly seenAt: number } | null;
  open: Map<string, { readonly key: EpisodeKey; readonly reader: OpenEpisodeReader }>;
}

/** Finds the state of a run whose log has no end; null if unknown. */
export type FindState = (log: RunLog) => Promise<RunState | null>;

export class LiveReader {
  readonly #runs = new LRUCache<string, KnownRun>({ max: MAX_RUNS });
  readonly #findState: FindState;

  /** @param findState @default reads the state from the log alone */
  constructor(findState: FindState = () => Promise.resolve(null)) {
    this.#findState = findState;
  }

  /**
   * Reads the rows that a run added since an earlier answer, and its open episodes.
   *
   * @param after cursor of the earlier answer; 0: everything
   */
  async read(log: RunLog, after: number, { epochMs, elapsedMs } = readClocks()): Promise<LiveRun> {
    const known = this.#findKnown(log);
    // Read before the rows: an episode that ends in between is still listed as open, rather than missing from both.
    const opened = await readOpen(log, known);
    const { rows, next, isAnew } = await readAddedRows(log.paths, after);
    const manifest = await findManifest(log, known);
    const open = opened.map((episode) => ({ ...episode, taskName: manifest?.taskNames?.[episode.taskId] }));
    const { tools, episodes } = overviewOfEpisodes(rows, new Map());
    const endedAt = new Map(rows.map((row) => [episodeName(row), row.endedAt]));
    const { plan, status = null, startedAt = null } = manifest ?? {};
    const { rows: index, run, open: folder } = log.paths;
    const lastMs = Math.max(
      readStamp([index, run, folder]).changedAtMs,
      ...open.map(({ lastAt }) => Date.parse(lastAt)),
    );
    if (known.quiet?.lastMs !== lastMs) {
      // Only the first request has to trust the clock.
      const ageMs = known.quiet === null ? Math.max(0, epochMs - lastMs) : 0;
      known.quiet = { lastMs, ageMs, seenAt: elapsedMs };
    }
    return {
      cursor: next,
      isAnew: isAnew || after === 0,
      status,
      state: status === 'running' ? await this.#findState(log) : null,
      planned: plan === undefined ? null : countEpisodes(plan),
      startedAt,
      quietMinutes: Math.floor((known.quiet.ageMs + elapsedMs - known.quiet.seenAt) / MINUTE_MS),
      recorded: episodes.map((episode) => ({ ...episode, endedAt: endedAt.get(episodeName(episode)) ?? null })),
      tools,
      open,
    };
  }

  async conversation(log: RunLog, key: EpisodeKey): Promise<OpenConversation> {
    const lines = await openReader(log, this.#findKnown(log), key).read();
    return {
      lines: lines.map(({ at, role, tool, text, observation }) => ({ at, role, tool, text, observation })),
    };
  }

  #findKnown(log: RunLog): KnownRun {
    const known = this.#runs.get(log.paths.folder) ?? { manifest: null, quiet: null, open: new Map() };
    this.#runs.set(log.paths.folder, known);
    return known;
  }
}

/** Returns the time by the clock, and by a clock that never jumps. */
function readClocks() {
  return { epochMs: Date.now(), elapsedMs: performance.now() };
}

function openReader(log: RunLog, { open }: KnownRun, key: EpisodeKey): OpenEpisodeReader {
  const name = episodeName(key);
  const reader = open.get(name)?.reader ?? new OpenEpisodeReader(log.paths, key);
  open.set(name, { key, reader });
  return reader;
}

/** Reads the open episodes, the longest inactive one first. */
async function readOpen(log: RunLog, known: KnownRun): Promise<OpenEpisode[]> {
  const keys = namesIn(log.paths.open).flatMap((name) => parseEpisodeLinesName(name) ?? []);
  const names = new Set(keys.map(episodeName));
  for (const name of known.open.keys()) if (!names.has(name)) known.open.delete(name);
  const open: OpenEpisode[] = [];
  for (const key of keys) {
    const lines = await openReader(log, known, key).read();
    const [first, last] = [lines[0], lines.at(-1)];
    if (first !== undefined && last !== undefined) open.push({ ...key, ...summarizeLines(lines, first, last) });
  }
  return open.sort((a, b) => a.lastAt.localeCompare(b.lastAt));
}

function summarizeLines(lines: readonly OpenEpisodeLine[], first: OpenEpisodeLine, last: OpenEpisodeLine) {
  const { tool, role, text } = lines.findLast((line) => line.tool !== null || line.text !== '') ?? last;
  const words = tool === null ? `${role ?? ''}: ${text}` : `${tool} ${text}`;
  return {
    startedAt: first.at,
    lastAt: last.at,
    steps: countSteps(lines),
    costUsd: sumCosts(lines.map(({ costUsd }) => costUsd)),
    last: words.replaceAll(/\s+/g, ' ').slice(0, LAST_CHARS),
  };
}

/** Counts actions and messages to the user as steps. The user's first message answers no step. */
function countSteps(lines: readonly OpenEpisodeLine[]): number {
  let [steps, isUser] = [0, false];
  for (const { tool, role } of lines) {
    const wasUser = isUser;
    isUser = isUserReply(role);
    if (tool !== null || (isUser && !wasUser)) steps += 1;
  }
  return lines.some(({ role }) => isUserReply(role)) ? steps - 1 : steps;
}

/** True for a user's role. The role comes from a file, so it may be any text. */
function isUserReply(role: string | null): boolean {
  return role !== null && isUserRole(role as Parameters<typeof isUserRole>[0]);
}

async function findManifest(log: RunLog, known: KnownRun): Promise<RunManifest | null> {
  const { version } = readStamp([log.paths.run]);
  if (known.manifest?.version !== version) {
    // The run's own page reports a manifest that cannot be read.
    known.manifest = {
      version,
      value: await orReport(
        () => log.readRun(),
        () => undefined,
      ),
    };
  }
  return known.manifest.value;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The run has ended, or a version has run it that did not record what open episodes do.
    return [];
  }
}
