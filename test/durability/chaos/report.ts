/** Report of a chaos run: each guarantee with its figures, and whether it held. */

import type { ScriptedStats } from '../../../src/scripted-model/index.ts';
import { compareRuns } from './compare.ts';
import type { ChaosOptions } from './options.ts';
import { accountFor } from './paid.ts';
import type { Disturbed, Outcome } from './stage.ts';

export interface Guarantee {
  readonly what: string;
  readonly figures: string;
  /** Violations, a sentence each; empty if the guarantee held. */
  readonly broken: readonly string[];
}

export interface ChaosReport {
  readonly options: ChaosOptions;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly guarantees: readonly Guarantee[];
  /** Events that may happen, and are worth knowing. */
  readonly remarks: readonly string[];
}

/** @param left processes that outlive the run; null when the system does not tell */
export function makeReport(
  options: ChaosOptions,
  reference: Outcome,
  disturbed: Disturbed,
  left: readonly string[] | null,
): ChaosReport {
  const { failures, stats, files, data } = disturbed;
  const paid = accountFor(disturbed.calls, reference.calls, failures, data, stats, options.concurrency);
  const kills = failures.reduce((sum, failure) => sum + failure.kills, 0);
  const lost = paid.extraAttempts - paid.afterFaults;
  const guarantees: Guarantee[] = [
    ...compareRuns(reference.data, disturbed.data).map(({ what, compared, differences }) => ({
      what: `${what}: the same`,
      figures: `${differences.length} of ${compared} differ`,
      broken: differences,
    })),
    {
      what: 'every completed call counted once',
      figures: `${paid.completions} completions = ${data.calls} in the records + ${paid.again} paid again`,
      broken: paid.completions === data.calls + paid.again ? [] : ['the sum is another'],
    },
    {
      what: 'calls paid again: only such as were under way',
      figures: `${paid.again} of ${paid.underWay} under way at a kill`,
      broken: [...paid.unexplained, ...(paid.again > paid.underWay ? ['more than were under way'] : [])],
    },
    {
      what: 'each recorded as an extra attempt',
      figures: `${paid.extraAttempts} extra attempts: ${paid.afterFaults} after faults, ${lost} lost with a process`,
      broken: [...paid.hidden, ...(lost < paid.again ? [`${lost} lost attempts for ${paid.again} calls`] : [])],
    },
    {
      what: 'no torn file at any moment',
      figures: `${files.versions} versions of the results file among what was read`,
      broken: files.torn,
    },
    {
      what: 'no process left over',
      figures: left === null ? 'not to be seen on this system' : `${left.length} left`,
      broken: left ?? [],
    },
  ];
  return {
    options,
    figures: {
      episodes: Object.keys(reference.data.episodes).length,
      calls: reference.calls.length,
      seconds_undisturbed: reference.seconds,
      seconds: disturbed.seconds,
      injected_failures: failures.length,
      kills,
      ...countFailures(disturbed),
      worker_processes: disturbed.workers,
      resumed: disturbed.resumed,
      ...faultsOf(stats),
    },
    guarantees,
    remarks: [
      ...(failures.length < options.kills
        ? [`the run ended after ${failures.length} of ${options.kills} injected failures`]
        : []),
      ...disturbed.unexpected,
    ],
  };
}

function countFailures({ failures }: Disturbed): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of failures) counts[`failure: ${kind}`] = (counts[`failure: ${kind}`] ?? 0) + 1;
  return counts;
}

function faultsOf({ faults }: ScriptedStats): Record<string, number> {
  return Object.fromEntries(Object.entries(faults).map(([kind, count]) => [`fault: ${kind}`, count]));
}

export function hasHeld({ guarantees }: ChaosReport): boolean {
  return guarantees.every(({ broken }) => broken.length === 0);
}

export function formatReport(report: ChaosReport): string {
  const { options, figures, guarantees, remarks } = report;
  const { strategy, agent, environment, model, seed, workers, concurrency, latency } = options;
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  const wide = Math.max(...guarantees.map(({ what }) => what.length));
  return [
    `${agent ?? strategy}${environment === null ? '' : ` on ${environment}`} with ${model}, seed ${seed}, ${workers} workers, ${concurrency} at once, model ${latency}`,
    '',
    ...Object.entries(figures).map(([name, value]) => `  ${name.replaceAll('_', ' ').padEnd(width)}  ${value}`),
    '',
    ...guarantees.flatMap(({ what, figures: found, broken }) => [
      `  ${broken.length === 0 ? 'held  ' : 'BROKEN'}  ${what.padEnd(wide)}  ${found}`,
      ...broken.slice(0, 5).map((sentence) => `            ${sentence}`),
    ]),
    ...(remarks.length === 0 ? [] : ['', ...remarks.map((remark) => `  note: ${remark}`)]),
    '',
    hasHeld(report) ? 'All guarantees held.' : 'Guarantees were BROKEN.',
  ].join('\n');
}
