/** Schedules of a log folder with their latest verdict, and the trend of one schedule. */

import './schedules.css';
import { formatAmount, formatUsd } from '../../../results/document/index.ts';
import type { ScheduleTrend, ScheduleTrends, TrendPoint } from '../../data/api.ts';
import { useKeys, useNavigation } from '../navigation.tsx';
import { Badge, Crumbs } from '../parts.tsx';
import { Answered, useTitle } from '../answers.tsx';
import { apiPath, useAnswer } from '../server.ts';
import { CostTrend, ScoreTrend } from './charts.tsx';
import { scoreText, shownTime, sparkline, toVerdictStatus } from './data.ts';

/** Interval of reloading, in milliseconds. */
const EVERY_MS = 30_000;

interface SchedulesProps {
  /** Name of one schedule; null: all. */
  readonly schedule: string | null;
}

export function SchedulesPage({ schedule }: SchedulesProps) {
  const { go } = useNavigation();
  const asked = useAnswer<ScheduleTrends>(apiPath('schedules'), EVERY_MS);
  const up = { page: 'schedules', schedule: null } as const;
  useKeys({ u: schedule === null ? undefined : () => go(up) });
  useTitle(schedule ?? 'Schedules');
  return (
    <>
      {schedule === null ? null : <Crumbs up={[{ name: 'Schedules', route: up }]} />}
      <h1>{schedule ?? 'Schedules'}</h1>
      <Answered asked={asked} what="scheduled runs">
        {({ schedules }) => <Shown schedule={schedule} schedules={schedules} />}
      </Answered>
    </>
  );
}

function Shown({ schedule, schedules }: SchedulesProps & ScheduleTrends) {
  if (schedule === null) return <ScheduleList schedules={schedules} />;
  const trend = schedules.find((one) => one.schedule === schedule);
  if (trend !== undefined) return <SchedulePage trend={trend} />;
  return <p class="empty">No run in this folder was started by a schedule of that name.</p>;
}

function ScheduleList({ schedules }: ScheduleTrends) {
  const { linkTo } = useNavigation();
  if (schedules.length === 0) {
    return (
      <p class="empty">
        No run in this folder was started by a schedule. <code>npx tauflow schedule create</code> makes one.
      </p>
    );
  }
  return (
    <ul class="panel schedules">
      {schedules.map((trend) => {
        const last = trend.runs.at(-1);
        return (
          <li key={trend.schedule}>
            <a href={linkTo({ page: 'schedules', schedule: trend.schedule })}>{trend.schedule}</a>
            <span class="muted">{formatAmount(trend.runs.length, 'run')}</span>
            <Sparkline trend={trend} />
            {last === undefined ? null : (
              <>
                <span class="number">{scoreText(last)}</span>
                <Badge status={toVerdictStatus(last)} />
                <time class="muted" dateTime={last.at}>
                  {shownTime(last)} UTC
                </time>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const SPARK = { width: 120, height: 28, inset: 4 } as const;

/** Curve of pass^1, beside its figures. */
function Sparkline({ trend }: { readonly trend: ScheduleTrend }) {
  const place = (share: number, length: number) => SPARK.inset + share * (length - 2 * SPARK.inset);
  const points = sparkline(trend).map(({ x, y }) => [place(x, SPARK.width), place(y, SPARK.height)] as const);
  const last = points.at(-1);
  return (
    <svg class="sparkline" viewBox={`0 0 ${SPARK.width} ${SPARK.height}`} aria-hidden="true">
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      {last === undefined ? null : <circle cx={last[0]} cy={last[1]} r="3" />}
    </svg>
  );
}

function SchedulePage({ trend }: { readonly trend: ScheduleTrend }) {
  const { go } = useNavigation();
  const open = ({ runId }: TrendPoint) => go({ page: 'run', run: runId });
  return (
    <>
      <div class="stack schedule-charts">
        <ScoreTrend trend={trend} onPick={open} />
        <CostTrend trend={trend} onPick={open} />
      </div>
      <h2>Runs</h2>
      <table class="table scheduled-runs">
        <thead>
          <tr>
            <th scope="col">Due (UTC)</th>
            <th scope="col">pass^1 (95 %)</th>
            <th scope="col">Cost</th>
            <th scope="col">Episodes</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {trend.runs.toReversed().map((point) => (
            <ScheduledRun key={point.runId} point={point} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function ScheduledRun({ point }: { readonly point: TrendPoint }) {
  const { linkTo } = useNavigation();
  const { runId, baseline, sentence, episodes, errors, costUsd } = point;
  return (
    <tr>
      <th scope="row">
        <a href={linkTo({ page: 'run', run: runId })} title={runId}>
          {shownTime(point)}
        </a>
      </th>
      <td>{scoreText(point)}</td>
      <td>{formatUsd(costUsd)}</td>
      <td>
        {episodes}
        <span class="narrow-only"> {episodes === 1 ? 'episode' : 'episodes'}</span>
        {errors === 0 ? null : <span class="muted">, {formatAmount(errors, 'error')}</span>}
      </td>
      <td class="scheduled-verdict">
        <Badge status={toVerdictStatus(point)} />{' '}
        {baseline === null ? null : (
          <a href={linkTo({ page: 'compare', runs: [baseline, runId] })}>
            Compare
            <span class="unseen">
              {' '}
              {runId} with {baseline}
            </span>
          </a>
        )}
        {sentence === null ? null : <p class="muted">{sentence}</p>}
      </td>
    </tr>
  );
}
