/**
 * Audits a pack's tasks: finds ground truths that cannot be right, and facts that help to read a score. It is pure, and
 * no content of a pack makes it throw.
 */

import { domains, type Task } from '../../benchmarks/index.ts';
import { getContent, type TruthCheck } from '../../benchmarks/contents.ts';
import { readAndVerify, type Pack, type PackReport } from '../../benchmarks/packs/index.ts';
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
 * @param names the splits to audit. A repeated task is reported only if both splits are audited. @default all
 * @returns null for a domain that the program does not implement, because its ground truth cannot be replayed
 */
export function auditPack(pack: Pack, names: readonly string[] = Object.keys(pack.splits)): AuditReport | null {
  if (!domains.has(pack.domain)) return null;
  const { checkTruth } = getContent(pack.domain);
  return checkTruth === undefined ? auditReplays(pack, names) : auditTruths(pack, names, checkTruth);
}

/** Checks the calls of replayed ground truths. */
function auditReplays(pack: Pack, names: readonly string[]): AuditReport {
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
  return createReport(splits, findings);
}

/** Reports how the benchmark grades the ground truths. */
function auditTruths(
  pack: Pack,
  names: readonly string[],
  checkTruth: (pack: Pack, task: Task) => TruthCheck,
): AuditReport {
  const bySplit = names.map((split) => {
    const tasks = (pack.splits[split] ?? []).map((task, id) => ({ id, check: checkTruth(pack, task) }));
    const findings = tasks.flatMap(({ id, check }) => truthFindings({ split, task: id }, check));
    return { split, tasks, findings };
  });
  const splits = bySplit.map(({ split, tasks, findings }) =>
    splitFigures(split, tasks.length, findings, {
      doNothing: tasks.filter(({ check }) => check.isDoNothing).map(({ id }) => id),
      unchanged: tasks.filter(({ check }) => check.isUnchanged).map(({ id }) => id),
    }),
  );
  return createReport(splits, bySplit.flatMap(({ findings }) => findings).sort(byKind));
}

function truthFindings(
  place: Pick<Finding, 'split' | 'task'>,
  { isGood, raised, failed, isDoNothing }: TruthCheck,
): Finding[] {
  const found = (
    kind: Finding['kind'],
    severity: Finding['severity'],
    text: string,
    evidence: readonly string[] = [],
  ) => ({ ...place, kind, severity, text, evidence });
  const reason = raised === undefined ? '' : `: ${raised}`;
  return [
    ...(isGood ? [] : [found('ungraded-truth', 'wrong', `The ground truth is not graded as good${reason}.`)]),
    ...failed.map(({ name, observation }) =>
      found('failing-call', 'suspicious', `Its call of ${name} is answered with an error.`, [observation]),
    ),
    ...(isDoNothing ? [found('do-nothing', 'remark', 'An agent that does and says nothing gets its reward.')] : []),
  ];
}

function createReport(splits: readonly SplitAudit[], findings: readonly Finding[]): AuditReport {
  const countFindings = (severity: Finding['severity']) =>
    findings.filter((found) => found.severity === severity).length;
  return {
    splits,
    counts: { wrong: countFindings('wrong'), suspicious: countFindings('suspicious'), remark: countFindings('remark') },
    findings,
  };
}

function splitAudit(split: string, tasks: readonly AuditedTask[], findings: readonly Finding[]): SplitAudit {
  return splitFigures(split, tasks.length, findings, {
    doNothing: tasks.filter(isDoNothing).map(({ id }) => id),
    unchanged: tasks.filter(isUnchanged).map(({ id }) => id),
  });
}

function splitFigures(
  split: string,
  tasks: number,
  findings: readonly Finding[],
  { doNothing, unchanged }: Pick<SplitAudit, 'doNothing' | 'unchanged'>,
): SplitAudit {
  const wrongIds = findings.filter(({ severity }) => severity === 'wrong').map(({ task }) => task);
  const wrong = Array.from(new Set(wrongIds)).sort((a, b) => a - b);
  return {
    split,
    tasks,
    doNothing,
    floor: doNothing.length / tasks,
    unchanged,
    wrong,
    ceiling: 1 - wrong.length / tasks,
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
  /** Audit of the tasks; null if the pack could not be read, or the program does not know its domain. */
  readonly audit: AuditReport | null;
}

/** Reports problems of the pack; never rejects because of them. */
export async function auditFolder(folder: string): Promise<AuditedPack> {
  const { report, pack } = await readAndVerify(folder);
  return { ...report, audit: pack === null ? null : auditPack(pack) };
}
