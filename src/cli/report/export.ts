/** `tauflow export RUN`: a run for other tools, as one JSON document, as an Inspect log or as flat tables. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import {
  withCondition,
  EPISODE_COLUMNS,
  STEP_COLUMNS,
  atifTrajectories,
  csvLines,
  episodeRows,
  everyEvalEverAggregate,
  everyEvalEverInstances,
  everyEvalEverPath,
  huggingFaceResult,
  inspectFileName,
  inspectLog,
  isListedByInspect,
  leaderboardFigures,
  runDocument,
  stepRows,
  toExportedEpisode,
  type TableRow,
} from '../../results/export/index.ts';
import { resultsFormats, type ResultsFormat, type Submission } from '../../benchmarks/contents.ts';
import type { EpisodeRecord, RunLog, RunManifest } from '../../run-log/index.ts';
import { reportOfRun, type Report } from '../../results/report/index.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import { addHelpSections } from '../help.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import { packFinder } from '../find-run.ts';
import { findReadable, outputFolder } from '../run-log.ts';
import { writeOutput } from './output.ts';

const FORMATS = ['json', 'inspect', 'atif', 'eee', 'hf', ...resultsFormats.map(({ name }) => name), 'csv', 'jsonl'];
const TABLES = ['episodes', 'steps'] as const;

interface ExportFlags {
  readonly logDir: string;
  readonly format: string;
  readonly table?: (typeof TABLES)[number];
  readonly output?: string;
}

const HELP = {
  'Formats:': [
    ['json', 'one document of the whole run: configuration, metrics, and each episode with its task and conversation'],
    [
      'inspect',
      "a log that Inspect's commands, its view and inspect_ai list and read: task is sample, trial + 1 is epoch",
    ],
    ['atif', 'trajectories of Harbor (ATIF 1.7), one per line'],
    ['eee', 'instances of Every Eval Ever 0.3, one per line, and the aggregate beside them'],
    ['hf', 'the score as YAML for .eval_results/ of a model on Hugging Face'],
    ...resultsFormats.map(({ name, help }) => [name, help] as const),
    ['csv', 'a table with a row per episode, or with --table steps a row per step'],
    ['jsonl', 'the same, a JSON object per line, with the same type in every line of a column'],
  ],
} as const;

export function defineExportCommand(command: Command, context: CliContext): void {
  command
    .argument('<run>', 'run id, or folder of a run')
    .addOption(new Option('--format <format>', 'what to write').choices(FORMATS).makeOptionMandatory())
    .addOption(new Option('--table <table>', 'with csv and jsonl: what a row is (default: episodes)').choices(TABLES))
    .option('--output <file>', 'file to write; - is stdout (default: a file in <log-dir>, named after the run)')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .action(async (subject: string, flags: ExportFlags) => {
      context.end(await exportRun(subject, flags, context));
    });
  addHelpSections(command, HELP);
}

async function exportRun(subject: string, flags: ExportFlags, context: CliContext): Promise<ExitCode> {
  const { format, table } = flags;
  if (format !== 'csv' && format !== 'jsonl' && table !== undefined) {
    throw new UsageError(`--table is for csv and jsonl; ${format} has episodes with their steps.`);
  }
  if (format === 'inspect' && flags.output !== undefined && flags.output !== '-' && !flags.output.endsWith('.json')) {
    throw new UsageError(
      `--output ${flags.output}: Inspect reads a log as JSON if its name ends in .json; name it so.`,
    );
  }
  const found = await findReadable(subject, flags.logDir, context);
  if (found.kind === 'file') {
    throw new UsageError(`${subject} is a results file, and only a run log has what is exported; name a run.`);
  }
  const { log } = found;
  const manifest = await log.readRun();
  if (manifest === null) throw new UsageError(`the run ${log.runId} has no run.json yet; wait until it has started.`);
  const report = await reportOfRun(log, packFinder(context));
  const resultsFormat = resultsFormats.find(({ name }) => name === format);
  const writer = resultsFormat?.open(manifest, await packFinder(context)(manifest.config.pack));
  const output = flags.output ?? join(outputFolder(log.logDir, context), fileName(flags, manifest));
  const problems: string[] = [];
  await writeOutput(
    output,
    exportPieces(flags, { log, manifest, report, writer }, (problem) => problems.push(problem)),
    context,
  );
  if (format === 'eee' && output !== '-') await writeAggregate(output, report, manifest, context);
  if (format === 'hf') context.log('fill in the id of the data set on the Hub, and check the id of its task.');
  for (const problem of problems) context.log(`warning: ${problem}; it is left out.`);
  if (report.conditions.length > 0 && isWithoutConditions(format)) {
    context.log(`${format} has no conditions, so it has the episodes of base only; csv, jsonl and json have all.`);
  }
  if (format === 'inspect' && output !== '-' && !isListedByInspect(basename(output))) {
    context.log(
      `Inspect opens ${output}, but lists only logs whose names begin with a time, such as ${inspectFileName(manifest)}.`,
    );
  }
  if (writer !== undefined && output !== '-') {
    await writeSubmission(output, writer.submission(leaderboardFigures(report), basename(output)), context);
  }
  return ExitCode.Done;
}

/** Writes `submission.json` beside the results file, or prints why the leaderboard would refuse the run. */
async function writeSubmission(output: string, submission: Submission, context: CliContext): Promise<void> {
  if (submission.kind === 'refused') {
    context.log(submission.reason);
    return;
  }
  const file = join(dirname(output), 'submission.json');
  await writeOutput(file, one(`${JSON.stringify(submission.document, null, 2)}\n`), context);
  context.log(`fill in the organizations and the contact in ${file} before you submit it.`);
}

