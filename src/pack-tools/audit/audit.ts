/**
 * The audit of a pack's tasks: finds ground truths that cannot be right, and what else is worth knowing before a score
 * is read. Pure: a pack goes in, findings come out, and nothing that a pack says makes it throw.
 */

import { domains } from '../../benchmark/index.ts';
import type { Pack } from '../../packs/index.ts';
import { checkCalls } from './checks/calls.ts';
import { checkDuplicates } from './checks/duplicates.ts';
import { checkNoOps, checkRepeatedReads, checkUndone } from './checks/effects.ts';
import { checkEarlyEnd, checkSteps } from './checks/ending.ts';
import { checkIdentity } from './checks/identity.ts';
import { checkNothing, isDoNothing, isUnchanged } from './checks/nothing.ts';
import { checkOutputs } from './checks/outputs.ts';
import { checkValues } from './checks/values.ts';
import { replayTask } from './replay.ts';
import { packContext, type AuditedTask, type TaskCheck } from './task.ts';
import { FINDING_KINDS, SEVERITIES, type AuditReport, type Finding, type SplitAudit } from './types.ts';

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
 * @param names the splits to audit: tasks that repeat one of another split are told of only where both are. All by default
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

/** Within a kind by severity; the sort is stable, so tasks stay in their order. */
function byKind(a: Finding, b: Finding): number {
  return (
    KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)
  );
}
