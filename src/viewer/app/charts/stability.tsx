/** Tasks by pass rate, and the sources of the variance. */

import { rectY, ruleX, ruleY, text } from '@observablehq/plot';
import { useMemo } from 'preact/hooks';

import { formatShare } from '../../../results/document/index.ts';
import type { PayloadRun } from '../../data/payload.ts';
import { BarTable, ChartFrame, PlotBox, pointerTip, type ChartProps } from './frame.tsx';
import {
  rankedTasks,
  stabilityRanges,
  stabilitySentence,
  varianceSentence,
  type RankedTask,
  type Stability,
  type StabilityRange,
} from './task-data.ts';
import { formatTaskTitle } from '../words.ts';
import { percent } from './words.ts';

export function StabilityChart({ run, onPick }: ChartProps) {
  const tasks = useMemo(() => rankedTasks(run.episodes), [run]);
  const pick = ({ episode }: RankedTask) => onPick(episode);
  const sentence = stabilitySentence(tasks);
  const table = {
    head: ['Task', 'Solved', 'Pass rate'],
    rows: () =>
      tasks.map((task) => [
        { text: `task ${formatTaskTitle(task.episode)}`, onPick: () => pick(task) },
        `${task.successes} of ${task.trials}`,
        formatShare(task.passRate),
      ]),
  };
  return (
    <ChartFrame title="Stability of tasks" sentence={sentence} table={tasks.length === 0 ? null : table}>
      {tasks.length === 0 ? null : <PlotBox label={sentence} data={tasks} draw={stabilityPlot} onPick={pick} />}
    </ChartFrame>
  );
}

/** Separates wide bars; draws others to whole pixels, so that no seams show. */
export function separateBars(width: number, bars: number) {
  return width / bars > 8 ? { insetRight: 1 } : { shapeRendering: 'crispEdges' };
}

export function VarianceSplit({ run }: { readonly run: PayloadRun }) {
  const { uncertainty } = run.metrics;
  const sentence = varianceSentence(uncertainty);
  const between = uncertainty.variance?.taskShare ?? null;
  if (sentence === null || between === null) return null;
  const bar = (name: string, part: number) => ({ name, figure: percent(part), share: part });
  return (
    <ChartFrame title="Sources of variance" sentence={sentence} table={null}>
      <BarTable rows={[bar('between tasks', between), bar('between trials of one task', 1 - between)]} />
    </ChartFrame>
  );
}

const COLOURS: Readonly<Record<Stability, string>> = {
  always: 'var(--good)',
  sometimes: 'var(--warn)',
  never: 'var(--bad)',
};

function stabilityPlot(tasks: readonly RankedTask[], width: number) {
  const ranges = stabilityRanges(tasks);
  return {
    height: 230,
    marginTop: 44,
    x: { domain: [0, tasks.length], label: 'tasks, by pass rate', labelOffset: 26, ticks: [] },
    y: { domain: [0, 1], label: 'pass rate', labelAnchor: 'top' as const, ticks: 5, tickFormat: '.1f', grid: true },
    marks: [
      rectY(tasks, {
        x1: 'rank',
        x2: ({ rank }: RankedTask) => rank + 1,
        y: 'passRate',
        fill: ({ stability }: RankedTask) => COLOURS[stability],
        fillOpacity: 0.8,
        ...separateBars(width, tasks.length),
      }),
      ruleY([0], { stroke: 'var(--muted)' }),
      ruleX(ranges.slice(1), { x: 'from', stroke: 'var(--text)', strokeDasharray: '3 3' }),
      // The sentence names ranges that are too narrow for a name.
      text(
        ranges.filter(({ from, to }) => ((to - from) / tasks.length) * width > 90),
        {
          x: ({ from, to }: StabilityRange) => (from + to) / 2,
          text: ({ stability, from, to }: StabilityRange) => `${stability} ${String(to - from)}`,
          frameAnchor: 'top' as const,
          dy: -14,
          fill: 'var(--text)',
        },
      ),
      pointerTip(tasks, {
        x: ({ rank }: RankedTask) => rank + 0.5,
        y: 'passRate',
        title: ({ episode, successes, trials }) => `task ${formatTaskTitle(episode)}: solved ${successes} of ${trials}`,
      }),
    ],
  };
}
