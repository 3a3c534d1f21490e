/** The key figures of a run, each with its confidence interval. */

import type { ComponentChildren } from 'preact';
import type { PayloadRun } from '../../data/payload.ts';
import {
  formatCount,
  formatShare,
  formatUsd,
  formatAmount,
  formatDuration,
  formatMostFrequent,
  pickWorstTasks,
} from '../../../results/document/index.ts';
import { useNavigation, useRunRoutes } from '../navigation.tsx';
import { ScoreTrack } from '../parts.tsx';
import { rankedTasks } from '../charts/task-data.ts';
import type { TaskNotes } from '../../../results/log/index.ts';

export function KeyFigures({ run }: { readonly run: PayloadRun }) {
  const { metrics, notes, episodes } = run;
  const { errorsAsFailures: reading, costs, uncertainty, overallScore } = metrics;
  const last = reading.passHatK.at(-1);
  const suspects = episodes.filter(({ isSuspect }) => isSuspect).length;
  return (
    <section class="tiles" aria-label="Key figures">
      <PassHat run={run} k={1} title="A trial of a task succeeds" isWide>
        {(value, interval) => <ScoreBand value={value} interval={interval} bounds={notes} />}
      </PassHat>
      {last === undefined || last.k === 1 ? null : (
        <PassHat run={run} k={last.k} title={`All of ${formatAmount(last.k, 'trial')} succeed`} />
      )}
      {overallScore === null || overallScore.ks.length < 2 ? null : (
        <Tile
          name="Overall score"
          value={formatShare(overallScore.value)}
          note={`mean of pass^${String(overallScore.ks[0])} to pass^${String(overallScore.ks.at(-1))}`}
        />
      )}
      <Tile
        name="Solved"
        value={`${formatCount(reading.successes)} of ${formatCount(reading.episodes)}`}
        note={`${formatAmount(metrics.tasks, 'task')} × ${formatAmount(metrics.trials, 'trial')}`}
      />
      {uncertainty.flips.rate === null ? null : (
        <Tile
          name="Unsteady tasks"
          value={`${String(uncertainty.flips.flipped)} of ${String(uncertainty.flips.tasks)}`}
          note="solved in some trials, not in others"
        />
      )}
      {uncertainty.mde === null ? null : (
        <Tile
          name="Minimum detectable effect"
          value={formatShare(uncertainty.mde)}
          note="against another such run, with 80 % power"
        />
      )}
      <Failures run={run} />
      {suspects === 0 ? null : (
        <Tile
          name="Suspect users"
          value={formatAmount(suspects, 'episode')}
          note={`pass^1 without them: ${formatShare(metrics.withoutSuspects.passHatK[0]?.value ?? null)}`}
        />
      )}
      {costs.roles.length === 0 ? null : (
        <Tile
          name="Cost"
          value={costs.unpriced > 0 ? `≥ ${formatUsd(costs.knownUsd)}` : formatUsd(costs.knownUsd)}
          note={`${formatUsd(costs.perEpisodeUsd)} per episode, ${formatUsd(costs.perSuccessUsd)} per success`}
        />
      )}
      {metrics.durationMs === null ? null : (
        <Tile
          name="Episode"
          value={formatDuration(metrics.durationMs.mean)}
          note={`median ${formatDuration(metrics.durationMs.median)}${metrics.steps === null ? '' : `; ${String(metrics.steps.median)} steps`}`}
        />
      )}
    </section>
  );
}

/** The most frequent faults, and the tasks that failed most. */
function Failures({ run }: { readonly run: PayloadRun }) {
  const { linkTo } = useNavigation();
  const { task } = useRunRoutes();
  const { failed, kinds } = run.metrics.faults;
  const tasks = rankedTasks(run.episodes).filter(({ passRate }) => passRate < 1);
  return (
    <>
      {failed === 0 ? null : (
        <Tile name="Failed" value={formatAmount(failed, 'episode')} note={formatMostFrequent(kinds)} />
      )}
      {tasks.length === 0 ? null : (
        <Tile name="Tasks with failures" value={formatCount(tasks.length)} note="the worst:">
          <ul class="row tile-note worst-tasks">
            {pickWorstTasks(tasks).map(({ taskId, passRate }) => (
              <li key={taskId}>
                <a href={linkTo(task(taskId))}>{taskId}</a> ({formatShare(passRate)})
              </li>
            ))}
          </ul>
        </Tile>
      )}
    </>
  );
}

interface PassHatProps {
  readonly run: PayloadRun;
  readonly k: number;
  readonly title: string;
  readonly isWide?: boolean;
  readonly children?: (value: number, interval: { low: number; high: number } | null) => ComponentChildren;
}

function PassHat({ run, k, title, isWide = false, children }: PassHatProps) {
  const { errorsAsFailures, uncertainty } = run.metrics;
  const value = errorsAsFailures.passHatK.find((passHat) => passHat.k === k)?.value ?? null;
  if (value === null) return null;
  const interval = uncertainty.passHatK.find((passHat) => passHat.k === k)?.interval ?? null;
  const range =
    interval === null
      ? ''
      : `; ${String(Math.round(interval.level * 100))} %: ${formatShare(interval.low)} to ${formatShare(interval.high)}`;
  return (
    <Tile name={`pass^${String(k)}`} value={formatShare(value)} note={`${title}${range}`} isWide={isWide}>
      {children?.(value, interval)}
    </Tile>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly isWide?: boolean;
  readonly children?: ComponentChildren;
}

function Tile({ name, value, note, isWide = false, children }: TileProps) {
  return (
    <div class={isWide ? 'panel tile is-wide' : 'panel tile'}>
      <h2>{name}</h2>
      <p class="tile-value">{value}</p>
      <p class="tile-note">{note}</p>
      {children}
    </div>
  );
}

interface ScoreBandProps {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** null: not known. */
  readonly bounds: Pick<TaskNotes, 'floor' | 'ceiling'> | null;
}

function ScoreBand({ value, interval, bounds }: ScoreBandProps) {
  const { floor, ceiling } = bounds ?? { floor: 0, ceiling: 1 };
  return (
    <>
      <ScoreTrack score={value} interval={interval} within={{ low: floor, high: ceiling }} />
      {bounds === null ? null : (
        <p class="tile-note">
          Doing nothing scores {formatShare(floor)}; tasks known to be wrong leave {formatShare(ceiling)} within reach.
        </p>
      )}
    </>
  );
}
