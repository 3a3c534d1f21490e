/** Charts of a run in progress: costs, and ended episodes by result. */

import { useMemo } from 'preact/hooks';
import { areaY, lineY, ruleY } from '@observablehq/plot';
import { formatCount, formatShare, formatUsd } from '../../../results/document/index.ts';
import { ChartFrame, PlotBox, type FigureTable } from '../charts/frame.tsx';
import type { CoursePoint } from './progress.ts';

export function CourseCharts({ course }: { readonly course: readonly CoursePoint[] }) {
  const last = course.at(-1);
  if (last === undefined || course.length < 2) return null;
  const { costUsd, episodes, passHat1 } = last;
  return (
    <div class="columns" style={{ '--least': '260px' }}>
      {costUsd === 0 ? null : (
        <Course
          title="Spend"
          sentence={`${formatUsd(costUsd)} for the episodes that have ended.`}
          course={course}
          value={spend}
          format={formatUsd}
        />
      )}
      <Course
        title="Episodes ended"
        sentence={`${formatCount(episodes)} so far.`}
        course={course}
        value={count}
        format={formatCount}
      />
      <Course
        title="pass^1 so far"
        sentence={`${formatShare(passHat1)} of the episodes that have ended, errors as failures.`}
        course={course}
        value={share}
        format={formatShare}
        most={1}
      />
    </div>
  );
}

const spend = ({ costUsd }: CoursePoint) => costUsd;
const count = ({ episodes }: CoursePoint) => episodes;
const share = ({ passHat1 }: CoursePoint) => passHat1;

interface CourseProps {
  readonly title: string;
  readonly sentence: string;
  readonly course: readonly CoursePoint[];
  readonly value: (point: CoursePoint) => number;
  readonly format: (value: number) => string;
  /** Upper end of the axis. @default the data's */
  readonly most?: number;
}

function Course({ title, sentence, course, value, format, most }: CourseProps) {
  const data = useMemo(() => ({ course, value, format, most }), [course, value, format, most]);
  const table: FigureTable = {
    head: ['Time', title],
    rows: () => course.map((point) => [point.at.toISOString().slice(11, 19), format(value(point))]),
  };
  return (
    <ChartFrame title={title} sentence={sentence} table={table}>
      <PlotBox label={`${title} over time. ${sentence}`} data={data} draw={coursePlot} />
    </ChartFrame>
  );
}

type CoursePlot = Pick<CourseProps, 'course' | 'value' | 'format'> & { readonly most: number | undefined };

function coursePlot({ course, value, format, most }: CoursePlot) {
  const axis = { label: null, grid: true, ticks: 3, tickFormat: format };
  return {
    height: 160,
    marginTop: 8,
    marginLeft: 52,
    x: { label: null, ticks: 3 },
    y: most === undefined ? { ...axis, zero: true } : { ...axis, domain: [0, most] },
    marks: [
      ruleY([0], { stroke: 'var(--line)' }),
      // `y` alone would stack points of one time.
      areaY(course, { x: 'at', y1: 0, y2: value, fill: 'var(--accent)', fillOpacity: 0.12, curve: 'step-after' }),
      lineY(course, { x: 'at', y: value, stroke: 'var(--accent)', strokeWidth: 2, curve: 'step-after' }),
    ],
  };
}
