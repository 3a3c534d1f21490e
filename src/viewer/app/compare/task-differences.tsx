/** Two runs task by task: a plot of the changes, and the gained and lost tasks with links to their episodes. */

import { rectY, ruleY } from '@observablehq/plot';
import { useMemo, useState } from 'preact/hooks';

import { isSuccess } from '../../../results/metrics/index.ts';
import { formatShare } from '../../../results/document/index.ts';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { ChartFrame, PlotBox, pointerTip } from '../charts/frame.tsx';
import { separateBars } from '../charts/stability.tsx';
import { nameEpisode } from '../words.ts';
import { differencesSentence, taskDifferences, type TaskDifference } from './data.ts';

interface ComparedSide {
  readonly run: PayloadRun;
  readonly name: string;
  readonly onPick: (episode: PayloadEpisode) => void;
}

interface DifferencesProps {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
}

export function TaskDifferenceList({ before, after }: DifferencesProps) {
  const data = useMemo(() => taskDifferences(before.run, after.run), [before.run, after.run]);
  const sentence = differencesSentence(data);
  const pick = ({ episodesAfter }: TaskDifference) => {
    const first = episodesAfter.find(({ reward }) => !isSuccess(reward)) ?? episodesAfter[0];
    if (first !== undefined) after.onPick(first);
  };
  const table = {
    head: ['Task', before.name, after.name, 'Change'],
    rows: () =>
      data.tasks.map((task) => [
        { text: `task ${task.name}`, onPick: () => pick(task) },
        formatShare(task.before),
        formatShare(task.after),
        signedShare(task.change),
      ]),
  };
  const sides = { before, after };
  return (
    <>
      <ChartFrame title="Task by task" sentence={sentence} table={data.tasks.length === 0 ? null : table}>
        {data.tasks.length === 0 ? null : (
          <PlotBox label={sentence} data={data.tasks} draw={differencesPlot} onPick={pick} />
        )}
      </ChartFrame>
      <div class="columns">
        <Flips title={`Better in ${after.name}`} tasks={data.gained} {...sides} />
        <Flips title={`Worse in ${after.name}`} tasks={data.lost} {...sides} />
      </div>
    </>
  );
}

interface FlipsProps extends DifferencesProps {
  readonly title: string;
  readonly tasks: readonly TaskDifference[];
}

const NO_FLIPS = 'No task.';
/** Number of tasks shown at first. */
const SHOWN_FLIPS = 8;

function Flips({ title, tasks, before, after }: FlipsProps) {
  const [isWhole, showWhole] = useState(false);
  const shown = isWhole ? tasks : tasks.slice(0, SHOWN_FLIPS);
  const sentence = tasks.length === 0 ? NO_FLIPS : 'The largest changes first; each button opens an episode.';
  return (
    <ChartFrame title={title} sentence={sentence} table={null}>
      <ul class="stack">
        {shown.map((task) => (
          <li key={task.taskId}>
            <h4>
              task {task.name}: {formatShare(task.before)} → {formatShare(task.after)}
            </h4>
            <Trials side={before} episodes={task.episodesBefore} />
            <Trials side={after} episodes={task.episodesAfter} />
          </li>
        ))}
      </ul>
      {shown.length === tasks.length ? null : (
        <button type="button" class="button" onClick={() => showWhole(true)}>
          Show all {tasks.length}
        </button>
      )}
    </ChartFrame>
  );
}

function Trials({ side, episodes }: { readonly side: ComparedSide; readonly episodes: readonly PayloadEpisode[] }) {
  return (
    <div class="row small trials">
      <span class="muted">{side.name}</span>
      <span class="row cells">
        {episodes.map((episode) => {
          const isSolved = isSuccess(episode.reward);
          const result = isSolved ? 'solved' : 'failed';
          const label = `${side.name}, ${nameEpisode(episode)}: ${result}`;
          return (
            <button
              key={episode.trial}
              type="button"
              class={`chip is-${isSolved ? 'good' : 'bad'}`}
              aria-label={label}
              onClick={() => side.onPick(episode)}
            >
              {isSolved ? '✓' : '✗'} {episode.trial}
            </button>
          );
        })}
      </span>
    </div>
  );
}

function signedShare(value: number): string {
  const text = formatShare(Math.abs(value));
  if (value === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** Formats a change: `+0.5`, `0`, `−0.5`. */
function tickChange(value: number): string {
  return value === 0 ? '0' : `${value < 0 ? '−' : '+'}${String(Math.abs(value))}`;
}

function differencesPlot(tasks: readonly TaskDifference[], width: number) {
  return {
    height: 240,
    x: { domain: [0, tasks.length], label: 'tasks, by change', labelOffset: 26, ticks: [] },
    y: { domain: [-1, 1], label: 'change of pass rate', ticks: 5, tickFormat: tickChange, grid: true },
    marks: [
      rectY(tasks, {
        x1: 'rank',
        x2: ({ rank }: TaskDifference) => rank + 1,
        y: 'change',
        fill: ({ change }: TaskDifference) => (change < 0 ? 'var(--bad)' : 'var(--good)'),
        fillOpacity: 0.8,
        ...separateBars(width, tasks.length),
      }),
      ruleY([0], { stroke: 'var(--muted)' }),
      pointerTip(tasks, {
        x: ({ rank }: TaskDifference) => rank + 0.5,
        y: 'change',
        title: ({ name, before, after }) => `task ${name}: ${formatShare(before)} → ${formatShare(after)}`,
      }),
    ],
  };
}
