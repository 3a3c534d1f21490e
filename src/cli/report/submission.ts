/** `export --format tau2`, and `--preflight`: results files of runs, and their submission to the leaderboard. */

import { createReadStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { resultsFormats, type ResultsFormat } from '../../benchmarks/contents.ts';
import { UsageError } from '../../errors/index.ts';
import { leaderboardFigures, toExportedEpisode } from '../../results/export/index.ts';
import type { CliContext } from '../context.ts';
import { packFinder } from '../find-run.ts';
import { reportFindings } from '../findings.ts';
import { outputFolder } from '../run-log.ts';
import { openExported, readLogRecords, type ExportSource } from './export-source.ts';
import { writeOutput, writeText } from './output.ts';

export interface SubmissionFlags {
  readonly logDir: string;
  /** Format to write; absent: nothing is written. */
  readonly format?: string;
  readonly preflight?: true;
  readonly output?: string;
}

interface SubmittedFile extends ExportSource {
  readonly writer: ReturnType<ResultsFormat['open']>;
  /** Path of the results file. */
  readonly file: string;
}

export async function exportSubmission(subjects: readonly string[], flags: SubmissionFlags, context: CliContext) {
  const format = resultsFormats.find(({ name }) => flags.format === undefined || name === flags.format);
  if (format === undefined) throw new UsageError(`--preflight is for --format tau2; leave it out for ${flags.format}.`);
  if (flags.output === '-' && (subjects.length > 1 || flags.preflight === true)) {
    throw new UsageError('only the results file of one run, without --preflight, is written to stdout; name a file.');
  }
  const runs: SubmittedFile[] = [];
  for (const subject of subjects) {
    const run = await openExported(subject, flags.logDir, context);
    const writer = format.open(run.manifest, await packFinder(context)(run.manifest.config.pack));
    runs.push({ ...run, writer, file: nameFile(run, subjects.length === 1, format, flags, context) });
  }
  if (flags.preflight === true && !(await isFit(runs, format, context))) return;
  if (flags.format === undefined) return;
  for (const run of runs) {
    const problems: string[] = [];
    await writeOutput(
      run.file,
      writeResults(run, (problem) => problems.push(problem)),
      context,
    );
    for (const problem of problems) context.log(`warning: ${problem}; it is left out.`);
    if (run.report.conditions.length > 0) {
      context.log(
        `${format.name} has no conditions, so it has the episodes of base only; csv, jsonl and json have all.`,
      );
    }
  }
  if (flags.output !== '-') await writeSubmission(runs, format, context);
}

/**
 * Returns the path of a results file. Several runs get the folders of a submission, as from the benchmark's own tools.
 */
function nameFile(
  { log, manifest }: ExportSource,
  isAlone: boolean,
  format: ResultsFormat,
  { output }: SubmissionFlags,
  context: CliContext,
): string {
  const folder = outputFolder(log.logDir, context);
  if (isAlone) return output ?? join(folder, `${manifest.runId}.${format.fileName}`);
  return join(output ?? join(folder, 'submission'), 'trajectories', `${manifest.runId}.json`);
}

/** Prints the findings of the leaderboard's checks. */
async function isFit(runs: readonly SubmittedFile[], format: ResultsFormat, context: CliContext): Promise<boolean> {
  const problems: string[] = [];
  for (const run of runs) {
    const pieces = writeResults(run, (problem) => problems.push(problem));
    while ((await pieces.next()).done !== true);
  }
  for (const problem of problems) context.log(`warning: ${problem}.`);
  const findings = format.checkSubmission(listSubmitted(runs));
  await reportFindings({}, { json: false }, context, async (onFinding) => {
    findings.forEach(onFinding);
    await Promise.resolve();
  });
  return findings.every(({ state }) => state !== 'wrong');
}

function writeResults({ log, writer }: SubmittedFile, onProblem: (problem: string) => void) {
  const episodes = async function* () {
    for await (const record of readLogRecords(log, onProblem, false)) yield toExportedEpisode(record);
  };
  return writer.write(episodes());
}

function listSubmitted(runs: readonly SubmittedFile[]) {
  return runs.map(({ writer, report, file }) => writer.submitted(leaderboardFigures(report), basename(file)));
}

/** Writes `submission.json`, or prints the reasons why the leaderboard would refuse the runs. */
async function writeSubmission(runs: readonly SubmittedFile[], format: ResultsFormat, context: CliContext) {
  const submitted = listSubmitted(runs);
  const document = format.createSubmission(submitted);
  const wrong = format.checkSubmission(submitted).filter(({ state }) => state === 'wrong');
  if (document === null) {
    for (const { message } of wrong) context.log(`submission.json is not written: ${message}.`);
    return;
  }
  for (const { message } of wrong) context.log(`warning: ${message}.`);
  const results = runs[0]?.file ?? '';
  const folder = dirname(results);
  const isAlone = runs.length === 1;
  const file = join(isAlone ? folder : dirname(folder), 'submission.json');
  await writeText(file, `${JSON.stringify(document, null, 2)}\n`, context);
  if (isAlone) {
    // The leaderboard's tools look for the results there.
    const copy = createReadStream(resolve(context.cwd, results), 'utf8') as AsyncIterable<string>;
    await writeOutput(join(folder, 'trajectories', basename(results)), copy, context);
  }
  context.log(`fill in the organizations and the contact in ${file} before you submit it.`);
}
