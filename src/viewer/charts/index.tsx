/** The charts of a run. */

import './charts.css';
import type { PayloadEpisode, PayloadRun } from '../../results/html/payload.ts';
import { Bars } from './bars.tsx';
import { customerBreakdown, faultBreakdown, faultTypeBreakdown, outcomeBreakdown } from './breakdown-data.ts';
import { CostScore } from './cost-score.tsx';
import { Durations, Latencies, Steps, Turns } from './lengths.tsx';
import { PassCurve } from './pass-curve.tsx';
import { StabilityChart, VarianceSplit } from './stability.tsx';

export interface ChartsProps {
  readonly run: PayloadRun;
  readonly onPick: (episode: PayloadEpisode) => void;
}

export function Charts({ run, onPick }: ChartsProps) {
  const { episodes } = run;
  return (
    <div class="charts">
      <PassCurve run={run} />
      <StabilityChart run={run} onPick={onPick} />
      <Bars title="Outcomes" thing="episode" breakdown={outcomeBreakdown(episodes)} />
      <Bars title="What went wrong first" thing="failed episode" breakdown={faultBreakdown(episodes)} />
      <Bars title="The same in tau-bench’s types" thing="analysed failure" breakdown={faultTypeBreakdown(episodes)} />
      <Bars title="Customers" thing="episode" breakdown={customerBreakdown(episodes)} />
      <CostScore run={run} onPick={onPick} />
      <VarianceSplit run={run} />
      <Steps episodes={episodes} />
      <Turns episodes={episodes} />
      <Durations episodes={episodes} />
      <Latencies run={run} />
    </div>
  );
}
