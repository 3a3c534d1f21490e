/** pass^k curves of one run with its bounds, or of several runs. */

import { useMemo } from 'preact/hooks';
import { areaY, dot, lineY, ruleX, ruleY, text, pointer, type Markish } from '@observablehq/plot';
import { formatShare } from '../../../results/document/index.ts';
import type { PayloadRun } from '../../data/payload.ts';
import { ChartFrame, type FigureTable, PlotBox, pointerTip } from './frame.tsx';
import {
  listKs,
  passCurves,
  passCurveSentence,
  type Curve,
  type PassCurves,
  type CurvePoint,
} from './pass-curve-data.ts';
import { withInterval } from './words.ts';

export function PassCurve({ run }: { readonly run: PayloadRun }) {
  const data = useMemo(() => passCurves(run), [run]);
  const references = useMemo(() => listReferences(data), [data]);
  const sentence = passCurveSentence(data);
  return (
    <ChartFrame title="pass^k: how reliable" sentence={sentence} table={curvesTable(data.curves)}>
      {data.curves[0]?.points.length === 0 ? null : (
        <CurvesPlot label={sentence} curves={data.curves} references={references} />
      )}
    </ChartFrame>
  );
}

function listReferences({ floor, ceiling }: PassCurves) {
  return [
    ...(ceiling === null ? [] : [{ name: 'ceiling', value: ceiling }]),
    ...(floor === null ? [] : [{ name: 'doing nothing', value: floor }]),
  ];
}

export function curvesTable(curves: readonly Curve[]): FigureTable {
  return {
    head: ['k', ...curves.map(({ name }) => name)],
    rows: () =>
      listKs(curves).map((k) => [
        `pass^${k}`,
        ...curves.map(({ points }) => {
          const point = points.find((one) => one.k === k);
          return point === undefined ? formatShare(null) : withInterval(point.value, point.interval);
        }),
      ]),
  };
}

interface CurvesPlotProps {
  readonly label: string;
  readonly curves: readonly Curve[];
  /** Names and heights of lines across the plot. */
  readonly references: readonly { readonly name: string; readonly value: number }[];
}

interface NamedPoint extends CurvePoint {
  readonly curve: string;
  /** Position beside k, so that whiskers of several curves do not overlap. */
  readonly x: number;
}

export function CurvesPlot({ label, curves, references }: CurvesPlotProps) {
  const data = useMemo(() => ({ curves, references }), [curves, references]);
  return (
    <>
      {curves.length > 1 ? <Legend names={curves.map(({ name }) => name)} /> : null}
      <PlotBox label={label} data={data} draw={curvesPlot} />
    </>
  );
}

function curvesPlot({ curves, references }: Omit<CurvesPlotProps, 'label'>, width: number) {
  const ks = listKs(curves);
  const named = curves.map((curve, index) => place(curve, index, curves.length));
  const last = Math.max(1, ...ks);
  return {
    height: Math.min(340, Math.max(240, width * 0.5)),
    x: {
      domain: [0.75, last + 0.25],
      ticks: thinTicks(ks, width),
      tickFormat: 'd',
      label: 'k (trials that all succeed)',
    },
    y: { domain: [0, 1], label: 'pass^k', grid: true, ticks: 5, tickFormat: '.1f' },
    marks: [
      ruleY([0], { stroke: 'var(--line)' }),
      ...references.flatMap((reference) => referenceMarks(reference, last)),
      ...named.flatMap((points, index) => curveMarks(points, index)),
      pointerTip(named.flat(), { x: 'x', y: 'value', title: pointTitle }, pointer),
    ],
  };
}

function place({ name, points }: Curve, index: number, of: number): NamedPoint[] {
  const shift = of === 1 ? 0 : (index - (of - 1) / 2) * 0.04;
  return points.map((point) => ({ ...point, curve: name, x: point.k + shift }));
}

