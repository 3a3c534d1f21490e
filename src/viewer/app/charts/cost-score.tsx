/** Costs of tasks and episodes against their results. */

import { dot, pointer, ruleY } from '@observablehq/plot';
import { useMemo } from 'preact/hooks';

import { formatCount, formatShare, formatUsd } from '../../../results/document/index.ts';
import { ChartFrame, PlotBox, costAxis, pointerTip, type ChartProps } from './frame.tsx';
import { costScore, costSentence, jitter, type CostedEpisode, type CostedTask } from './task-data.ts';
import { formatTaskTitle, nameEpisode } from '../words.ts';
import { percent } from './words.ts';

export function CostScore({ run, onPick }: ChartProps) {
  const data = useMemo(() => costScore(run.episodes), [run]);
  const drawn = useMemo(() => ({ tasks: samplePoints(data.tasks), episodes: samplePoints(data.episodes) }), [data]);
  const pick = ({ episode }: CostedTask | CostedEpisode) => onPick(episode);
  const sentence = costSentence(data);
  const table = {
    head: ['Task', 'Mean cost', 'Pass rate', 'Trials'],
    rows: () =>
      data.tasks.map((task) => [
        { text: `task ${formatTaskTitle(task.episode)}`, onPick: () => pick(task) },
        formatUsd(task.costUsd),
        formatShare(task.passRate),
        String(task.trials),
      ]),
  };
  return (
    <ChartFrame title="Cost against score" sentence={sentence} table={data.reason === null ? table : null}>
      {data.reason === null ? (
        <>
          <h4>Per task{describeSample(data.tasks)}</h4>
          <PlotBox
            label="Mean cost of each task against its pass rate."
            data={drawn.tasks}
            draw={tasksPlot}
            onPick={pick}
          />
          <h4>Per episode{describeSample(data.episodes)}</h4>
          <PlotBox
            label="Cost of each episode, solved ones above failed ones."
            data={drawn.episodes}
            draw={episodesPlot}
            onPick={pick}
          />
        </>
      ) : null}
    </ChartFrame>
  );
}

/** Most points of a plot; more hide each other, and take seconds to draw. */
const MOST_POINTS = 1500;

/** Picks points evenly. */
function samplePoints<T>(points: readonly T[]): readonly T[] {
  const every = points.length / MOST_POINTS;
  if (every <= 1) return points;
  return Array.from({ length: MOST_POINTS }, (_, index) => points[Math.floor(index * every)] as T);
}

function describeSample(points: readonly unknown[]): string {
  return points.length <= MOST_POINTS ? '' : `: ${formatCount(MOST_POINTS)} of ${formatCount(points.length)}`;
}

function tasksPlot(tasks: readonly CostedTask[], width: number) {
  const levels = new Map<number, number>();
  const placed = tasks.map((task) => {
    const nth = levels.get(task.passRate) ?? 0;
    levels.set(task.passRate, nth + 1);
    return { ...task, height: task.passRate + jitter(nth) * 0.03 };
  });
  return {
    height: 270,
    x: costAxis('cost (USD)', width),
    y: { domain: [-0.04, 1.04], ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: '.2f', label: 'pass rate', grid: true },
    marks: [
      dot(placed, { x: 'costUsd', y: 'height', fill: 'var(--series-1)', fillOpacity: 0.65, r: 4 }),
      pointerTip<CostedTask>(
        placed,
        {
          x: 'costUsd',
          y: 'height',
          title: ({ episode, costUsd, passRate, trials }) =>
            `task ${formatTaskTitle(episode)}: ${formatUsd(costUsd)} an episode\nsolved in ${percent(passRate)} of ${trials}`,
        },
        pointer,
      ),
    ],
  };
}

const LANES = { solved: 1, failed: 0 } as const;

function episodesPlot(episodes: readonly CostedEpisode[], width: number) {
  const placed = episodes.map((episode, index) => ({
    ...episode,
    height: (episode.isSolved ? LANES.solved : LANES.failed) + jitter(index) * 0.32,
  }));
  return {
    height: 180,
    marginTop: 20,
    marginLeft: 52,
    x: costAxis('cost (USD)', width),
    y: {
      domain: [-0.5, 1.5],
      ticks: [LANES.failed, LANES.solved],
      tickFormat: (lane: number) => (lane === LANES.solved ? 'solved' : 'failed'),
      tickSize: 0,
      label: null,
    },
    marks: [
      ruleY([0.5], { stroke: 'var(--line)' }),
      dot(
        placed.filter(({ isSolved }) => isSolved),
        { x: 'costUsd', y: 'height', fill: 'var(--good)', fillOpacity: 0.6, r: 3 },
      ),
      dot(
        placed.filter(({ isSolved }) => !isSolved),
        { x: 'costUsd', y: 'height', stroke: 'var(--bad)', symbol: 'times', strokeWidth: 1.5, r: 3.5 },
      ),
      pointerTip<CostedEpisode>(
        placed,
        {
          x: 'costUsd',
          y: 'height',
          title: ({ episode, costUsd, isSolved }) =>
            `${nameEpisode(episode)}: ${formatUsd(costUsd)}, ${isSolved ? 'solved' : 'failed'}`,
        },
        pointer,
      ),
    ],
  };
}
