/** Settings that differ between the runs, according to their reports. Pure. */

import type { PayloadRun } from '../../results/page/index.ts';

export interface Setting {
  readonly name: string;
  /** One a run. */
  readonly values: readonly string[];
}

const SETTINGS: readonly (readonly [name: string, value: (subject: PayloadRun['subject']) => string | null])[] = [
  ['env', ({ env }) => env],
  ['task split', ({ split }) => split],
  ['pack', ({ pack }) => pack],
  ['agent strategy', ({ strategy }) => strategy],
  ['agent model', ({ agentModel }) => agentModel],
  ['agent provider', ({ agentProvider }) => agentProvider],
  ['user strategy', ({ userStrategy }) => userStrategy],
  ['user model', ({ userModel }) => userModel],
  ['user provider', ({ userProvider }) => userProvider],
  ['variants', ({ variants }) => (variants.length === 0 ? 'none' : variants.join(', '))],
];

export function differingSettings(runs: readonly PayloadRun[]): Setting[] {
  return SETTINGS.map(([name, value]) => ({
    name,
    values: runs.map(({ subject }) => value(subject) ?? 'not known'),
  })).filter(({ values }) => new Set(values).size > 1);
}

/** The runs' names, each once: a second of the same name is numbered. */
export function runNames(runs: readonly PayloadRun[]): string[] {
  const seen = new Map<string, number>();
  return runs.map(({ subject: { runId } }) => {
    const times = (seen.get(runId) ?? 0) + 1;
    seen.set(runId, times);
    return times === 1 ? runId : `${runId} (${String(times)})`;
  });
}
