/** What a report says of why episodes failed, of their customers, and of the tasks' own defects. Pure. */

import { CUSTOMER_KINDS, FAULT_KINDS, type CustomerKind, type FaultKind } from '../../analysis/index.ts';
import { NONE } from '../document/index.ts';
import type { Line } from './lines.ts';
import type { Report } from './report.ts';
import type { TaskDefect } from '../log/index.ts';

/** The first fault of each failed episode, the most frequent first; none where nothing failed. */
export function faultLines({ metrics: { faults } }: Report): Line[] {
  if (faults.failed === 0) return [];
  const lines: Line[] = byCount(faults.kinds).map(([kind, n]) => ({
    name: kind,
    value: String(n),
    meaning: FAULT_KINDS[kind as FaultKind],
  }));
  if (faults.unexplained > 0) {
    lines.push({
      name: 'no fault found',
      value: String(faults.unexplained),
      meaning: 'analysed, and failed all the same',
    });
  }
  if (faults.notAnalyzed > 0) {
    lines.push({
      name: 'not analysed',
      value: String(faults.notAnalyzed),
      meaning: 'failed; the pack is needed to say why',
    });
  }
  return lines;
}

/** The same in tau-bench's words; none where no fault is the agent's. */
export function faultTypeLines({ metrics: { faults } }: Report): Line[] {
  const analyzed = faults.failed - faults.notAnalyzed;
  return byCount(faults.faultTypes).map(([type, n]) => ({
    name: type,
    value: String(n),
    meaning: `${String(Math.round((100 * n) / analyzed))} % of the failed episodes that were analysed`,
  }));
}

/** Findings about the simulated customer, by kind; none where there are none. */
export function customerLines({ metrics: { customer } }: Report): Line[] {
  const kinds = Object.entries(customer.kinds) as [CustomerKind, { episodes: number; suspects: number }][];
  if (customer.analyzed === 0) return [];
  const lines = kinds
    .sort(([a, m], [b, n]) => n.episodes - m.episodes || a.localeCompare(b))
    .map(([kind, { episodes, suspects }]) => ({
      name: kind,
      value: String(episodes),
      meaning: `${CUSTOMER_KINDS[kind]}${suspects === 0 ? '' : `; under suspicion for it in ${String(suspects)}`}`,
    }));
  const all: Line = {
    name: 'episodes under suspicion',
    value: String(customer.suspects),
    meaning: `of ${String(customer.analyzed)} whose customer was looked at; none is left out of a score unless it says so`,
  };
  return [all, ...lines];
}

/** Beside a task's number: `!` its ground truth is wrong, `?` it is suspicious. */
export function defectMark(defects: readonly Pick<TaskDefect, 'severity'>[]): string {
  if (defects.length === 0) return '';
  return defects.some(({ severity }) => severity === 'wrong') ? '!' : '?';
}

/** `! task 106, failing-call: …`, for the tasks that have a row. */
export function defectLines({ tasks }: Report): string[] {
  return tasks.flatMap(({ taskId, defects }) =>
    defects.map((defect) => `${defectMark([defect])} task ${String(taskId)}, ${defect.kind}: ${defect.sentence}`),
  );
}

/** A task's defects in few words: `wrong failing-call`. */
export function defectWords(defects: readonly TaskDefect[]): string {
  return defects.length === 0 ? NONE : defects.map(({ severity, kind }) => `${severity} ${kind}`).join(', ');
}

function byCount(counts: Readonly<Partial<Record<string, number>>>): [string, number][] {
  return (Object.entries(counts) as [string, number][]).sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}
