/** How long episodes are: in steps, in turns, in time; and how long model calls take. */

import { useMemo } from 'preact/hooks';

import { count, duration, meanCount } from '../../results/figures.ts';
import type { PayloadEpisode, PayloadRun } from '../../results/html/payload.ts';
import { BarTable } from './bars.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { callTime, latencies, latencySentence } from './latency-data.ts';
import { SpreadChart } from './spread-chart.tsx';
import { timeUnit } from './time-unit.ts';

const stepsOf = ({ steps }: PayloadEpisode) => steps;
const turnsOf = ({ turns }: PayloadEpisode) => turns;

export function Steps({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const write = (value: number) => `${meanCount(value)} steps`;
  const what = { measure: stepsOf, unit: 'environment steps', smallest: 1, isCount: true, write };
  return <SpreadChart title="Steps, solved and failed" episodes={episodes} {...what} />;
}

export function Turns({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const write = (value: number) => `${meanCount(value)} turns`;
  const what = { measure: turnsOf, unit: 'user turns', smallest: 1, isCount: true, write };
  return <SpreadChart title="Turns, solved and failed" episodes={episodes} {...what} />;
}

export function Durations({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const unit = useMemo(() => {
    const longest = episodes.reduce((most, { durationMs }) => Math.max(most, durationMs ?? 0), 0);
    const { name, ms } = timeUnit(longest);
    return { name, ms, measure: ({ durationMs }: PayloadEpisode) => (durationMs === null ? null : durationMs / ms) };
  }, [episodes]);
  const write = (value: number) => duration(value * unit.ms);
  const what = { measure: unit.measure, unit: unit.name, smallest: 0.01, isCount: false, write };
  return <SpreadChart title="Duration, solved and failed" episodes={episodes} {...what} />;
}

export function Latencies({ run }: { readonly run: PayloadRun }) {
  const roles = latencies(run.metrics.costs.roles);
  return (
    <ChartFrame title="Latency of model calls" sentence={latencySentence(roles)} table={null}>
      {roles.length === 0 ? null : (
        <BarTable
          rows={roles.map(({ role, calls, meanMs, share }) => ({
            name: role,
            figure: `${callTime(meanMs)} a call, ${count(calls)} calls`,
            share,
          }))}
        />
      )}
    </ChartFrame>
  );
}
