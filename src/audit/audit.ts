/**
 * The audit of a pack's tasks: finds ground truths that cannot be right, and what else is worth knowing before a score
 * is read. Pure: a pack goes in, findings come out, and nothing that a pack says makes it throw.
 */

import { domains } from '../benchmark/index.ts';
import { PackError, inspectPack, readPack, type Pack, type PackReport } from '../packs/index.ts';
import { checkCalls, checkNoOps, checkRepeatedReads, checkUndone } from './checks/calls.ts';
import { checkDuplicates, checkEarlyEnd, checkNothing, checkSteps, isDoNothing, isUnchanged } from './checks/ending.ts';
import { checkIdentity, checkValues } from './checks/values.ts';
import { checkOutputs } from './checks/outputs.ts';
import { replayTask } from './replay.ts';
import {
  FINDING_KINDS,
  SEVERITIES,
  packContext,
  type AuditReport,
  type AuditedTask,
  type Finding,
  type SplitAudit,
  type TaskCheck,
} from './task.ts';

const CHECKS: readonly TaskCheck[] = [
  checkCalls,
  checkNoOps,
  checkUndone,
  checkRepeatedReads,
  checkOutputs,
  checkIdentity,
  checkValues,
  checkEarlyEnd,
  checkSteps,
  checkNothing,
];

/**
 * @param names the splits to audit: tasks that repeat one of another split are reported only if both are audited. @default all
 * @returns null for a domain that the program has no behaviour of, whose ground truth cannot be replayed
 */
export function auditPack(pack: Pack, names: readonly string[] = Object.keys(pack.splits)): AuditReport | null {
  if (!domains.has(pack.domain)) return null;
  const tasks = names.flatMap((split) =>
    (pack.splits[split] ?? []).map((task, id): AuditedTask => ({ split, id, task, replay: replayTask(pack, task) })),
  );
  const context = packContext(pack, tasks);
  const findings = [
    ...tasks.flatMap((audited) => CHECKS.flatMap((check) => check(audited, context))),
    ...checkDuplicates(tasks, context),
  ].sort(byKind);
  const splits = names.map((split) =>
    splitAudit(
      split,
      tasks.filter((audited) => audited.split === split),
      findings.filter((found) => found.split === split),
    ),
  );
  const countOf = (severity: Finding['severity']) => findings.filter((found) => found.severity === severity).length;
  return {
    splits,
    counts: { wrong: countOf('wrong'), suspicious: countOf('suspicious'), remark: countOf('remark') },
    findings,
  };
}

function splitAudit(split: string, tasks: readonly AuditedTask[], findings: readonly Finding[]): SplitAudit {
  const doNothing = tasks.filter(isDoNothing).map(({ id }) => id);
  const wrongIds = findings.filter(({ severity }) => severity === 'wrong').map(({ task }) => task);
  const wrong = Array.from(new Set(wrongIds)).sort((a, b) => a - b);
  return {
    split,
    tasks: tasks.length,
    doNothing,
    floor: doNothing.length / tasks.length,
    unchanged: tasks.filter(isUnchanged).map(({ id }) => id),
    wrong,
    ceiling: 1 - wrong.length / tasks.length,
  };
}

const KIND_ORDER: readonly string[] = Object.keys(FINDING_KINDS);

/** Sorts by severity within a kind; the sort is stable, so tasks stay in their order. */
function byKind(a: Finding, b: Finding): number {
  return (
    KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
  );
}

export interface AuditedPack extends PackReport {
  /** Null when the pack could not be read, or the program does not know its domain. */
  readonly audit: AuditReport | null;
}

/** Reports problems of the pack; never rejects because of them. */
export async function auditFolder(folder: string): Promise<AuditedPack> {
  try {
    const pack = await readPack(folder);
    return { folder, problems: [], ...inspectPack(folder, pack), audit: auditPack(pack) };
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { folder, problems: error.problems, warnings: [], summary: null, audit: null };
  }
}
