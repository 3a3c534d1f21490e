/** The body of `tauflow data verify`. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { listPacks } from '../../packs/find.ts';
import { verifyPack, type PackReport, type SplitReport } from '../../packs/verify.ts';
import { snakeKeys } from '../../results/plain.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../failures.ts';
import { printJson } from '../print-report.ts';

/** @throws UsageError when a name is that of no pack */
export async function verifyPacks(packs: readonly string[], json: boolean, context: CliContext): Promise<ExitCode> {
  const reports: PackReport[] = [];
  for (const folder of await foldersOf(packs, context)) reports.push(await verifyPack(folder));
  if (json) printJson(reports.map(toJson), context);
  else for (const report of reports) context.out(renderReport(report));
  const broken = reports.filter(({ problems }) => problems.length > 0).length;
  if (broken === 0) return ExitCode.Done;
  context.log(`error: ${broken} of ${reports.length} packs cannot be used.`);
  return ExitCode.Usage;
}

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

function renderReport({ folder, problems, warnings, summary }: PackReport): string {
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
  lines.push(...warnings.map((warning) => `  warning: ${warning}`));
  return lines.join('\n');
}

function renderSplit({ split, tasks, actions, withOutputs, doNothing, withErrors }: SplitReport): string {
  return (
    `${split}: ${tasks} tasks, ${actions} actions; ${withOutputs} ask for an answer, ${doNothing.length} for nothing ` +
    `to be changed, ${withErrors.length} have a call that fails`
  );
}

/** Tools, tables and splits are names, which are not to be respelt. */
function toJson({ folder, problems, warnings, summary }: PackReport): object {
  if (summary === null) return { folder, problems, warnings, summary };
  const { records, toolUse, splits, ref, ...rest } = summary;
  const described = { ...rest, ref, records, tool_use: toolUse, splits: splits.map(snakeKeys) };
  return { folder, problems, warnings, summary: described };
}