/** Writes the aggregate, which names the file of the instances and its digest. */
async function writeAggregate(
  output: string,
  report: Report,
  manifest: RunManifest,
  context: CliContext,
): Promise<void> {
  const digest = createHash('sha256');
  let rows = 0;
  for await (const chunk of createReadStream(resolve(context.cwd, output)) as AsyncIterable<Buffer>) {
    digest.update(chunk);
    for (const byte of chunk) if (byte === LINE_FEED) rows += 1;
  }
  const file = { checksum: digest.digest('hex'), rows };
  const aggregate = everyEvalEverAggregate(report, manifest, file, new Date());
  const beside = output.replace(/(?:_samples)?\.jsonl$/, '') + '.json';
  await writeOutput(beside, one(`${JSON.stringify(aggregate, null, 2)}\n`), context);
  context.log(`fill in the organization in ${beside} before you publish it.`);
}

const LINE_FEED = 0x0a;

async function* one(piece: string): AsyncGenerator<string, void, undefined> {
  yield await Promise.resolve(piece);
}

function fileName({ format, table = 'episodes' }: ExportFlags, manifest: RunManifest): string {
  if (format === 'inspect') return inspectFileName(manifest);
  if (format === 'eee') return join(`${manifest.runId}.eee`, everyEvalEverPath(manifest));
  const resultsFormat = resultsFormats.find(({ name }) => name === format);
  const ending = resultsFormat?.fileName ?? ENDINGS[format] ?? `${table}.${format}`;
  return `${manifest.runId}.${ending}`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  json: 'run.json',
  atif: 'atif.jsonl',
  hf: 'eval_results.yaml',
};

interface Exported {
  readonly log: RunLog;
  readonly manifest: RunManifest;
  readonly report: Report;
  readonly writer: ReturnType<ResultsFormat['open']> | undefined;
}

async function* exportPieces(
  { format, table = 'episodes' }: ExportFlags,
  { log, manifest, report, writer }: Exported,
  onProblem: (problem: string) => void,
): AsyncGenerator<string, void, undefined> {
  const hasConditions = report.conditions.length > 0;
  const records = () => readLogRecords(log, onProblem, hasConditions && !isWithoutConditions(format));
  if (format === 'inspect' || format === 'json') {
    yield* (format === 'json' ? runDocument : inspectLog)(report, manifest, records());
    return;
  }
  if (format === 'atif') return yield* atifTrajectories(manifest, records());
  if (format === 'eee') return yield* everyEvalEverInstances(manifest, records());
  if (format === 'hf') {
    const result = huggingFaceResult(report, manifest);
    if (result === null)
      throw new UsageError(`the run ${manifest.runId} has no score; export it when an episode has one.`);
    return yield result;
  }
  if (writer !== undefined) {
    const episodes = async function* () {
      for await (const record of records()) yield toExportedEpisode(record);
    };
    yield* writer.write(episodes());
    return;
  }
  if (format === 'csv')
    yield csvLines([heading(withCondition(table === 'steps' ? STEP_COLUMNS : EPISODE_COLUMNS, hasConditions))]);
  const lines = format === 'csv' ? csvLines : jsonLines;
  if (table === 'episodes') yield lines(episodeRows(report));
  else for await (const record of records()) yield lines(stepRows(record, hasConditions));
}

/** Formats of other programs, which know no conditions: they get the episodes of `base`. */
function isWithoutConditions(format: string): boolean {
  return !['csv', 'jsonl', 'json'].includes(format);
}

/** Task by task. */
async function* readLogRecords(
  log: RunLog,
  onProblem: (problem: string) => void,
  withConditions: boolean,
): AsyncGenerator<EpisodeRecord, void, undefined> {
  const { episodes, problems } = await log.listEpisodes();
  for (const problem of problems) onProblem(problem);
  yield* log.records(
    episodes
      .filter(({ condition }) => withConditions || condition === undefined)
      .sort((a, b) => a.taskId - b.taskId || a.trial - b.trial),
    onProblem,
  );
}

function heading(columns: readonly string[]): TableRow {
  return Object.fromEntries(columns.map((name) => [name, name]));
}

function jsonLines(rows: readonly TableRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
