/** Lengths of episodes in steps, turns and time, and durations of model calls. */

import { useMemo } from 'preact/hooks';

import { formatCount, formatMean } from '../../results/document/index.ts';
import type { PayloadEpisode, PayloadRun } from '../../results/page/index.ts';
import { BarTable } from './bars.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { latencies, latencySentence } from './latency-data.ts';
import { SpreadChart } from './spread-chart.tsx';
import { timeUnit } from './time-unit.ts';
import { shortTime } from './words.ts';

const stepsOf = ({ steps }: PayloadEpisode) => steps;
const turnsOf = ({ turns }: PayloadEpisode) => turns;

/** `1 turn`, `5.5 turns` */
const written = (thing: string) => (value: number) => `${formatMean(value)} ${thing}${value === 1 ? '' : 's'}`;
const [steps, turns] = [written('step'), written('turn')];

export function Steps({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const what = { measure: stepsOf, unit: 'environment steps', smallest: 1, isCount: true, write: steps };
  return <SpreadChart title="Steps, solved and failed" episodes={episodes} {...what} />;
}

export function Turns({ episodes }: { readonly episodes: readonly PayloadEpisode[] }) {
  const what = { measure: turnsOf, unit: 'user turns', smallest: 1, isCount: true, write: turns };
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
