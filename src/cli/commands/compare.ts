/** `tauflow compare`: reads run logs and results files, compares them, and prints the comparison. */

import { detectForm } from '../../benchmarks/results.ts';
import { Option, type Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import { RUN_LOGS_PLACE } from '../flag-values.ts';
import { join } from 'node:path';
import { presentComparison, readComparedRun, type ComparedRun } from '../../results/compare/index.ts';
import { describeFailures, parseGates } from '../../results/gates/index.ts';
import { renderMarkdown } from '../../results/document/index.ts';
import { resolveLogPlace, rowOfEntry, storeAddress, type RunLog } from '../../run-log/index.ts';
import { FAIL_IF_HELP } from '../../run-setup/options/index.ts';
import { collect } from '../options/flags.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { renderTerminal } from '../terminal/render.ts';
import { chooseStyle } from '../terminal/style.ts';
import { readResultsFile, requireDistinctEpisodes, resultsName } from '../../results/files/index.ts';
import { uiOfRun } from '../find-run.ts';
import { findBaseline } from './baseline.ts';
import { addScoreFlags, readOtherResults, type ScoreFlags } from '../recorded.ts';
import { findReadable, type Subject } from '../run-log.ts';

export function defineCompareCommand(command: Command, context: CliContext): void {
  command
    .argument(
      '<runs...>',
      'runs, the earliest first: ids, folders, or paths of results files; two or more, or with --baseline one or more',
    )
    .option('--baseline <name>', 'compare with the run that `baseline set` gave this name, which comes first')
    .option('--log-dir <folder>', RUN_LOGS_PLACE, 'results')
    .addOption(
      new Option('--format <format>', 'form of the comparison').choices(['table', 'json', 'markdown']).default('table'),
    )
    .option('--json', 'short for --format json')
    .option('--allow-different', 'also compare runs of different packs, envs or splits; match tasks by number')
    .option('--fail-on-regression', 'exit with 1 if a later run is worse than the first')
    .option('--fail-if <gate>', FAIL_IF_HELP, collect);
  addScoreFlags(command).action(async (runs: string[], flags: CompareFlags) => {
    context.end(await compareSubjects(runs, flags, context));
  });
}

interface CompareFlags extends ScoreFlags {
  readonly logDir: string;
  readonly baseline?: string;
  readonly format: 'table' | 'json' | 'markdown';
  readonly json?: boolean;
  readonly allowDifferent?: boolean;
  readonly failOnRegression?: boolean;
  readonly failIf?: readonly string[];
}

async function compareSubjects(named: readonly string[], flags: CompareFlags, context: CliContext): Promise<ExitCode> {
  const subjects =
    flags.baseline === undefined ? named : [await baselineSubject(flags.baseline, flags, context), ...named];
  const gates = parseGates(flags.failIf ?? [], undefined);
  const runs = await readSubjects(subjects, flags, context);
  if (gates.length > 0 && runs.length > 2) {
    throw new UsageError('--fail-if is for the comparison of two runs; compare each run with the first on its own.');
  }
  const comparison = presentComparison(runs, { allowDifferent: flags.allowDifferent === true, gates });
  const { incomparable, document, json, isRegression } = comparison;
  if (incomparable !== null) {
    const which = runs.length === 2 ? runs.map(({ runId }) => runId).join(' and ') : 'the runs';
    throw new UsageError(
      `${which} cannot be compared, because ${incomparable}; equal task numbers mean equal tasks only in the same pack ` +
        'and split. --allow-different compares them by number nevertheless.',
    );
  }
  if (flags.json === true || flags.format === 'json') printJson(json, context);
  else if (flags.format === 'markdown') context.out(renderMarkdown(document));
  else context.out(renderTerminal(document, chooseStyle(context.stdout, context.env)));
  const failures = describeFailures(comparison.gates);
  for (const failure of failures) context.log(failure);
  const isFailed = failures.length > 0 || (flags.failOnRegression === true && isRegression);
  return isFailed ? ExitCode.Failed : ExitCode.Done;
}

/** Returns the run's id if the log is in a store, otherwise an absolute path, which is valid in any working folder. */
async function baselineSubject(name: string, { logDir }: CompareFlags, context: CliContext): Promise<string> {
  const place = resolveLogPlace(logDir, context.cwd);
  const subject = await findBaseline(name, place, context);
  return storeAddress(place) === null ? join(place, subject) : subject;
}

/**
 * Reads the subjects, with distinct names: a run's id, or a file's name with the distinguishing part of its path.
 * @throws UsageError if one does not exist, or is given twice
 */
async function readSubjects(
  subjects: readonly string[],
  flags: CompareFlags,
  context: CliContext,
): Promise<ComparedRun[]> {
  const others = await readOtherResults(subjects, flags, context, false);
  if (others.flatMap((runs) => runs ?? [null]).length < 2)
    throw new UsageError('compare takes two runs or more; name the run to compare with as well.');
  const found: { readonly subject: string; readonly place: string; readonly run: ComparedRun | Subject }[] = [];
  for (const [index, subject] of subjects.entries()) {
    const runs = others[index] ?? null;
    if (runs === null) {
      const readable = await findReadable(subject, flags.logDir, context);
      found.push({ subject, place: formatPlace(readable), run: readable });
    }
    for (const { path, name, rows, benchmark } of runs ?? []) {
      found.push({ subject, place: `${path} ${name}`, run: { runId: name, rows, benchmark, manifest: null } });
    }
  }
  const places = found.map(({ place }) => place);
  const twice = found.find((_, index) => places.indexOf(places[index] ?? '') !== index);
  if (found.length > 2 && twice !== undefined) {
    throw new UsageError(`${twice.subject} is given twice; name each run once.`);
  }
  const runs: ComparedRun[] = [];
  for (const { run } of found) runs.push('kind' in run ? await readSubject(run, context) : run);
  const ids = runs.map(({ runId }) => runId);
  const isShared = (index: number) => places.some((place, i) => ids[i] === ids[index] && place !== places[index]);
  return runs.map((run, index) => (isShared(index) ? { ...run, runId: found[index]?.subject ?? run.runId } : run));
}

function formatPlace(subject: Subject): string {
  return subject.kind === 'file' ? subject.path : subject.log.shown.folder;
}

async function readSubject(subject: Subject, context: CliContext): Promise<ComparedRun> {
  if (subject.kind === 'run') return readRun(subject.log, context);
  const entries = await readResultsFile(subject.path);
  requireDistinctEpisodes(entries, subject.path);
  const form = detectForm(entries);
  const rows = entries.map((entry) => rowOfEntry(entry, form));
  return { runId: resultsName(subject.path), rows, manifest: null };
}

async function readRun(log: RunLog, context: CliContext): Promise<ComparedRun> {
  const warn = (problem: string) => context.log(`warning: ${problem}`);
  const run = await readComparedRun(log, warn);
  return { ...run, uiUrl: await uiOfRun(run.manifest, context) };
}
