/** Lengths of episodes in steps, turns and time, and durations of model calls. */

import { useMemo } from 'preact/hooks';
import { rectY, ruleX, ruleY, text, type Markish } from '@observablehq/plot';
import { formatCount, formatMean } from '../../../results/document/index.ts';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { BarTable, ChartFrame, PlotBox, pointerTip } from './frame.tsx';
import {
  latencies,
  latencySentence,
  roundStep,
  spreads,
  spreadSentence,
  type Bin,
  type Measure,
  type Spreads,
} from './episode-data.ts';
import { timeUnit, shortTime } from './words.ts';

const getSteps = ({ steps }: PayloadEpisode) => steps;
const getTurns = ({ turns }: PayloadEpisode) => turns;

/** Returns a formatter of counts: `1 turn`, `5.5 turns`. */
const writeMean = (thing: string) => (value: number) => `${formatMean(value)} ${thing}${value === 1 ? '' : 's'}`;
const [steps, turns] = [writeMean('step'), writeMean('turn')];

export function Steps({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const what = { measure: getSteps, unit: 'environment steps', smallest: 1, isCount: true, write: steps };
  return <SpreadChart title="Steps, solved and failed" episodes={episodes} {...what} />;
}

export function Turns({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const what = { measure: getTurns, unit: 'user turns', smallest: 1, isCount: true, write: turns };
  return <SpreadChart title="Turns, solved and failed" episodes={episodes} {...what} />;
}

export function Durations({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const what = useMemo(() => {
    const longest = episodes.reduce((most, { durationMs }) => Math.max(most, durationMs ?? 0), 0);
    const { name, ms } = timeUnit(longest);
    const measure = ({ durationMs }: PayloadEpisode) => (durationMs === null ? null : durationMs / ms);
    return { measure, unit: name, write: (value: number) => shortTime(value * ms) };
  }, [episodes]);
  const title = 'Duration, solved and failed';
  return <SpreadChart title={title} episodes={episodes} {...what} smallest={0.1} isCount={false} />;
}

export function Latencies({ run }: { readonly run: PayloadRun }) {
  const roles = latencies(run.metrics.costs.roles);
  return (
    <ChartFrame title="Latency of model calls" sentence={latencySentence(roles)} table={null}>
      {roles.length === 0 ? null : (
        <BarTable
          rows={roles.map(({ role, calls, meanMs, share }) => ({
            name: role,
            figure: `${shortTime(meanMs)} a call, ${formatCount(calls)} calls`,
            share,
          }))}
        />
      )}
    </ChartFrame>
  );
}

interface SpreadChartProps {
  readonly title: string;
  readonly episodes: readonly PayloadEpisode[];
  /** Measure to plot; the same function as long as the measure is the same. */
  readonly measure: Measure;
  /** Label of the axis, such as `environment steps`. */
  readonly unit: string;
  /** Width of the narrowest bin. Bins of whole numbers are centered on them. */
  readonly smallest: number;
  readonly isCount: boolean;
  /** Puts a value into words, with its unit. */
  readonly write: (value: number) => string;
}

function SpreadChart({ title, episodes, measure, unit, smallest, isCount, write }: SpreadChartProps) {
  const data = useMemo(() => spreads(episodes, measure, smallest), [episodes, measure, smallest]);
  const plotted = useMemo(() => ({ ...data, unit, isCount, write }), [data, unit, isCount, write]);
  const sentence = spreadSentence(data, write);
  const range = (bin: Bin) => binWords(bin, isCount);
  const table = {
    head: [unit, 'Solved', 'Failed'],
    rows: () => data.bins.map((bin) => [range(bin), String(bin.solved), String(bin.failed)]),
  };
  const isEmpty = data.bins.length === 0;
  return (
    <ChartFrame title={title} sentence={sentence} table={isEmpty ? null : table}>
      {isEmpty ? null : <PlotBox label={sentence} data={plotted} draw={spreadPlot} />}
    </ChartFrame>
  );
}

/** Returns about `most` whole numbers, evenly spaced by 1, 2, 5, 10 …. */
function wholeTicks(first: number, last: number, most: number): number[] {
  const step = roundStep((last - first) / most, 1);
  const start = Math.ceil(first / step) * step;
  return Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, index) => start + index * step);
}

/** Describes a bin: `4`, `4–5` for counts, `1.5–2` for measures. */
function binWords({ low, high }: Bin, isCount: boolean): string {
  const last = isCount ? high - 1 : high;
  const word = (value: number) => String(Number(value.toPrecision(6)));
  return low === last ? word(low) : `${word(low)}–${word(last)}`;
}

const SIDES = ['solved', 'failed'] as const;

type SpreadPlot = Spreads & Pick<SpreadChartProps, 'unit' | 'isCount' | 'write'>;

function spreadPlot({ bins, medianSolved, medianFailed, unit, isCount, write }: SpreadPlot, width: number) {
  const shift = isCount ? 0.5 : 0;
  const highest = bins.reduce((most, { solved, failed }) => Math.max(most, solved, failed), 1);
  const [first, last] = [bins.at(0)?.low ?? 0, bins.at(-1)?.high ?? 1];
  const side = (which: (typeof SIDES)[number], median: number | null): Markish[] => [
    rectY(bins, {
      fy: () => which,
      x1: ({ low }: Bin) => low - shift,
      x2: ({ high }: Bin) => high - shift,
      y: which,
      fill: which === 'solved' ? 'var(--good)' : 'var(--bad)',
      fillOpacity: 0.75,
      insetLeft: 0.5,
      insetRight: 0.5,
    }),
    ...(median === null
      ? []
      : [ruleX([median], { fy: () => which, stroke: 'var(--text)', strokeWidth: 1.5, strokeDasharray: '4 3' })]),
    text([which], {
      fy: () => which,
      frameAnchor: 'top-right',
      text: () => (median === null ? which : `${which}, median ${write(median)}`),
      fill: 'var(--text)',
      stroke: 'var(--panel)',
      strokeWidth: 3,
    }),
    pointerTip(bins, {
      fy: () => which,
      x: ({ low, high }: Bin) => (low + high) / 2 - shift,
      y: which,
      title: (bin) => `${binWords(bin, isCount)} ${unit}\n${String(bin[which])} ${which}`,
    }),
  ];
  return {
    height: 260,
    fy: { domain: SIDES, axis: null, padding: 0.12 },
    x: {
      label: unit,
      ticks: isCount ? wholeTicks(first, last - 1, width / 50) : Math.floor(width / 70),
      tickFormat: String,
    },
    // Leaves space for the side's name above the bars.
    y: { label: 'episodes', domain: [0, highest * 1.25], grid: true, ticks: wholeTicks(0, highest, 3) },
    marks: [...side('solved', medianSolved), ...side('failed', medianFailed), ruleY([0], { stroke: 'var(--line)' })],
  };
}
