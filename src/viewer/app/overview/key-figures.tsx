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
import type { Interval } from '../../../stats/index.ts';
import type { TaskNotes } from '../../../run-log/index.ts';

interface KeyFigure {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly isWide?: boolean;
  readonly below?: ComponentChildren;
}

export function KeyFigures({ run }: { readonly run: PayloadRun }) {
  const { linkTo } = useNavigation();
  const { task } = useRunRoutes();
  const { failed, kinds } = run.metrics.faults;
  const base = run.episodes.filter(({ condition }) => condition === undefined);
  const worst = rankedTasks(base).flatMap(({ taskId, passRate, episode: { taskName } }) =>
    passRate < 1 ? [{ taskId, taskName, passRate }] : [],
  );
  const figures = [
    ...scores(run),
    failed > 0 && { name: 'Failed', value: formatAmount(failed, 'episode'), note: formatMostFrequent(kinds) },
    worst.length > 0 && {
      name: 'Tasks with failures',
      value: formatCount(worst.length),
      note: 'the worst:',
      below: (
        <ul class="row small muted worst-tasks">
          {pickWorstTasks(worst).map(({ taskId, taskName, passRate }) => (
            <li key={taskId}>
              <a href={linkTo(task(taskId))} title={taskName}>
                {taskId}
              </a>{' '}
              ({formatShare(passRate)})
            </li>
          ))}
        </ul>
      ),
    },
    ...expenses(run),
  ];
  return (
    <section class="row tiles" aria-label="Key figures">
      {figures.map((figure) => (figure === false ? null : <Tile key={figure.name} figure={figure} />))}
    </section>
  );
}

function Tile({ figure: { name, value, note, isWide = false, below } }: { readonly figure: KeyFigure }) {
  return (
    <div class={isWide ? 'panel tile is-wide' : 'panel tile'}>
      <h2 class="muted">{name}</h2>
      <p class="tile-value">{value}</p>
      <p class="small muted">{note}</p>
      {below}
    </div>
  );
}

/** Figures; `false` for an unknown one. */
type Figures = (KeyFigure | false)[];

function scores({ metrics, notes }: PayloadRun): Figures {
  const { errorsAsFailures: reading, uncertainty, overallScore } = metrics;
  const passHat = (k: number, title: string): KeyFigure | false => {
    const value = reading.passHatK.find((one) => one.k === k)?.value;
    const interval = uncertainty.passHatK.find((one) => one.k === k)?.interval ?? null;
    return (
      value !== undefined && {
        name: `pass^${k}`,
        value: formatShare(value),
        note: interval === null ? title : `${title}; ${inWords(interval)}`,
        ...(k === 1 ? { isWide: true, below: <ScoreBand value={value} interval={interval} bounds={notes} /> } : {}),
      }
    );
  };
  const last = reading.passHatK.at(-1)?.k ?? 1;
  const { flips, mde } = uncertainty;
  return [
    passHat(1, 'A trial of a task succeeds'),
    last > 1 && passHat(last, `All of ${formatAmount(last, 'trial')} succeed`),
    overallScore !== null &&
      overallScore.ks.length > 1 && {
        name: 'Overall score',
        value: formatShare(overallScore.value),
        note: `mean of pass^${String(overallScore.ks[0])} to pass^${String(overallScore.ks.at(-1))}`,
      },
    {
      name: 'Solved',
      value: `${formatCount(reading.successes)} of ${formatCount(reading.episodes)}`,
      note: `${formatAmount(metrics.tasks, 'task')} × ${formatAmount(metrics.trials, 'trial')}`,
    },
    flips.rate !== null && {
      name: 'Unsteady tasks',
      value: `${flips.flipped} of ${flips.tasks}`,
      note: 'solved in some trials, not in others',
    },
    mde !== null && {
      name: 'Minimum detectable effect',
      value: formatShare(mde),
      note: 'against another such run, with 80 % power',
    },
  ];
}

function inWords({ level, low, high }: Interval): string {
  return `${String(Math.round(level * 100))} %: ${formatShare(low)} to ${formatShare(high)}`;
}

function expenses({ metrics, episodes }: PayloadRun): Figures {
  const { costs, durationMs, steps, withoutSuspects } = metrics;
  const suspects = episodes.filter(({ isSuspect }) => isSuspect).length;
  return [
    suspects > 0 && {
      name: 'Suspect users',
      value: formatAmount(suspects, 'episode'),
      note: `pass^1 without them: ${formatShare(withoutSuspects.passHatK[0]?.value ?? null)}`,
    },
    costs.roles.length > 0 && {
      name: 'Cost',
      value: costs.unpriced > 0 ? `≥ ${formatUsd(costs.knownUsd)}` : formatUsd(costs.knownUsd),
      note: `${formatUsd(costs.perEpisodeUsd)} per episode, ${formatUsd(costs.perSuccessUsd)} per success`,
    },
    durationMs !== null && {
      name: 'Episode',
      value: formatDuration(durationMs.mean),
      note: `median ${formatDuration(durationMs.median)}${steps === null ? '' : `; ${steps.median} steps`}`,
    },
  ];
}

interface ScoreBandProps {
  readonly value: number;
  readonly interval: Interval | null;
  readonly bounds: Pick<TaskNotes, 'floor' | 'ceiling'> | null;
}

function ScoreBand({ value, interval, bounds }: ScoreBandProps) {
  const { floor, ceiling } = bounds ?? { floor: 0, ceiling: 1 };
  return (
    <>
      <ScoreTrack score={value} interval={interval} within={{ low: floor, high: ceiling }} />
      {bounds === null ? null : (
        <p class="small muted">
          Doing nothing scores {formatShare(floor)}; tasks known to be wrong leave {formatShare(ceiling)} within reach.
        </p>
      )}
    </>
  );
}
