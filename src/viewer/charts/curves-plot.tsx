/** Curves of pass^k over k, with the intervals of each where they are known. */

import { areaY, dot, lineY, ruleX, ruleY, text, tip, pointer, type Markish } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';

import { formatShare } from '../../results/document/index.ts';
import { ksOf, type Curve, type CurvePoint } from './pass-curve-data.ts';
import { PlotBox } from './plot-box.tsx';
import { Legend, seriesStyle } from './series.tsx';
import { TIP } from './tip.ts';
import { withInterval } from './words.ts';

export interface CurvesPlotProps {
  readonly label: string;
  readonly curves: readonly Curve[];
  /** Names and heights of lines across the plot. */
  readonly references: readonly { readonly name: string; readonly value: number }[];
}

interface NamedPoint extends CurvePoint {
  readonly curve: string;
  /** Its position: beside k, so that whiskers of several curves do not overlap. */
  readonly x: number;
}

export function CurvesPlot({ label, curves, references }: CurvesPlotProps) {
  const draw = useCallback((width: number) => curvesPlot(curves, references, width), [curves, references]);
  return (
    <>
      {curves.length > 1 ? <Legend names={curves.map(({ name }) => name)} /> : null}
      <PlotBox label={label} draw={draw} />
    </>
  );
}

function curvesPlot(curves: readonly Curve[], references: CurvesPlotProps['references'], width: number) {
  const ks = ksOf(curves);
  const named = curves.map((curve, index) => place(curve, index, curves.length));
  const last = Math.max(1, ...ks);
  return {
    height: Math.min(340, Math.max(240, width * 0.5)),
    marginTop: 30,
    marginLeft: 40,
    marginRight: 16,
    marginBottom: 40,
    x: {
      domain: [0.75, last + 0.25],
      ticks: thinned(ks, width),
      tickFormat: 'd',
      label: 'k (trials that all succeed)',
    },
    y: { domain: [0, 1], label: 'pass^k', grid: true, ticks: 5, tickFormat: '.1f' },
    marks: [
      ruleY([0], { stroke: 'var(--line)' }),
      ...references.flatMap((reference) => referenceMarks(reference, last)),
      ...named.flatMap((points, index) => curveMarks(points, index)),
      tip(named.flat(), pointer({ x: 'x', y: 'value', title: pointTitle, ...TIP })),
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
      // Curves fall: what is high is named at the right, what is low at the left.
      ...(value < 0.5 ? { x: 0.75, textAnchor: 'start' as const } : { x: last + 0.25, textAnchor: 'end' as const }),
      y: value,
      text: [words],
      // Inside the plot, wherever the line is.
      dy: value > 0.9 ? 8 : -8,
      fill: 'var(--muted)',
      stroke: 'var(--panel)',
      strokeWidth: 3,
    }),
  ];
}

function pointTitle({ curve, k, value, interval }: NamedPoint): string {
  return `${curve}\npass^${String(k)}: ${withInterval(value, interval)}`;
}

/** As many ticks as have room, always with the first. */
function thinned(ks: readonly number[], width: number): number[] {
  const every = Math.ceil((ks.length * 28) / Math.max(1, width - 56));
  return ks.filter((_, index) => index % every === 0);
}
