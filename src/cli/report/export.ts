/**
 * `tauflow export RUN`: writes a run for other tools: as one JSON document, as an Inspect log, as flat tables, and in
 * other formats.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
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
  runDocument,
  stepRows,
  type TableRow,
} from '../../results/export/index.ts';
import { resultsFormats } from '../../benchmarks/contents.ts';
import type { RunManifest } from '../../run-log/index.ts';
import type { Report } from '../../results/report/index.ts';
import { UsageError } from '../../errors/index.ts';
import type { CliContext } from '../context.ts';
import { addHelpSections } from '../help.ts';
import { RUN_LOG_PLACE } from '../flag-values.ts';
import { outputFolder } from '../run-log.ts';
import { openExported, readLogRecords, type ExportSource } from './export-source.ts';
import { writeOutput, writeText } from './output.ts';
import { exportSubmission, type SubmissionFlags } from './submission.ts';

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
    .argument('<run...>', 'run id, or folder of a run; with tau2 several, one for each domain')
    .addOption(new Option('--format <format>', 'what to write').choices(FORMATS))
    .option('--preflight', "check the runs for τ³-bench's leaderboard; with tau2, write only what it takes")
    .addOption(new Option('--table <table>', 'with csv and jsonl: what a row is (default: episodes)').choices(TABLES))
    .option('--output <file>', 'file to write; - is stdout (default: a file in <log-dir>, named after the run)')
    .option('--log-dir <folder>', RUN_LOG_PLACE, 'results')
    .action(async (subjects: readonly string[], flags: Partial<ExportFlags> & SubmissionFlags) => {
      const { format, table, preflight } = flags;
      if (format === undefined && preflight !== true) {
        throw new UsageError('say with --format what to write, or check a submission with --preflight.');
      }
      if (table !== undefined && format !== 'csv' && format !== 'jsonl') {
        throw new UsageError(`--table is for csv and jsonl; ${format ?? 'a check'} has episodes with their steps.`);
      }
      if (format === undefined || preflight === true || resultsFormats.some(({ name }) => name === format)) {
        await exportSubmission(subjects, flags, context);
      } else await exportRun(subjects, { ...flags, format }, context);
    });
  addHelpSections(command, HELP);
}

async function exportRun([subject = '', ...others]: readonly string[], flags: ExportFlags, context: CliContext) {
  const { format } = flags;
  if (format === 'inspect' && flags.output !== undefined && flags.output !== '-' && !flags.output.endsWith('.json')) {
    throw new UsageError(
      `--output ${flags.output}: Inspect reads a log as JSON if its name ends in .json; name it so.`,
    );
  }
  if (others[0] !== undefined) {
    throw new UsageError(`only tau2 takes several runs at once; export ${others[0]} with a command of its own.`);
  }
  const exported = await openExported(subject, flags.logDir, context);
  const { log, manifest, report } = exported;
  const output = flags.output ?? join(outputFolder(log.logDir, context), fileName(flags, manifest));
  const problems: string[] = [];
  await writeOutput(
    output,
    exportPieces(flags, exported, (problem) => problems.push(problem)),
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
}

/** Writes the aggregate, which contains the name and the digest of the instances' file. */
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
  await writeText(beside, `${JSON.stringify(aggregate, null, 2)}\n`, context);
  context.log(`fill in the organization in ${beside} before you publish it.`);
}

const LINE_FEED = 0x0a;

function fileName({ format, table = 'episodes' }: ExportFlags, manifest: RunManifest): string {
  if (format === 'inspect') return inspectFileName(manifest);
  if (format === 'eee') return join(`${manifest.runId}.eee`, everyEvalEverPath(manifest));
  return `${manifest.runId}.${ENDINGS[format] ?? `${table}.${format}`}`;
}

const ENDINGS: Readonly<Record<string, string>> = {
  json: 'run.json',
  atif: 'atif.jsonl',
  hf: 'eval_results.yaml',
};

async function* exportPieces(
  { format, table = 'episodes' }: ExportFlags,
  { log, manifest, report }: ExportSource,
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
  if (format === 'csv')
    yield csvLines([heading(withCondition(table === 'steps' ? STEP_COLUMNS : EPISODE_COLUMNS, hasConditions))]);
  const lines = format === 'csv' ? csvLines : jsonLines;
  if (table === 'episodes') yield lines(episodeRows(report));
  else for await (const record of records()) yield lines(stepRows(record, hasConditions));
}

/** True for formats of other programs that have no conditions, so that they get only the episodes of `base`. */
function isWithoutConditions(format: string): boolean {
  return !['csv', 'jsonl', 'json'].includes(format);
}

function heading(columns: readonly string[]): TableRow {
  return Object.fromEntries(columns.map((name) => [name, name]));
}

function jsonLines(rows: readonly TableRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
