/** Differences of the conditions to `base`, with their intervals. */

import { useMemo } from 'preact/hooks';
import { dot, ruleX, ruleY } from '@observablehq/plot';
import { formatP, formatShare, formatSigned, formatSignedUsd } from '../../../results/document/index.ts';
import type { PayloadCondition } from '../../data/payload.ts';
import { ChartFrame, DataTable, PlotBox, type FigureTable } from './frame.tsx';

export function ConditionChart({ conditions }: { readonly conditions: readonly PayloadCondition[] }) {
  const shown = useMemo(() => conditions.filter(({ difference }) => difference.delta !== null), [conditions]);
  const worse = conditions.filter(({ decision }) => decision === 'worse').map(({ name }) => name);
  const sentence =
    worse.length === 0
      ? 'No condition is shown to lower the score (paired over tasks and trials, 95 % intervals).'
      : `Lower the score: ${worse.join(', ')} (paired over tasks and trials, 95 % intervals).`;
  return (
    <ChartFrame title="Conditions: difference to base" sentence={sentence} table={null}>
      {shown.length === 0 ? null : <PlotBox label={sentence} data={shown} draw={differencePlot} />}
      <DataTable table={conditionTable(conditions)} />
    </ChartFrame>
  );
}

function conditionTable(conditions: readonly PayloadCondition[]): FigureTable {
  return {
    head: ['Condition', 'pass^1', 'Difference', 'p', 'Cost per episode', 'Steps', 'Solved less often'],
    rows: () =>
      conditions.map(({ name, passHat1, difference, p, cost, steps, worseTasks }) => [
        name,
        formatShare(passHat1),
        formatSigned(difference.delta),
        p === null ? '' : formatP(p),
        formatSignedUsd(cost.delta),
        steps.delta === null ? '' : steps.delta.toFixed(1),
        worseTasks.map(({ taskId }) => String(taskId)).join(', '),
      ]),
  };
}

function differencePlot(conditions: readonly PayloadCondition[], width: number) {
  const color = ({ decision }: PayloadCondition) =>
    decision === 'worse' ? 'var(--bad)' : decision === 'better' ? 'var(--good)' : 'var(--muted)';
  return {
    height: 60 + 28 * conditions.length,
    width,
    marginLeft: 130,
    x: { domain: [-1, 1], label: 'difference of the average reward', grid: true, tickFormat: '+.1f' },
    y: { domain: conditions.map(({ name }) => name), label: null },
    marks: [
      ruleX([0], { stroke: 'var(--line)' }),
      ruleY(
        conditions.filter(({ difference }) => difference.interval !== null),
        {
          y: 'name',
          x1: ({ difference }: PayloadCondition) => difference.interval?.low,
          x2: ({ difference }: PayloadCondition) => difference.interval?.high,
          stroke: color,
          strokeWidth: 2,
        },
      ),
      dot(conditions, { y: 'name', x: ({ difference }: PayloadCondition) => difference.delta, fill: color, r: 4 }),
    ],
  };
}
