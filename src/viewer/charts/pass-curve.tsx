import { useMemo } from 'preact/hooks';

import { formatShare } from '../../results/document/index.ts';
import type { PayloadRun } from '../../results/page/index.ts';
import { ChartFrame, type FigureTable } from './chart-frame.tsx';
import { CurvesPlot } from './curves-plot.tsx';
import { ksOf, passCurves, passCurveSentence, type Curve, type PassCurves } from './pass-curve-data.ts';
import { withInterval } from './words.ts';

export function PassCurve({ run }: { readonly run: PayloadRun }) {
  const data = useMemo(() => passCurves(run), [run]);
  const references = useMemo(() => referencesOf(data), [data]);
  const sentence = passCurveSentence(data);
  return (
    <ChartFrame title="pass^k: how reliable" sentence={sentence} table={curvesTable(data.curves)}>
      {data.curves[0]?.points.length === 0 ? null : (
        <CurvesPlot label={sentence} curves={data.curves} references={references} />
      )}
    </ChartFrame>
  );
}

function referencesOf({ floor, ceiling }: PassCurves) {
  return [
    ...(ceiling === null ? [] : [{ name: 'ceiling', value: ceiling }]),
    ...(floor === null ? [] : [{ name: 'doing nothing', value: floor }]),
  ];
}

/** The curves' points, a row a k. */
export function curvesTable(curves: readonly Curve[]): FigureTable {
  return {
    head: ['k', ...curves.map(({ name }) => name)],
    rows: () =>
      ksOf(curves).map((k) => [
        `pass^${String(k)}`,
        ...curves.map(({ points }) => {
          const point = points.find((one) => one.k === k);
          return point === undefined ? formatShare(null) : withInterval(point.value, point.interval);
        }),
      ]),
  };
}
