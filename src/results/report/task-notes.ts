/** Findings of the pack's audit on a run's tasks: the floor and the ceiling of its score, and known defects. */

import { fewShotOptions, type FewShotOptions } from '../../agents/index.ts';
import { displaysFor } from '../../models/prompts/index.ts';
import { auditPack, type AuditReport } from '../../pack-tools/audit/index.ts';
import { PackError, type Pack, type PackRef } from '../../benchmarks/packs/index.ts';
import type { RunManifest, TaskNotes } from '../../run-log/index.ts';

/** Finds the pack with a digest; undefined where it is not on this machine. */
export type FindPack = (ref: PackRef) => Promise<Pack | undefined>;

/** The part of a run that its notes are about. */
interface NotedTasks {
  readonly split: string;
  readonly taskIds: readonly number[];
  /** Absent: the agent was shown no displays. */
  readonly fewShots?: FewShotOptions;
}

export function notedTasksOf({ config, plan }: RunManifest): NotedTasks {
  const fewShots = fewShotOptions(config.strategyOptions);
  return { split: config.split, taskIds: plan.taskIds, ...(fewShots === undefined ? {} : { fewShots }) };
}

/**
 * Floor and ceiling are of the given tasks alone: a run of five tasks is not measured by those of a hundred others.
 * @returns null for a domain that the program has no behaviour of, and where there are no such tasks
 */
export function taskNotesOf(pack: Pack, tasks: NotedTasks): TaskNotes | null {
  const { split, taskIds } = tasks;
  const audit = auditOfSplit(pack, split);
  const [splitAudit] = audit?.splits ?? [];
  const planned = new Set(taskIds);
  if (audit === null || splitAudit === undefined || splitAudit.tasks === 0 || planned.size === 0) return null;
  const doNothing = splitAudit.doNothing.filter((id) => planned.has(id));
  const wrong = splitAudit.wrong.filter((id) => planned.has(id));
  const { name, digest } = pack.ref;
  return {
    formatVersion: 1,
    env: pack.domain,
    split,
    pack: { name, digest },
    doNothing,
    floor: doNothing.length / planned.size,
    ceiling: 1 - wrong.length / planned.size,
    defects: audit.findings
      .flatMap(({ task: taskId, kind, severity, text: sentence }) =>
        severity !== 'remark' && planned.has(taskId) ? [{ taskId, kind, severity, sentence }] : [],
      )
      .sort((a, b) => a.taskId - b.taskId),
    ...displayNotes(pack, tasks),
  };
}

/** Displays that are about a task's own user show the agent its solution, whether they were left out or not. */
function displayNotes(pack: Pack, { split, taskIds, fewShots }: NotedTasks): Pick<TaskNotes, 'displays'> {
  if (fewShots === undefined) return {};
  const { leaveOut, ...shown } = fewShots;
  const tasks = pack.splits[split] ?? [];
  try {
    const counts = taskIds.flatMap((taskId) => {
      const task = tasks[taskId];
      if (task === undefined) return [];
      const total = displaysFor(pack, task, shown).length;
      return [{ taskId, total, own: total - displaysFor(pack, task, { ...shown, leaveOut: true }).length }];
    });
    const own = counts.flatMap(({ taskId, own: count }) => (count === 0 ? [] : [{ taskId, count }]));
    return { displays: { total: counts[0]?.total ?? 0, own, leftOut: leaveOut === true } };
  } catch (error) {
    // The displays' file may be on another machine: then nobody can say how many there are.
    if (error instanceof PackError) return {};
    throw error;
  }
}

/** An audit of a hundred tasks takes some 0.2 s, and a worker closes one run of the same pack after the other. */
const audits = new WeakMap<Pack, Map<string, AuditReport | null>>();

/**
 * Makes the audit that {@link taskNotesOf} needs ahead of a run's end, which then need not wait for it. Never throws: an
 * audit that fails is repeated at the end, and fails there.
 */
export function prepareTaskNotes(pack: Pack, split: string): void {
  try {
    auditOfSplit(pack, split);
  } catch {
    // Whoever needs the notes meets the same error.
  }
}

function auditOfSplit(pack: Pack, split: string): AuditReport | null {
  const known = audits.get(pack) ?? new Map<string, AuditReport | null>();
  audits.set(pack, known);
  const before = known.get(split);
  if (before !== undefined) return before;
  const audit = auditPack(pack, [split]);
  known.set(split, audit);
  return audit;
}
