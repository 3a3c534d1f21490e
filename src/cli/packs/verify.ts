/** `tauflow data verify`: checks packs, and prints the audit of their tasks. */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  auditFolder,
  type AuditedPack,
  FINDING_KINDS,
  SEVERITIES,
  type AuditReport,
  type Finding,
  type Severity,
  type SplitAudit,
} from '../../pack-tools/audit/index.ts';
import {
  WARNING_KINDS,
  listPacks,
  verifyPack,
  type PackReport,
  type PackWarning,
  type SplitReport,
} from '../../benchmarks/packs/index.ts';
import { snakeKeys } from '../../run-log/index.ts';
import { countRecords } from './counts.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import Table from 'cli-table3';
import { escapeControls } from '../terminal/style.ts';

export interface VerifyFlags {
  readonly json?: boolean;
  /** True to look for wrong ground truths, too. */
  readonly audit?: boolean;
  readonly failOn?: string;
}

/** @throws UsageError if a name is not a pack's, or the flags contradict each other */
export async function verifyPacks(
  packs: readonly string[],
  flags: VerifyFlags,
  context: CliContext,
): Promise<ExitCode> {
  const failOn = flags.failOn === undefined ? undefined : readFailOn(flags.failOn);
  if (failOn !== undefined && flags.audit !== true) throw new UsageError('--fail-on needs --audit; give both.');
  const reports: VerifiedPack[] = [];
  for (const folder of await findFolders(packs, context)) {
    reports.push(flags.audit === true ? await auditFolder(folder) : await verifyPack(folder));
  }
  if (flags.json === true) printJson(reports.map(toJson), context);
  else for (const report of reports) context.out(renderReport(report));
  const broken = reports.filter(({ problems }) => problems.length > 0).length;
  if (broken > 0) {
    context.log(`error: ${broken} of ${reports.length} packs cannot be used.`);
    return ExitCode.Usage;
  }
  if (failOn === undefined) return ExitCode.Done;
  const failed = reports.filter(({ audit }) => audit !== undefined && audit !== null && isFailed(audit, failOn)).length;
  if (failed === 0) return ExitCode.Done;
  context.log(`${failed} of ${reports.length} packs have findings that fail --fail-on ${failOn}.`);
  return ExitCode.Failed;
}

/** A checked pack, with its audit if one was requested. */
type VerifiedPack = PackReport & Partial<Pick<AuditedPack, 'audit'>>;

