/** Notes on a run's tasks from the pack's audit: floor and ceiling of the score, and known defects. */

import { fewShotOptions, type FewShotOptions } from '../../agents/index.ts';
import { displaysFor } from '../../models/prompts/index.ts';
import { auditPack, type AuditReport } from '../../pack-tools/audit/index.ts';
import { PackError, type Pack, type PackRef } from '../../benchmarks/packs/index.ts';
import type { RunManifest, TaskNotes } from '../../run-log/index.ts';

/** Finds the pack with a digest; undefined if it is not on this machine. */
export type FindPack = (ref: PackRef) => Promise<Pack | undefined>;

interface NotedTasks {
  readonly split: string;
  readonly taskIds: readonly number[];
  /** Options of the displays that the agent sees; absent: no displays. */
  readonly fewShots?: FewShotOptions;
}

export function toNotedTasks({ config, plan }: RunManifest): NotedTasks {
  return { split: config.split, taskIds: plan.taskIds, fewShots: fewShotOptions(config.strategyOptions) };
}

/** Makes the notes; null if the program lacks the domain, or the pack has none of the tasks. */
export function createTaskNotes(pack: Pack, tasks: NotedTasks): TaskNotes | null {
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

/** Counts displays that are about a task's own user, because they show the agent the solution. */
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
    // The displays' file may be on another machine.
    if (error instanceof PackError) return {};
    throw error;
  }
}

/** Audits of packs by split, cached because a worker needs one for every run, and an audit takes some 0.2 s. */
const audits = new WeakMap<Pack, Map<string, AuditReport | null>>();

/** Makes the audit that {@link createTaskNotes} needs at the end of a run. Never throws. */
export function prepareTaskNotes(pack: Pack, split: string): void {
  try {
    auditOfSplit(pack, split);
  } catch {
    // createTaskNotes meets the same error and throws it.
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
