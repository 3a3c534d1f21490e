/** One run or results file as the view shows it. Its overview is made of rows: no record is read for it that has one. */

import { detectForm, orReport, type RecordingForm, type RunLog, type RunManifest } from '../results/log/index.ts';
import { verdictsOnRecords, type Verdict } from '../results/judge/index.ts';
import { overviewOfRun, type RunOverview } from '../results/page/index.ts';
import {
  packOfRun,
  readFullRows,
  reportOfEntries,
  reportOfRows,
  type FileTasks,
  type FindPack,
  type Report,
} from '../results/report/index.ts';
import { readResultsFile, type ResultsFileEntry } from '../results/tau-bench/index.ts';
import type { Pack } from '../packs/index.ts';
import { Remembered, findViewed, stampOf, type Viewed } from './folder.ts';
import { statSync } from 'node:fs';

/** Finds what the log folder alone does not have. */
export interface Surroundings {
  /** @default the view has no analyses of older records, and no notes on their tasks */
  readonly findPack?: FindPack;
  /** The pack that a results file was made with; null where that is not plain. @default no file's is */
  readonly findTasks?: (entries: readonly ResultsFileEntry[]) => Promise<FileTasks | null>;
  /** Address of the Temporal UI of a run's server; null where it is not known. @default it is known of no run */
  readonly findUi?: (manifest: RunManifest | null) => Promise<string | null>;
}

interface ReadParts {
  readonly report: Report;
  readonly overview: RunOverview;
}

export type ReadSubject = ReadParts &
  (
    | {
        readonly kind: 'run';
        readonly log: RunLog;
        readonly manifest: RunManifest | null;
        /** Bytes of `rows.jsonl` that were read. */
        readonly cursor: number;
        readonly verdicts: ReadonlyMap<string, Verdict>;
        readonly pack: () => Promise<Pack | undefined>;
      }
    | {
        readonly kind: 'file';
        readonly entries: readonly ResultsFileEntry[];
        readonly form: RecordingForm;
        readonly tasks: FileTasks | null;
      }
  );

/** A run of thousands of episodes takes some tens of megabytes, and people look at few at a time. */
const MOST_KEPT = 6;

export class RunReader {
  readonly #logDir: string;
  readonly #surroundings: Surroundings;
  readonly #read = new Remembered<ReadSubject>(MOST_KEPT);

  constructor(logDir: string, surroundings: Surroundings) {
    this.#logDir = logDir;
    this.#surroundings = surroundings;
  }

  /** @throws Refusal for a run that is not there */
  find(id: string): Viewed {
    return findViewed(this.#logDir, id);
  }

  /** Changes when something of the subject has been written. */
  versionOf(viewed: Viewed): string {
    if (viewed.kind === 'file') return stampOf([viewed.path]).version;
    const { run, rows, episodes, archive, tasks, verdicts } = viewed.log.paths;
    return stampOf([run, rows, episodes, archive, tasks, verdicts]).version;
  }

  /** @throws ResultsError for what cannot be read */
  read(viewed: Viewed): Promise<ReadSubject> {
    return this.#read.get(viewed.id, this.versionOf(viewed), () =>
      viewed.kind === 'file' ? this.#readFile(viewed.path) : this.#readRun(viewed.log),
    );
  }

  async findUi(manifest: RunManifest | null): Promise<string | null> {
    return (await this.#surroundings.findUi?.(manifest)) ?? null;
  }

  async #readRun(log: RunLog): Promise<ReadSubject> {
    const cursor = statSync(log.paths.rows, { throwIfNoEntry: false })?.size ?? 0;
    const problems: string[] = [];
    const manifest = await orReport(
      () => log.readRun(),
      (sentence) => problems.push(sentence),
    );
    const pack = packOfRun(manifest, this.#surroundings.findPack);
    const logged = await readFullRows(log, pack);
    logged.problems.push(...problems);
    const report = await reportOfRows(log, manifest, logged, pack);
    // The report has named those that are damaged.
    const verdicts = await verdictsOnRecords(log, () => undefined);
    const overview = overviewOfRun(report, logged.rows, verdicts);
    return { kind: 'run', log, manifest, cursor, report, overview, verdicts, pack };
  }

  async #readFile(path: string): Promise<ReadSubject> {
    const entries = await readResultsFile(path);
    const tasks = (await this.#surroundings.findTasks?.(entries)) ?? null;
    const report = reportOfEntries(path, entries, tasks);
    const overview = overviewOfRun(report, report.episodes, new Map());
    return { kind: 'file', entries, form: detectForm(entries), tasks, report, overview };
  }
}