async function findFolders(packs: readonly string[], { cwd, home }: CliContext): Promise<string[]> {
  const known = await listPacks({ home });
  if (packs.length === 0) return known.map(({ path }) => path);
  return packs.map((pack) => {
    const path = resolve(cwd, pack);
    if (/[\\/]|^\.+$/.test(pack) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
    const named = known.find(({ name }) => name === pack);
    if (named !== undefined) return named.path;
    throw new UsageError(
      `there is no pack "${pack}"; give a folder, or one of: ${known.map((k) => k.name).join(', ')}.`,
    );
  });
}

function renderReport({ folder, problems, warnings, summary, audit }: VerifiedPack): string {
  const lines = [`${problems.length === 0 ? '✓' : '✗'} ${folder}`];
  if (summary !== null) {
    const { ref, domain, records, splits, toolUse } = summary;
    const used = Object.values(toolUse).filter((calls) => calls > 0).length;
    const counts = countRecords(records);
    lines.push(`  ${ref.name}, ${domain}, digest ${ref.digest}`);
    lines.push(`  ${counts.join(', ')}; the tasks use ${used} of ${Object.keys(toolUse).length} tools`);
    lines.push(...splits.map((split) => `  ${renderSplit(split)}`));
  }
  lines.push(...problems.map((problem) => `  problem: ${problem}`));
  // The audit covers the warnings about tasks.
  const apart = ({ text }: PackWarning) => audit === undefined || !text.startsWith(join(folder, 'tasks-'));
  lines.push(...renderWarnings(warnings.filter(apart)));
  if (audit !== undefined && summary !== null) lines.push(...renderAudit(audit));
  return lines.join('\n');
}

/** Most warnings of a kind to print; `--json` prints all. */
const MOST_OF_KIND = 3;

function renderWarnings(warnings: readonly PackWarning[]): string[] {
  const kinds = [...new Set(warnings.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const texts = warnings.filter((warning) => warning.kind === kind).map(({ text }) => text);
    if (texts.length <= MOST_OF_KIND) return texts.map((text) => `  warning: ${text}`);
    return [
      `  warning: ${texts.length} ${WARNING_KINDS[kind]}; the first ${MOST_OF_KIND} (--json has all):`,
      ...texts.slice(0, MOST_OF_KIND).map((text) => `    ${text}`),
    ];
  });
}

function renderSplit({ split, tasks, actions, withOutputs, doNothing, withErrors }: SplitReport): string {
  return (
    `${split}: ${tasks} tasks, ${actions} actions; ${withOutputs} ask for an answer, ${doNothing.length} for nothing ` +
    `to be changed, ${withErrors.length} have a call that fails`
  );
}

/** Converts a checked pack to JSON. Names of records, tools and splits keep their spelling. */
function toJson({ folder, problems, warnings: found, summary, audit }: VerifiedPack): object {
  const warnings = found.map(({ text }) => text);
  const audited = audit === undefined ? {} : { audit: snakeKeys(audit) };
  if (summary === null) return { folder, problems, warnings, summary, ...audited };
  const { records, toolUse, splits, ref, ...rest } = summary;
  const described = { ...rest, ref, records, tool_use: toolUse, splits: splits.map(snakeKeys) };
  return { folder, problems, warnings, summary: described, ...audited };
}

/** Severities that `--fail-on` accepts. Remarks never cause a failure. */
const FAIL_ON = ['wrong', 'suspicious'] as const satisfies readonly Severity[];
type FailOn = (typeof FAIL_ON)[number];

/** @throws UsageError for an unknown severity */
function readFailOn(word: string): FailOn {
  const known = FAIL_ON.find((severity) => severity === word);
  if (known !== undefined) return known;
  throw new UsageError(`--fail-on must be ${FAIL_ON.join(' or ')}, not "${word}".`);
}

/** @returns true if there is a finding of that severity or a higher one */
function isFailed({ counts }: AuditReport, failOn: FailOn): boolean {
  return counts.wrong > 0 || (failOn === 'suspicious' && counts.suspicious > 0);
}

/** Formats the audit. The table has only the number of remarks; `--json` has them in full. */
function renderAudit(audit: AuditReport | null): string[] {
  if (audit === null) return ['  audit: skipped, because the ground truth could not be replayed'];
  const { splits, counts, findings } = audit;
  const counted = SEVERITIES.map((severity) => `${counts[severity]} ${severity === 'remark' ? 'remarks' : severity}`);
  return [
    `  audit: ${counted.join(', ')}`,
    ...splits.map((split) => `  ${renderSplitAudit(split)}`),
    ...(findings.length === 0 ? [] : indentText(renderTable(findings, splits))),
    ...FAIL_ON.flatMap((severity) => findings.filter((found) => found.severity === severity).flatMap(renderFinding)),
  ];
}

function renderSplitAudit({ split, tasks, doNothing, floor, wrong, ceiling }: SplitAudit): string {
  const idle = `doing nothing solves ${doNothing.length} of ${tasks} tasks (${percent(floor)})`;
  const best =
    wrong.length === 0 ? '' : `; ${wrong.length} cannot be right, ${percent(ceiling)} are without such a finding`;
  return `${split}: ${idle}${best}`;
}

function renderTable(findings: readonly Finding[], splits: readonly SplitAudit[]): string {
  const table = new Table({
    head: ['a task that …', 'severity', 'tasks'],
    style: { head: [], border: [] },
    colWidths: [50, 12, 52],
    wordWrap: true,
  });
  for (const [kind, title] of Object.entries(FINDING_KINDS)) {
    for (const severity of SEVERITIES) {
      const alike = findings.filter((found) => found.kind === kind && found.severity === severity);
      if (alike.length > 0) table.push([title, severity, formatTasks(alike, splits)]);
    }
  }
  return table.toString();
}

/** Formats tasks: `test 12, 64–66; dev 3`. */
function formatTasks(findings: readonly Finding[], splits: readonly SplitAudit[]): string {
  const parts = splits.flatMap(({ split }) => {
    const ids = new Set(findings.filter((found) => found.split === split).map(({ task }) => task));
    return ids.size === 0 ? [] : [`${split} ${ranges(Array.from(ids).sort((a, b) => a - b))}`];
  });
  return parts.join('; ');
}

/** Most tasks to list, before the number of further ones. */
const MAX_LISTED = 40;

/** @param ids ascending, each once */
function ranges(ids: readonly number[]): string {
  if (ids.length > MAX_LISTED) return `(${ids.length} tasks)`;
  const runs: { first: number; last: number }[] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run?.last === id - 1) run.last = id;
    else runs.push({ first: id, last: id });
  }
  return runs
    .map(({ first, last }) => (last - first < 2 ? Array.from(new Set([first, last])).join(', ') : `${first}–${last}`))
    .join(', ');
}

function renderFinding({ severity, split, task, text, evidence }: Finding): string[] {
  return [`  ${severity}: ${split} ${task}: ${text}`, ...evidence.map((line) => `    ${line}`)].map(withoutControls);
}

/** Removes control characters of pack texts from a line, but not its indentation. */
function withoutControls(line: string): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length) + escapeControls(text);
}

function indentText(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
