/** A run or results file as the view shows it. Its overview uses rows; records without a row are read. */

import { detectForm, type RecordingForm, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { statSync } from 'node:fs';
import { orReport, type RunLog, type RunManifest } from '../../run-log/index.ts';
import { readVerdicts, verdictsOnRecords, type Verdict } from '../../results/judge/index.ts';
import { overviewOfRun } from '../data/overview.ts';
import type { PayloadRun } from '../data/payload.ts';
import {
  packOfRun,
  readRows,
  reportOfEntries,
  reportOfRows,
  type FileTasks,
  type FindPack,
  type Report,
} from '../../results/report/index.ts';
import { readResultsFile } from '../../results/files/index.ts';
import { episodeName } from '../../evaluation/index.ts';
import { VersionedCache, findViewed, readStamp, type ViewedSource, type ViewedPlace } from './folder.ts';

/** Functions that find facts outside of the log folder. */
export interface ViewContext {
  /** Finds the pack of a run. @default the view has no notes on the tasks of runs */
  readonly findPack?: FindPack;
  /** Finds the pack that a results file was made with; null if that is not certain. @default finds none */
  readonly findTasks?: (entries: readonly ResultsFileEntry[]) => Promise<FileTasks | null>;
  /** Finds the address of the Temporal UI of a run's server; null if unknown. @default finds none */
  readonly findUi?: (manifest: RunManifest | null) => Promise<string | null>;
}

/** The data for showing an episode, beside its own record. */
export type EpisodeSource =
  | {
      readonly kind: 'run';
      readonly log: RunLog;
      readonly manifest: RunManifest | null;
      /** Verdicts of the judge by `episodeName`, also on records that have since been replaced. */
      readonly verdicts: ReadonlyMap<string, Verdict>;
    }
  | {
      readonly kind: 'file';
      readonly entries: readonly ResultsFileEntry[];
      readonly form: RecordingForm;
      readonly tasks: FileTasks | null;
      readonly report: Report;
    };

export interface ReadSubject {
  readonly manifest: RunManifest | null;
  readonly report: Report;
  readonly overview: PayloadRun;
  /** Number of bytes read from `rows.jsonl`; 0 for a file. */
  readonly cursor: number;
}

/**
 * Most runs in memory. A run of thousands of episodes takes some tens of megabytes, and users look at few at a time.
 */
const MOST_KEPT = 6;

export class RunReader {
  readonly #place: ViewedPlace;
  readonly #context: ViewContext;
  readonly #sources = new VersionedCache<EpisodeSource>(MOST_KEPT);
  readonly #read = new VersionedCache<ReadSubject>(MOST_KEPT);

  constructor(place: ViewedPlace, context: ViewContext) {
    this.#place = place;
    this.#context = context;
  }

  /** @throws Refusal for a run that does not exist */
  find(id: string): ViewedSource {
    return findViewed(this.#place, id);
  }

  /** Returns the subject's version, which changes when one of its files is written. */
  readVersion(viewed: ViewedSource): string {
    if (viewed.kind === 'file') return readStamp([viewed.path]).version;
    const { run, rows, episodes, archive, tasks, verdicts } = viewed.log.paths;
    return readStamp([run, rows, episodes, archive, tasks, verdicts]).version;
  }

  /** Returns the version of the documents that are shown with the episodes; it changes when one is written. */
  readSourceVersion(viewed: ViewedSource): string {
    if (viewed.kind === 'file') return readStamp([viewed.path]).version;
    const { run, verdicts } = viewed.log.paths;
    return readStamp([run, verdicts]).version;
  }

  /** @throws ResultsError for an unreadable subject */
  read(viewed: ViewedSource): Promise<ReadSubject> {
    return this.#read.get(viewed.id, this.readVersion(viewed), () =>
      viewed.kind === 'file' ? this.#readFile(viewed) : this.#readRun(viewed.log),
    );
  }

  /**
   * Reads a subject without its rows, which a run in progress adds to all the time. @throws ResultsError for an
   * unreadable subject
   */
  readSource(viewed: ViewedSource): Promise<EpisodeSource> {
    return this.#sources.get(viewed.id, this.readSourceVersion(viewed), () =>
      viewed.kind === 'file' ? this.#readFileSource(viewed) : this.#readRunSource(viewed.log),
    );
  }

  /** @returns null if unknown */
  async findUi(manifest: RunManifest | null): Promise<string | null> {
    return (await this.#context.findUi?.(manifest)) ?? null;
  }

  async #readRunSource(log: RunLog): Promise<EpisodeSource> {
    // The overview names what is damaged.
    const manifest = await orReport(
      () => log.readRun(),
      () => undefined,
    );
    const verdicts = await readVerdicts(log, () => undefined);
    return {
      kind: 'run',
      log,
      manifest,
      verdicts: new Map(verdicts.map((verdict) => [episodeName(verdict), verdict])),
    };
  }

  async #readFileSource({ path, run }: Extract<ViewedSource, { kind: 'file' }>): Promise<EpisodeSource> {
    const entries = await readResultsFile(path, run);
    const tasks = (await this.#context.findTasks?.(entries)) ?? null;
    return { kind: 'file', entries, form: detectForm(entries), tasks, report: reportOfEntries(path, entries, tasks) };
  }

  async #readRun(log: RunLog): Promise<ReadSubject> {
    const cursor = statSync(log.paths.rows, { throwIfNoEntry: false })?.size ?? 0;
    const problems: string[] = [];
    const manifest = await orReport(
      () => log.readRun(),
      (sentence) => problems.push(sentence),
    );
    const pack = packOfRun(manifest, this.#context.findPack);
    const logged = await readRows(log);
    logged.problems.push(...problems);
    const report = await reportOfRows(log, manifest, logged, pack);
    // The report already names damaged ones.
    const verdicts = await verdictsOnRecords(log, () => undefined);
    return { manifest, report, overview: overviewOfRun(report, logged.rows, verdicts), cursor };
  }

  async #readFile(viewed: ViewedSource): Promise<ReadSubject> {
    const source = await this.readSource(viewed);
    if (source.kind !== 'file') throw new TypeError(`${viewed.id} is not a results file`);
    const { report } = source;
    return { manifest: null, report, overview: overviewOfRun(report, report.episodes, new Map()), cursor: 0 };
  }
}
