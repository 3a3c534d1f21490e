/** Conditions in reports: a table of their scores beside `base`, and the tasks that fail under each. Pure. */

import { BASE } from '../../benchmarks/index.ts';
import type { Metrics, ConditionFigures, MeanDifference, Decision } from '../metrics/index.ts';
import {
  NONE,
  formatAmount,
  formatConfidence,
  formatP,
  formatShare,
  formatSigned,
  formatSignedUsd,
  formatUsd,
  list,
  section,
  table,
  type Block,
  type Column,
  type Text,
} from '../document/index.ts';
import { LEADERBOARD_KS, type Report } from './report.ts';

/** Most tasks that a line names, before the number of further ones. */
const MOST_TASKS = 10;

/** Returns the section on conditions; empty for a run without conditions. */
export function conditionSection({ metrics, conditions }: Pick<Report, 'metrics' | 'conditions'>): Block {
  if (conditions.length === 0) return section('Conditions');
  const ks = LEADERBOARD_KS.filter((k) => metrics.errorsAsFailures.passHatK.some((passHat) => passHat.k === k));
  const columns: Column[] = [
    { head: 'Condition' },
    ...ks.map((k): Column => ({ head: `pass^${String(k)}`, align: 'right', ...(k > 1 ? { dropOrder: 3 } : {}) })),
    { head: 'Difference to base' },
    { head: 'p', align: 'right' },
    { head: 'Cost per episode', align: 'right', dropOrder: 2 },
    { head: 'Steps', align: 'right', dropOrder: 1 },
  ];
  const scores = (figures: Metrics) =>
    ks.map((k) => formatShare(figures.errorsAsFailures.passHatK.find((passHat) => passHat.k === k)?.value ?? null));
  const base = [BASE, ...scores(metrics), NONE, NONE, formatUsd(metrics.costs.perEpisodeUsd), formatSteps(metrics)];
  const rows = conditions.map((each): Text[] => [
    each.name,
    ...scores(each.metrics),
    formatDifference(each),
    each.p === null ? NONE : formatP(each.p),
    formatMeanDifference(each.cost, formatSignedUsd),
    formatMeanDifference(each.steps, formatSignedSteps),
  ]);
  return section(
    'Conditions (paired over tasks and trials; p corrected for their number)',
    table(columns, [base, ...rows]),
    list(conditions.map(describeCondition)),
  );
}

/** Formats a difference: `−0.250 (95 % CI −0.400 to −0.100)`. */
function formatDifference({ difference: { delta, interval }, decision }: ConditionFigures): Text {
  const text = delta === null ? NONE : `${formatSigned(delta)} (${formatConfidence(interval)})`;
  return decision === 'no_difference' ? text : [{ text, tone: decision === 'worse' ? 'bad' : 'good' }];
}

function formatMeanDifference({ delta, interval }: MeanDifference, format: (value: number) => string): string {
  if (delta === null) return NONE;
  return `${format(delta)}${interval === null ? '' : ` (${format(interval.low)} to ${format(interval.high)})`}`;
}

function formatSteps({ steps }: Metrics): string {
  return steps === null ? NONE : steps.mean.toFixed(1);
}

function formatSignedSteps(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

const EFFECTS: Readonly<Record<Decision, string>> = {
  worse: ' breaks',
  better: ' is solved more often than base, but less often in',
  no_difference: ': no difference shown; solved less often, perhaps by chance, in',
};

/** Describes a condition's effect: `tool-errors breaks 3 tasks: 4 (1.00 → 0.00), …`. */
function describeCondition({ name, difference, decision, worseTasks }: ConditionFigures): string {
  if (difference.tasks === 0) return `${name}: no task has ended under both`;
  if (worseTasks.length === 0) return `${name}: no task is solved less often`;
  const named = worseTasks
    .slice(0, MOST_TASKS)
    .map(({ taskId, before, after }) => `${String(taskId)} (${before.toFixed(2)} → ${after.toFixed(2)})`);
  const more = worseTasks.length > named.length ? ` and ${String(worseTasks.length - named.length)} more` : '';
  return `${name}${EFFECTS[decision]} ${formatAmount(worseTasks.length, 'task')}: ${named.join(', ')}${more}`;
}
