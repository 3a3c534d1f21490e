/** The charts of a run. */

import { useMemo } from 'preact/hooks';
import type { PayloadRun } from '../../data/payload.ts';
import { ConditionChart } from './conditions.tsx';
import { Bars, type ChartProps } from './frame.tsx';
import { userFaultBars, faultBars, outcomeBars, verdictBars } from './episode-data.ts';
import { CostScore } from './cost-score.tsx';
import { Durations, Latencies, Steps, Turns } from './lengths.tsx';
import { PassCurve } from './pass-curve.tsx';
import { StabilityChart, VarianceSplit } from './stability.tsx';

function toBaseRun(run: PayloadRun): PayloadRun {
  return { ...run, episodes: run.episodes.filter(({ condition }) => condition === undefined) };
}

/** Shows two stacks, side by side on a wide screen: scores and failures, and lengths of episodes. */
export function Charts({ run: all, onPick }: ChartProps) {
  const run = useMemo(() => toBaseRun(all), [all]);
  const { episodes, metrics } = run;
  const verdicts = verdictBars(episodes);
  return (
    <div class="columns">
      <div class="stack">
        <PassCurve run={run} />
        {run.conditions === undefined ? null : <ConditionChart conditions={run.conditions} />}
        <Bars title="Outcomes" breakdown={outcomeBars(metrics)} />
        <Bars title="First faults" breakdown={faultBars(metrics.faults)} />
        {verdicts === null ? null : <Bars title="Verdicts of the judge" breakdown={verdicts} />}
        <Bars title="Simulated user" breakdown={userFaultBars(metrics.userFaults)} />
        <Durations episodes={episodes} />
        <Latencies run={run} />
      </div>
      <div class="stack">
        <StabilityChart run={run} onPick={onPick} />
        <VarianceSplit run={run} />
        <CostScore run={run} onPick={onPick} />
        <Steps episodes={episodes} />
        <Turns episodes={episodes} />
      </div>
    </div>
  );
}
