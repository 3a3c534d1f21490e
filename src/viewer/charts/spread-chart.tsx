/** Lengths of solved and failed episodes: a histogram each, over one axis. */

import { rectY, ruleX, ruleY, text, tip, pointerX, type Markish } from '@observablehq/plot';
import { useCallback, useMemo } from 'preact/hooks';

import type { PayloadEpisode } from '../../results/page/index.ts';
import { ChartFrame } from './chart-frame.tsx';
import { PlotBox } from './plot-box.tsx';
import { roundStep, spreads, spreadSentence, type Bin, type Measure, type Spreads } from './spread-data.ts';
import { TIP } from './tip.ts';

export interface SpreadChartProps {
  readonly title: string;
  readonly episodes: readonly PayloadEpisode[];
  /** The same function as long as it measures the same. */
  readonly measure: Measure;
  /** Under the axis, such as `environment steps`. */
  readonly unit: string;
  /** Width of the narrowest bin. Whole numbers are drawn around their mark, others from theirs on. */
  readonly smallest: number;
  readonly isCount: boolean;
  /** Puts a value into words, with its unit. */
  readonly write: (value: number) => string;
}

export function SpreadChart({ title, episodes, measure, unit, smallest, isCount, write }: SpreadChartProps) {
  const data = useMemo(() => spreads(episodes, measure, smallest), [episodes, measure, smallest]);
  const draw = useCallback(
    (width: number) => spreadPlot(data, { unit, isCount, write }, width),
    [data, unit, isCount, write],
  );
  const sentence = spreadSentence(data, write);
  const range = (bin: Bin) => binWords(bin, isCount);
  const table = {
    head: [unit, 'Solved', 'Failed'],
    rows: () => data.bins.map((bin) => [range(bin), String(bin.solved), String(bin.failed)]),
  };
  const isEmpty = data.bins.length === 0;
  return (
    <ChartFrame title={title} sentence={sentence} table={isEmpty ? null : table}>
      {isEmpty ? null : <PlotBox label={sentence} draw={draw} />}
    </ChartFrame>
  );
}

/** At most about so many whole numbers, evenly spaced by 1, 2, 5, 10 …, from the first such in the range on. */
function wholeTicks(first: number, last: number, most: number): number[] {
  const step = roundStep((last - first) / most, 1);
  const start = Math.ceil(first / step) * step;
  return Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, index) => start + index * step);
}

/** `4`, `4–5` for counts, `1.5–2` for what is measured. */
function binWords({ low, high }: Bin, isCount: boolean): string {
  const last = isCount ? high - 1 : high;
  const word = (value: number) => String(Number(value.toPrecision(6)));
  return low === last ? word(low) : `${word(low)}–${word(last)}`;
}

const SIDES = ['solved', 'failed'] as const;

type Wording = Pick<SpreadChartProps, 'unit' | 'isCount' | 'write'>;

function spreadPlot({ bins, medianSolved, medianFailed }: Spreads, { unit, isCount, write }: Wording, width: number) {
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
    tip(
      bins,
      pointerX({
        fy: () => which,
        x: ({ low, high }: Bin) => (low + high) / 2 - shift,
        y: which,
        title: (bin: Bin) => `${binWords(bin, isCount)} ${unit}\n${String(bin[which])} ${which}`,
        ...TIP,
      }),
    ),
  ];
  return {
    height: 260,
    marginTop: 30,
    marginLeft: 40,
    marginRight: 20,
    marginBottom: 40,
    fy: { domain: SIDES, axis: null, padding: 0.12 },
    x: {
      label: unit,
      ticks: isCount ? wholeTicks(first, last - 1, width / 50) : Math.floor(width / 70),
      tickFormat: String,
    },
    // With room for the name of the side above the bars.
    y: { label: 'episodes', domain: [0, highest * 1.25], grid: true, ticks: wholeTicks(0, highest, 3) },
    marks: [...side('solved', medianSolved), ...side('failed', medianFailed), ruleY([0], { stroke: 'var(--line)' })],
  };
}
