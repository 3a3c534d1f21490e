/** Costs of the runs against their scores, with the Pareto front. */

import { dot, lineY, pointer, ruleX } from '@observablehq/plot';
import { useMemo } from 'preact/hooks';

import { formatShare, formatUsd } from '../../../results/document/index.ts';
import type { PayloadRun } from '../../data/payload.ts';
import { ChartFrame, PlotBox, costAxis, pointerTip } from '../charts/frame.tsx';
import { Legend, seriesStyle } from '../charts/pass-curve.tsx';
import { withInterval } from '../charts/words.ts';
import { areFree, costedRuns, paretoSentence, type CostedRun } from './data.ts';

export interface NamedRuns {
  readonly runs: readonly PayloadRun[];
  readonly names: readonly string[];
}

export function CostOfRuns({ runs, names }: NamedRuns) {
  const data = useMemo(() => costedRuns(runs, names), [runs, names]);
  const sentence = paretoSentence(data, runs.length);
  const table = {
    head: ['Run', 'An episode', 'pass^1', 'Beaten in both'],
    rows: () =>
      data.map(({ name, costUsd, score, interval, isBest }) => [
        name,
        formatUsd(costUsd),
        withInterval(score, interval),
        isBest ? 'no' : 'yes',
      ]),
  };
  const isEmpty = data.length < 2 || areFree(data);
  return (
    <ChartFrame title="Cost against score" sentence={sentence} table={isEmpty ? null : table}>
      {isEmpty ? null : (
        <>
          <Legend names={names} />
          <PlotBox label={sentence} data={data} draw={costPlot} />
        </>
      )}
    </ChartFrame>
  );
}

function costPlot(runs: readonly CostedRun[], width: number) {
  const best = runs.filter(({ isBest }) => isBest).sort((a, b) => a.costUsd - b.costUsd);
  const right = runs.reduce((most, { costUsd }) => Math.max(most, costUsd), 0);
  return {
    height: 270,
    x: { ...costAxis('cost of an episode (USD)', width), domain: [0, right * 1.1] },
    y: { domain: [0, 1], label: 'pass^1', ticks: 5, tickFormat: '.1f', grid: true },
    marks: [
      lineY(best, { x: 'costUsd', y: 'score', stroke: 'var(--muted)', strokeDasharray: '4 3', curve: 'step-after' }),
      ...runs.map((run) =>
        ruleX([run], {
          x: 'costUsd',
          y1: ({ interval, score }: CostedRun) => interval?.low ?? score,
          y2: ({ interval, score }: CostedRun) => interval?.high ?? score,
          stroke: seriesStyle(run.index).colour,
          strokeWidth: 1.5,
        }),
      ),
      ...runs.map((run) => {
        const { colour, symbol } = seriesStyle(run.index);
        return dot([run], { x: 'costUsd', y: 'score', fill: colour, symbol, r: 6, stroke: 'var(--panel)' });
      }),
      pointerTip(
        runs,
        {
          x: 'costUsd',
          y: 'score',
          title: ({ name, costUsd, score }) => `${name}\n${formatShare(score)} at ${formatUsd(costUsd)} an episode`,
        },
        pointer,
      ),
    ],
  };
}
