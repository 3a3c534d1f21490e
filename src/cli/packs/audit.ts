/** Renders the audit of `tauflow data verify --audit`: a table by kind of finding, and a line for each to look at. */

import Table from 'cli-table3';
import {
  FINDING_KINDS,
  SEVERITIES,
  type AuditReport,
  type Finding,
  type Severity,
  type SplitAudit,
} from '../../audit/index.ts';
import { UsageError } from '../../errors/index.ts';
import { printable } from '../terminal/style.ts';

/** The severities at which `--fail-on` fails; remarks are no fault. */
const FAIL_ON = ['wrong', 'suspicious'] as const satisfies readonly Severity[];
export type FailOn = (typeof FAIL_ON)[number];

/** @throws UsageError for another word */
export function readFailOn(word: string): FailOn {
  const known = FAIL_ON.find((severity) => severity === word);
  if (known !== undefined) return known;
  throw new UsageError(`--fail-on must be ${FAIL_ON.join(' or ')}, not "${word}".`);
}

/** @returns true if there is a finding of that severity or a graver one */
export function isFailed({ counts }: AuditReport, failOn: FailOn): boolean {
  return counts.wrong > 0 || (failOn === 'suspicious' && counts.suspicious > 0);
}

/** Remarks are only counted in the table; `--json` has them in full. */
export function renderAudit(audit: AuditReport | null): string[] {
  if (audit === null) return ['  audit: skipped, because the ground truth could not be replayed'];
  const { splits, counts, findings } = audit;
  const counted = SEVERITIES.map((severity) => `${counts[severity]} ${severity === 'remark' ? 'remarks' : severity}`);
  return [
    `  audit: ${counted.join(', ')}`,
    ...splits.map((split) => `  ${renderSplit(split)}`),
    ...(findings.length === 0 ? [] : indented(renderTable(findings, splits))),
    ...FAIL_ON.flatMap((severity) => findings.filter((found) => found.severity === severity).flatMap(renderFinding)),
  ];
}

function renderSplit({ split, tasks, doNothing, floor, wrong, ceiling }: SplitAudit): string {
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
      if (alike.length > 0) table.push([title, severity, tasksOf(alike, splits)]);
    }
  }
  return table.toString();
}

/** `test 12, 64–66; dev 3`. */
function tasksOf(findings: readonly Finding[], splits: readonly SplitAudit[]): string {
  const parts = splits.flatMap(({ split }) => {
    const ids = new Set(findings.filter((found) => found.split === split).map(({ task }) => task));
    return ids.size === 0 ? [] : [`${split} ${ranges(Array.from(ids).sort((a, b) => a - b))}`];
  });
  return parts.join('; ');
}

/** More tasks than these are counted instead of listed. */
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

/** Removes control characters of pack texts from a line, keeping its indentation. */
function withoutControls(line: string): string {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length) + printable(text);
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
