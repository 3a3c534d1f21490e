/** Charts of a schedule: pass^1 of its runs with intervals and verdicts, and their costs. */

import { areaY, dot, lineY, ruleX, ruleY, text } from '@observablehq/plot';
import { useMemo } from 'preact/hooks';
import { formatUsd } from '../../../results/document/index.ts';
import type { ScheduleTrend, TrendPoint } from '../../data/api.ts';
import { ChartFrame, PlotBox, pointerTip } from '../charts/frame.tsx';
import { tickUsd } from '../charts/words.ts';
import type { StatusText } from '../words.ts';
import { isNews, scoreText, shownTime, trendSentence, toVerdictStatus } from './data.ts';

interface TrendChartProps {
  readonly trend: ScheduleTrend;
  readonly onPick: (point: TrendPoint) => void;
}

const TONES: Readonly<Record<StatusText['tone'], string>> = {
  good: 'var(--good)',
  bad: 'var(--bad)',
  warn: 'var(--warn)',
  none: 'var(--accent)',
  accent: 'var(--accent)',
};

const toDate = ({ at }: TrendPoint): Date => new Date(at);

export function ScoreTrend({ trend, onPick }: TrendChartProps) {
  const points = useMemo(() => trend.runs.filter(({ passHat1 }) => passHat1 !== null), [trend]);
  const sentence = trendSentence(trend);
  const table = {
    head: ['Due (UTC)', 'pass^1 (95 %)', 'Verdict'],
    rows: () =>
      points.map((point) => [
        { text: shownTime(point), onPick: () => onPick(point) },
        scoreText(point),
        toVerdictStatus(point).word,
      ]),
  };
  return (
    <ChartFrame title="pass^1 of each run, with its 95 % interval" sentence={sentence} table={table}>
      {points.length === 0 ? null : <PlotBox label={sentence} data={points} draw={scorePlot} onPick={onPick} />}
    </ChartFrame>
  );
}

export function CostTrend({ trend, onPick }: TrendChartProps) {
  const points = useMemo(() => trend.runs.filter(({ costUsd }) => costUsd !== null && costUsd > 0), [trend]);
  const last = points.at(-1);
  if (last === undefined) return null;
  const most = Math.max(...points.map(({ costUsd }) => costUsd ?? 0));
  const sentence = `The last run cost ${formatUsd(last.costUsd)}, the most expensive one ${formatUsd(most)}.`;
  const table = {
    head: ['Due (UTC)', 'Cost'],
    rows: () =>
      points.map((point) => [{ text: shownTime(point), onPick: () => onPick(point) }, formatUsd(point.costUsd)]),
  };
  return (
    <ChartFrame title="Cost of each run" sentence={sentence} table={table}>
      <PlotBox label={sentence} data={points} draw={costPlot} onPick={onPick} />
    </ChartFrame>
  );
}

/** Returns the scale of times; a single run has only a moment. */
function timeScale(points: readonly TrendPoint[], width: number) {
  const times = points.map((point) => toDate(point).getTime());
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const scale = { type: 'utc' as const, label: 'UTC', insetLeft: 8, insetRight: 8 };
  const [first] = points;
  if (from !== to || first === undefined) return { ...scale, ticks: Math.max(2, Math.floor(width / 80)) };
  return {
    ...scale,
    domain: [new Date(from - 1), new Date(to + 1)],
    ticks: [new Date(from)],
    tickFormat: () => shownTime(first),
  };
}

function scorePlot(points: readonly TrendPoint[], width: number) {
  const color = (point: TrendPoint) => TONES[toVerdictStatus(point).tone];
  const score = ({ passHat1 }: TrendPoint) => passHat1;
  return {
    height: 280,
    x: timeScale(points, width),
    y: { domain: [0, 1], label: 'pass^1', labelAnchor: 'top' as const, ticks: 5, tickFormat: '.1f', grid: true },
    marks: [
      ruleX(points, {
        x: toDate,
        y1: ({ interval, passHat1 }: TrendPoint) => interval?.low ?? passHat1,
        y2: ({ interval, passHat1 }: TrendPoint) => interval?.high ?? passHat1,
        stroke: color,
        strokeWidth: 2,
        strokeOpacity: 0.5,
      }),
      lineY(points, { x: toDate, y: score, stroke: 'var(--muted)', strokeWidth: 1.5 }),
      dot(points, { x: toDate, y: score, r: 5, fill: color, stroke: 'var(--panel)' }),
      text(points.filter(isNews), {
        x: toDate,
        y: ({ interval, passHat1 }: TrendPoint) => interval?.high ?? passHat1,
        text: (point: TrendPoint) => toVerdictStatus(point).sign,
        dy: -10,
        fontSize: 13,
        fontWeight: 700,
        fill: color,
      }),
      ruleY([0], { stroke: 'var(--muted)' }),
      pointerTip(points, { x: toDate, y: score, title: formatTip }),
    ],
  };
}

function formatTip(point: TrendPoint): string {
  return `${shownTime(point)}\n${scoreText(point)}\n${toVerdictStatus(point).word}`;
}

function costPlot(points: readonly TrendPoint[], width: number) {
  const cost = ({ costUsd }: TrendPoint) => costUsd;
  return {
    height: 180,
    x: timeScale(points, width),
    y: { label: 'USD', zero: true, labelAnchor: 'top' as const, ticks: 4, tickFormat: tickUsd, grid: true },
    marks: [
      areaY(points, { x: toDate, y: cost, fill: 'var(--accent)', fillOpacity: 0.12 }),
      lineY(points, { x: toDate, y: cost, stroke: 'var(--accent)', strokeWidth: 1.5 }),
      dot(points, { x: toDate, y: cost, r: 3.5, fill: 'var(--accent)', stroke: 'var(--panel)' }),
      ruleY([0], { stroke: 'var(--muted)' }),
      pointerTip(points, {
        x: toDate,
        y: cost,
        title: (point) => `${shownTime(point)}\n${formatUsd(point.costUsd)}`,
      }),
    ],
  };
}
