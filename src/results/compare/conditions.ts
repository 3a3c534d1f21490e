/** Compares two runs under their common conditions. Pure. */

import { formatCondition } from '../../evaluation/index.ts';
import { holm, type BootstrapOptions } from '../../stats/index.ts';
import {
  decideDifference,
  isBlameless,
  measureDifference,
  pairTasks,
  selectCondition,
  type Decision,
  type Difference,
} from '../metrics/index.ts';
import {
  NONE,
  formatConfidence,
  formatP,
  formatShare,
  formatSigned,
  paragraph,
  section,
  table,
  type Block,
  type Text,
} from '../document/index.ts';
import type { ComparedRun } from './runs.ts';

interface ConditionComparison {
  readonly name: string;
  readonly difference: Difference;
  /** p of the difference, corrected for the number of common conditions; null if nothing was tested. */
  readonly p: number | null;
  readonly decision: Decision;
}

export interface ConditionComparisons {
  /** Conditions that both runs have with equal options. */
  readonly common: readonly ConditionComparison[];
  /** Conditions that only one run has, with their options. */
  readonly unmatched: readonly string[];
}

export function compareUnderConditions(
  before: ComparedRun,
  after: ComparedRun,
  options: BootstrapOptions,
): ConditionComparisons {
  const [earlier, later] = [listConditions(before), listConditions(after)];
  const common = [...later.keys()].filter((label) => earlier.has(label));
  const measured = common.map((label) => {
    const name = later.get(label) ?? '';
    const rows = ({ conditionRows = [] }: ComparedRun) => selectCondition(conditionRows, name);
    return { name, difference: measureDifference(pairTasks(rows(before), rows(after), isBlameless).pairs, options) };
  });
  const corrected = holm(measured.flatMap(({ difference }) => difference.permutation?.p ?? []));
  return {
    common: measured.map(({ name, difference }) => {
      const p = difference.permutation === null ? null : (corrected.shift() ?? null);
      return { name, difference, p, decision: decideDifference(difference.delta, p) };
    }),
    unmatched: [...new Set([...earlier.keys(), ...later.keys()])].filter((label) => !common.includes(label)),
  };
}

/** Returns the names of a run's conditions by their labels, which include their options. */
function listConditions({ manifest }: ComparedRun): Map<string, string> {
  return new Map((manifest?.config.conditions ?? []).map((condition) => [formatCondition(condition), condition.name]));
}

/** Returns the section on conditions; empty for runs without conditions. */
export function conditionComparisonSection({ common, unmatched }: ConditionComparisons): Block {
  const columns = [{ head: 'Condition' }, { head: 'Average reward' }, { head: 'Difference' }, { head: 'p' }];
  const rows = common.map(({ name, difference, p, decision }): Text[] => {
    const { before, after, delta, interval } = difference;
    const text = delta === null ? NONE : `${formatSigned(delta)} (${formatConfidence(interval)})`;
    return [
      name,
      `${formatShare(before)} → ${formatShare(after)}`,
      decision === 'no_difference' ? text : [{ text, tone: decision === 'worse' ? 'bad' : 'good' }],
      p === null ? NONE : formatP(p),
    ];
  });
  const note = unmatched.length === 0 ? [] : [`Conditions of one run only: ${unmatched.join(', ')}.`];
  return section('Under conditions (p corrected for their number)', table(columns, rows), paragraph(...note));
}
