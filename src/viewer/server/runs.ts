/** The list of all runs of a log folder, and of the results files beside them. */

import { statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../../io/index.ts';
import { selectCondition, computeMetrics } from '../../results/metrics/index.ts';
import {
  ResultsError,
  RunLog,
  listLoneFiles,
  listRunFolders,
  readBaselines,
  rowOfEntry,
  type RunManifest,
} from '../../run-log/index.ts';
import {
  listedFigures,
  readRows,
  readListedFigures,
  reportOfEntries,
  reportOfOther,
  subjectOfRun,
  type ListedFigures,
  type Report,
} from '../../results/report/index.ts';
import { readResultsFile, resultsFileIn, simulationsFolder } from '../../results/files/index.ts';
import { isOtherResults, createTaskNumbers, readRecordedRuns, toEntries } from '../../results/formats/index.ts';
import type { ListedRun, RunList } from '../data/api.ts';
import type { FindState } from './live.ts';
import {
  VersionedCache,
  toRunOfFile,
  findLink,
  isRunId,
  linkSentence,
  readStamp,
  type Stamp,
  type ViewedPlace,
} from './folder.ts';

/** A run, or the reason why it cannot be listed; both null for a file that is neither. */
interface ListedEntry {
  readonly run: Omit<ListedRun, 'baselines' | 'state'> | null;
  readonly problem: string | null;
  /** Start of the run, which orders the list; ISO 8601, UTC. */
  readonly startedAt: string;
}

/**
 * Most runs whose figures stay in memory, more than a folder usually has. The figures of further runs are read again.
 */
const MOST_KEPT = 5_000;

/** Matches the id of a run that a schedule started, from `scheduledRunId`; the schedule's name comes first. */
const SCHEDULED_RUN_ID = /^(.+)-\d{4}-\d\d-\d\dT\d{6}Z(?:-[1-9]\d*)?$/;

export class RunLister {
  readonly #place: ViewedPlace;
  readonly #looked = new VersionedCache<ListedEntry>(MOST_KEPT);
  readonly #files = new VersionedCache<ListedEntry[]>(MOST_KEPT);

  readonly #findState: FindState;

  constructor(place: ViewedPlace, findState: FindState) {
    this.#place = place;
    this.#findState = findState;
  }

  /** Returns the list; reads only changes since the last call. */
  async list(): Promise<{ readonly list: RunList; readonly version: string }> {
    const { logDir, folder } = this.#place;
    const problems: string[] = [];
    const baselines = await this.#readBaselines(problems);
    const folders = (await listRunFolders(folder)).filter(isRunId);
    const files = (await listLoneFiles(folder)).filter((name) => name !== 'baselines.json');
    const places = new Map(files.map((name) => [name, path.join(folder, name)]));
    for (const name of await readdir(folder).catch(() => [])) {
      const results = name.startsWith('.') ? null : resultsFileIn(path.join(folder, name));
      // A results folder has the same address as a file of its name.
      if (results !== null && !places.has(`${name}.json`)) places.set(`${name}.json`, results);
    }
    const versions: string[] = [JSON.stringify([...baselines])];
    const found: ListedEntry[] = [];
    // One at a time, because a results file may be large, and two at a time are no faster.
    for (const id of folders) {
      const { version, value } = this.#lookAtRun(id);
      versions.push(`${id} ${version}`);
      found.push(await value);
    }
    for (const [id, file] of places) {
      const stamp = readStamp([file, simulationsFolder(file)]);
      versions.push(`${id} ${stamp.version}`);
      found.push(...(await this.#files.get(id, stamp.version, () => lookAtFile(id, file, stamp))));
    }
    found.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    const runs = await Promise.all(
      found.flatMap(({ run }) => (run === null ? [] : [this.#complete(run, baselines.get(run.id) ?? [])])),
    );
    versions.push(JSON.stringify(runs.map(({ state }) => state)));
    problems.push(...found.flatMap(({ problem }) => problem ?? []));
    return { list: { logDir, runs, problems }, version: versions.join('\n') };
  }

  async #complete(run: NonNullable<ListedEntry['run']>, baselines: readonly string[]): Promise<ListedRun> {
    const isOpen = run.kind === 'run' && run.subject.status === 'running';
    return { ...run, baselines, state: isOpen ? await this.#findState(this.#openLog(run.id)) : null };
  }

  #openLog(id: string): RunLog {
    return new RunLog({ runId: id, logDir: this.#place.logDir }, this.#place.folder);
  }

  /**
   * Reads a run. The rows of a run in progress change with every episode, so the rows of a long run are counted only at
   * intervals.
   */
  #lookAtRun(id: string): { readonly version: string; readonly value: Promise<ListedEntry> } {
    const log = this.#openLog(id);
    const { run, metrics, rows, episodes } = log.paths;
    const stamp = readStamp([run, metrics, rows, episodes]);
    const { size = 0 } = statSync(rows, { throwIfNoEntry: false }) ?? {};
    const patienceMs = size < SMALL_ROWS_BYTES ? 0 : size / ROWS_BYTES_PER_MS;
    // The end of a run is shown at once.
    const name = `${id} ${readStamp([run, metrics]).version}`;
    return this.#looked.getRecent(name, stamp.version, patienceMs, () => lookAtRun(log, stamp));
  }

  async #readBaselines(problems: string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const names = new Map<string, string[]>();
    try {
      for (const [name, subject] of Object.entries(await readBaselines(this.#place.folder))) {
        names.set(subject, [...(names.get(subject) ?? []), name]);
      }
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      problems.push(error.message);
    }
    return names;
  }
}

/**
 * Size up to which rows are counted at each change: a thousand rows, counted in less time than a page takes to draw.
 */
const SMALL_ROWS_BYTES = 1_000_000;
/**
 * Bytes of rows per millisecond between two counts: 10 MB (10,000 episodes) take a second to count, so they are counted
 * at most every ten seconds.
 */
const ROWS_BYTES_PER_MS = 1_000;

async function lookAtRun(log: RunLog, stamp: Stamp): Promise<ListedEntry> {
  let problem: string | null = null;
  try {
    const link = findLink(log.paths.folder);
    if (link !== null) return { run: null, problem: linkSentence(log.runId, link), startedAt: '' };
    const manifest = await log.readRun();
    if (manifest === null) return { run: null, problem: null, startedAt: '' };
    const figures = await figuresOfRun(log, manifest, (sentence) => {
      problem = sentence;
    });
    const subject = subjectOfRun(manifest);
    const run: ListedEntry['run'] = {
      id: log.runId,
      kind: 'run',
      subject: { ...subject, agentModel: figures.agentModel ?? subject.agentModel },
      schedule: SCHEDULED_RUN_ID.exec(log.runId)?.[1] ?? null,
      ...figures,
      changedAt: new Date(stamp.changedAtMs).toISOString(),
    };
    return { run, problem, startedAt: manifest.startedAt };
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    return { run: null, problem: error.message, startedAt: '' };
  }
}

/** Reads the figures from `metrics.json` if the run has ended, or counts the rows of a run in progress. */
async function figuresOfRun(
  log: RunLog,
  { status }: RunManifest,
  onProblem: (sentence: string) => void,
): Promise<ListedFigures> {
  const written = status === 'running' ? null : await readListedFigures(log, onProblem);
  if (written !== null) return written;
  const { rows, archived } = await readRows(log);
  const others = rows.filter(({ condition }) => condition !== undefined);
  const metrics = computeMetrics(selectCondition(rows, undefined), archived);
  return listedFigures({ ...metrics, conditions: { others: { metrics: computeMetrics(others) } } });
}

/**
 * Bytes read from a file's beginning. The guidelines of the simulated user come first and are some tens of kilobytes.
 */
const HEAD_BYTES = 128 * 1024;

/** @returns each run in the file; for a file of another kind one without a run and without a problem */
async function lookAtFile(id: string, file: string, stamp: Stamp): Promise<ListedEntry[]> {
  const startedAt = new Date(stamp.changedAtMs).toISOString();
  const toLooked = (name: string, { subject, metrics }: Report): ListedEntry => {
    const run = {
      id: name,
      kind: 'file',
      subject,
      schedule: null,
      ...listedFigures(metrics),
      changedAt: null,
    } as const;
    return { run, problem: null, startedAt };
  };
  try {
    if (!(await hasResults(file))) return [{ run: null, problem: null, startedAt }];
    const runs = (await isOtherResults(file)) ? ((await readRecordedRuns(file)) ?? []) : [];
    if (runs.length < 2) return [toLooked(id, reportOfEntries(file, await readResultsFile(file), null))];
    return runs.map((run, at) => {
      const { entries } = toEntries(run, createTaskNumbers(runs));
      return toLooked(
        toRunOfFile(id, at + 1),
        reportOfOther(
          run,
          entries.map((entry) => rowOfEntry(entry, 'tools')),
        ),
      );
    });
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    return [{ run: null, problem: error.message, startedAt }];
  }
}

/**
 * True for a results file: its JSON is a list, as in tau-bench, or begins with the settings of the run, as in other
 * benchmarks. Other documents of a log folder are no lists.
 */
async function hasResults(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = decodeText(buffer.subarray(0, bytesRead)).trimStart();
    const isTau = head.startsWith('[') || (head.startsWith('{') && /"(?:environment_info|simulations)"\s*:/.test(head));
    return isTau || (await isOtherResults(file));
  } finally {
    await handle.close();
  }
}
