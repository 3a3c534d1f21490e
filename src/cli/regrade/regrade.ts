/** The body of `tauflow regrade`. */

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { dumpJson } from '../../benchmarks/python/index.ts';
import { getContent } from '../../benchmarks/contents.ts';
import { getGrader } from '../../benchmarks/index.ts';
import { detectForm, type RecordingForm, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { sha256Hashing, writeFileAtomically } from '../../io/index.ts';
import { FORM_OF_STRATEGY } from '../../agents/index.ts';
import {
  regradeDocument,
  regradeEntry,
  regradeEntryElsewhere,
  summarize,
  type RegradedFile,
  type RegradedRecord,
} from '../../results/regrade/index.ts';
import { describeSystemError, planOrder, storeAddress } from '../../run-log/index.ts';
import { assembleResultsFile, readResultsFile, resultsFileIn } from '../../results/files/index.ts';
import { shownPath, type CliContext } from '../context.ts';
import { findReadable } from '../run-log.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { chooseStyle } from '../terminal/style.ts';
import { findRegradedTasks, type RegradedTasks, type SubjectFlags } from './subject.ts';
import { renderRegraded } from './table.ts';

export interface RegradeFlags extends SubjectFlags {
  readonly agentStrategy?: string;
  readonly logDir: string;
  readonly json?: boolean;
  readonly out?: string;
}

/** Largest file in MB. A file is read as a whole, and needs some six times its size in memory. */
const MAX_MEGABYTES = 200;

/** @throws UsageError, ResultsError, PackError if the file cannot be regraded */
export async function regradeFile(file: string, flags: RegradeFlags, context: CliContext): Promise<ExitCode> {
  const { path, shown } = await findFile(file, flags, context);
  await requireReadableSize(path, file);
  const entries = await readResultsFile(path);
  const form = FORM_OF_STRATEGY.get(flags.agentStrategy ?? '') ?? detectForm(entries);
  const subject = await findRegradedTasks(path, entries, form, flags, context);
  const { pack, split } = subject;
  const records = await regradeAll(entries, subject, form);
  const regraded: RegradedFile = {
    file: shown,
    env: pack.domain,
    split,
    pack: { name: pack.ref.name, digest: pack.ref.digest },
    form,
    summary: summarize(records),
    records,
  };
  await show(regraded, flags, context);
  return regraded.summary.rewardsDiffer === 0 ? ExitCode.Done : ExitCode.Failed;
}

/** Most simultaneous requests to a service; tau2's adapter has as many processes. */
const MOST_AT_ONCE = 4;

async function regradeAll(
  entries: readonly ResultsFileEntry[],
  subject: RegradedTasks,
  form: RecordingForm,
): Promise<RegradedRecord[]> {
  const { pack } = subject;
  const { regradeElsewhere: regrade } = getContent(pack.domain);
  if (regrade !== undefined) {
    const records: RegradedRecord[] = [];
    const left = entries.entries();
    const work = async () => {
      for (const [index, entry] of left) {
        records[index] = await regradeEntryElsewhere(entry, index, getTask(subject, entry), { pack, form, regrade });
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return records;
  }
  const { agent: hasher } = getGrader(pack.domain).openHashers(pack, sha256Hashing);
  const deps = { data: pack, hasher, form };
  return entries.map((entry, index) => regradeEntry(entry, index, getTask(subject, entry), deps));
}

/**
 * Returns the file to read, and its name in messages. For a run in a store, it makes the file from the run's records.
 */
async function findFile(
  subject: string,
  { logDir }: RegradeFlags,
  context: CliContext,
): Promise<{ readonly path: string; readonly shown: string }> {
  const named = resolve(context.cwd, subject);
  const path = resultsFileIn(named) ?? named;
  // A file that cannot be read is reported with the reason.
  if (/[\\/]|\.json$/.test(subject)) return { path, shown: path };
  const found = await findReadable(subject, logDir, context);
  if (found.kind === 'file') return { path: found.path, shown: found.path };
  const { log } = found;
  if (storeAddress(log.logDir) !== null) {
    const manifest = await log.readRun();
    await assembleResultsFile(log, manifest === null ? {} : { order: planOrder(manifest.plan, manifest.config.seed) });
  }
  return { path: log.paths.results, shown: log.shown.results };
}

async function show(regraded: RegradedFile, { json, out }: RegradeFlags, context: CliContext): Promise<void> {
  const document = json === true || out !== undefined ? dumpJson(regradeDocument(regraded), { indent: 2 }) : '';
  if (out !== undefined) {
    const path = resolve(context.cwd, out);
    try {
      await writeFileAtomically(path, `${document}\n`);
    } catch (error) {
      throw new UsageError(
        `the file ${out} cannot be written: ${describeSystemError(error)}; name another with --out.`,
      );
    }
    context.log(`wrote ${shownPath(path, context.cwd)}`);
  }
  context.out(json === true ? document : renderRegraded(regraded, chooseStyle(context.stdout, context.env)));
}

function getTask({ tasks }: RegradedTasks, { task_id: id }: ResultsFileEntry) {
  const task = tasks[id];
  if (task === undefined) throw new RangeError(`there is no task ${String(id)}`);
  return task;
}

async function requireReadableSize(path: string, file: string): Promise<void> {
  // A path that cannot be inspected cannot be read either; the reader reports it.
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size <= MAX_MEGABYTES * 1_000_000) return;
  throw new UsageError(
    `${file} has ${Math.ceil(size / 1_000_000)} MB, and regrade reads at most ${MAX_MEGABYTES} at once; ` +
      'split its list of results into several files.',
  );
}
