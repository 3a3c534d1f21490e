/** Describes gates in reports and messages. Pure. */

import { formatShare, section, table, type Block } from '../document/index.ts';
import type { GateResult } from './evaluate.ts';

/** Returns the section on gates; empty without gates. */
export function gateSection(gates: readonly GateResult[]): Block {
  const rows = gates.map(({ gate, isPassed, sentence }) => [
    gate,
    [isPassed ? { text: 'passed', tone: 'good' as const } : { text: 'failed', tone: 'bad' as const }],
    sentence,
  ]);
  return section('Gates', table([{ head: 'Fail if' }, { head: 'Gate' }, { head: 'Figure', minWidth: 20 }], rows));
}

/** Returns a line for each failed gate. */
export function describeFailures(
  gates: readonly Pick<GateResult, 'gate' | 'isPassed' | 'value' | 'sentence'>[],
): string[] {
  return gates
    .filter(({ isPassed }) => !isPassed)
    .map(({ gate, value, sentence }) =>
      gate.startsWith('--fail-under')
        ? `the average reward ${value === null ? 'is unknown: not at least' : `${formatShare(value)} is below`} ${gate}`
        : `failed by --fail-if '${gate}': ${sentence}`,
    );
}
