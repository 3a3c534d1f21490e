/** The body of `tauflow data verify`. */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { auditFolder, type AuditedPack } from '../../audit/index.ts';
import {
  WARNING_KINDS,
  listPacks,
  verifyPack,
  type PackReport,
  type PackWarning,
  type SplitReport,
} from '../../packs/index.ts';
import { snakeKeys } from '../../results/log/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { isFailed, readFailOn, renderAudit } from './audit.ts';

export interface VerifyFlags {
  readonly json?: boolean;
  /** Look for ground truths that cannot be right as well. */
  readonly audit?: boolean;
  readonly failOn?: string;
}

/** @throws UsageError when a name is that of no pack, or the flags do not fit */
export async function verifyPacks(
  packs: readonly string[],
  flags: VerifyFlags,
  context: CliContext,
): Promise<ExitCode> {
  const failOn = flags.failOn === undefined ? undefined : readFailOn(flags.failOn);
  if (failOn !== undefined && flags.audit !== true) throw new UsageError('--fail-on needs --audit; give both.');
  const reports: Report[] = [];
  for (const folder of await foldersOf(packs, context)) {
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

/** Without `audit`, none was asked for. */
type Report = PackReport & Partial<Pick<AuditedPack, 'audit'>>;

async function foldersOf(packs: readonly string[], { cwd, home }: CliContext): Promise<string[]> {
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

function renderReport({ folder, problems, warnings, summary, audit }: Report): string {
  const lines = [`${problems.length === 0 ? '✓' : '✗'} ${folder}`];
  if (summary !== null) {
    const { ref, domain, records, splits, toolUse } = summary;
    const used = Object.values(toolUse).filter((calls) => calls > 0).length;
    const counts = Object.entries(records).map(([table, count]) => `${count} ${table}`);
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

/** Of a kind so many are shown; `--json` has them all. */
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

/** Tools, tables and splits are names, which are not to be respelt. */
function toJson({ folder, problems, warnings: found, summary, audit }: Report): object {
  const warnings = found.map(({ text }) => text);
  const audited = audit === undefined ? {} : { audit: snakeKeys(audit) };
  if (summary === null) return { folder, problems, warnings, summary, ...audited };
  const { records, toolUse, splits, ref, ...rest } = summary;
  const described = { ...rest, ref, records, tool_use: toolUse, splits: splits.map(snakeKeys) };
  return { folder, problems, warnings, summary: described, ...audited };
}