function curveMarks(points: readonly NamedPoint[], index: number): Markish[] {
  const { colour, dash, symbol } = seriesStyle(index);
  const known = points.filter(({ interval }) => interval !== null);
  const low = ({ interval }: NamedPoint) => interval?.low ?? 0;
  const high = ({ interval }: NamedPoint) => interval?.high ?? 0;
  return [
    areaY(known, { x: 'x', y1: low, y2: high, fill: colour, fillOpacity: 0.12 }),
    ruleX(known, { x: 'x', y1: low, y2: high, stroke: colour, strokeWidth: 1.5 }),
    lineY(points, { x: 'x', y: 'value', stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
    dot(points, { x: 'x', y: 'value', fill: colour, stroke: 'var(--panel)', symbol, r: 5 }),
  ];
}

function referenceMarks({ name, value }: { name: string; value: number }, last: number): Markish[] {
  const words = `${name} ${formatShare(value)}`;
  return [
    ruleY([value], { stroke: 'var(--muted)', strokeDasharray: '3 3' }),
    text([words], {
      // Curves fall, so high lines are named at the right and low ones at the left.
      ...(value < 0.5 ? { x: 0.75, textAnchor: 'start' as const } : { x: last + 0.25, textAnchor: 'end' as const }),
      y: value,
      text: [words],
      // Keeps the name inside the plot.
      dy: value > 0.9 ? 8 : -8,
      fill: 'var(--muted)',
      stroke: 'var(--panel)',
      strokeWidth: 3,
    }),
  ];
}

function pointTitle({ curve, k, value, interval }: NamedPoint): string {
  return `${curve}\npass^${k}: ${withInterval(value, interval)}`;
}

/** Picks as many ticks as fit, including the first. */
function thinTicks(ks: readonly number[], width: number): number[] {
  const every = Math.ceil((ks.length * 28) / Math.max(1, width - 56));
  return ks.filter((_, index) => index % every === 0);
}

/** Plot symbols that differ when they are small. */
type SymbolName = 'circle' | 'square' | 'triangle' | 'diamond' | 'star' | 'wye';

interface SeriesStyle {
  /** A CSS color, legible on light and dark. */
  readonly colour: string;
  /** Dashes of the line, as SVG's `stroke-dasharray`. */
  readonly dash: string;
  readonly symbol: SymbolName;
}

const STYLES: readonly [SeriesStyle, ...SeriesStyle[]] = [
  { colour: 'var(--series-1)', dash: 'none', symbol: 'circle' },
  { colour: 'var(--series-2)', dash: '6 3', symbol: 'square' },
  { colour: 'var(--series-3)', dash: '2 3', symbol: 'triangle' },
  { colour: 'var(--series-4)', dash: '10 3 2 3', symbol: 'diamond' },
  { colour: 'var(--series-5)', dash: '4 4', symbol: 'star' },
  { colour: 'var(--series-6)', dash: '1 4', symbol: 'wye' },
];

/** @param index from 0; styles repeat after six */
export function seriesStyle(index: number): SeriesStyle {
  return STYLES[index % STYLES.length] ?? STYLES[0];
}

const SAMPLES: Readonly<Record<SymbolName, string>> = {
  circle: 'M16,8m-4,0a4,4,0,1,0,8,0a4,4,0,1,0,-8,0',
  square: 'M12,4h8v8h-8z',
  triangle: 'M16,3l5,9h-10z',
  diamond: 'M16,3l4,5l-4,5l-4,-5z',
  star: 'M16,2l1.6,4h4.4l-3.5,2.7l1.3,4.3l-3.8,-2.6l-3.8,2.6l1.3,-4.3l-3.5,-2.7h4.4z',
  wye: 'M14.5,13v-4l-4,-2.5l1.5,-2.5l4,2.4l4,-2.4l1.5,2.5l-4,2.5v4z',
};

/** @param names names of the series in order */
export function Legend({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="row small legend">
      {names.map((name, index) => (
        <li key={name}>
          <Sample style={seriesStyle(index)} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Sample({ style: { colour, dash, symbol } }: { readonly style: SeriesStyle }) {
  return (
    <svg width="32" height="16" aria-hidden="true">
      <line x1="0" x2="32" y1="8" y2="8" stroke={colour} stroke-width="2" stroke-dasharray={dash} />
      <path d={SAMPLES[symbol]} fill={colour} />
    </svg>
  );
}
