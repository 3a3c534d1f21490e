/** All trials of a task side by side; narrow screens show one at a time. */

import { formatAmount } from '../../../results/document/index.ts';
import { useRef } from 'preact/hooks';
import type { PayloadEpisode, PayloadRun } from '../../data/payload.ts';
import { isSuccess } from '../../../results/metrics/index.ts';
import { Conversation } from '../episode/index.tsx';
import { Defects, Fault } from '../episode/findings.tsx';
import { Asked } from '../episode/sides.tsx';
import { useKeys, useNavigation, useRunRoutes } from '../navigation.tsx';
import { Crumbs, EpisodeBadges } from '../parts.tsx';
import { useConversation } from '../source.ts';
import { formatExtent, formatTaskTitle, toEpisodeStatus } from '../words.ts';

interface TaskPageProps {
  readonly run: PayloadRun;
  readonly taskId: number;
  readonly trials: readonly PayloadEpisode[];
}

export function TaskPage({ run, taskId, trials }: TaskPageProps) {
  const { go } = useNavigation();
  const { up, task } = useRunRoutes();
  const columns = useRef<HTMLDivElement>(null);
  const tasks = [...new Set(run.episodes.map((episode) => episode.taskId))].sort((a, b) => a - b);
  const at = tasks.indexOf(taskId);
  const toTask = (other: number | undefined) => (other === undefined ? undefined : () => go(task(other)));
  useKeys({ j: toTask(tasks[at + 1]), k: toTask(tasks[at - 1]), u: () => go(up) });
  const [first] = trials;
  if (first === undefined) return <p class="empty">There is no such task in this report.</p>;
  const show = (column: number) =>
    columns.current?.children[column]?.scrollIntoView({ behavior: 'smooth', block: 'nearest', inline: 'start' });
  return (
    <article>
      <header class="episode-head">
        <Crumbs up={[{ name: run.subject.runId, route: up }]} />
        <h1>Task {formatTaskTitle(first)}</h1>
        <p class="muted">
          solved in {trials.filter(({ reward }) => isSuccess(reward)).length} of {formatAmount(trials.length, 'trial')}
        </p>
        <Defects run={run} taskId={taskId} />
        <TaskAsked episode={first} />
      </header>
      <div class="trial-tabs" role="group" aria-label="Trials">
        {trials.map((episode, column) => (
          <button key={episode.trial} type="button" class="text-button" onClick={() => show(column)}>
            {toEpisodeStatus(episode).sign} trial {episode.trial}
          </button>
        ))}
      </div>
      <div class="trial-columns" ref={columns} tabIndex={0} role="group" aria-label="Trials side by side">
        {trials.map((episode) => (
          <Trial key={`${taskId}/${episode.trial}`} episode={episode} />
        ))}
      </div>
      <p class="keys-help small muted">
        Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous task, <kbd>u</kbd> up to the run
      </p>
    </article>
  );
}

function TaskAsked({ episode }: { readonly episode: PayloadEpisode }) {
  const loading = useConversation(episode);
  return loading.kind === 'ready' ? <Asked conversation={loading.value.conversation} /> : null;
}

function Trial({ episode }: { readonly episode: PayloadEpisode }) {
  const { linkTo } = useNavigation();
  const routes = useRunRoutes();
  const loading = useConversation(episode);
  const { trial, error } = episode;
  return (
    <section class="trial-column" aria-label={`Trial ${trial}`}>
      <header class="panel">
        <h2>
          <a href={linkTo(routes.episode(episode))}>Trial {trial}</a>
        </h2>
        <p class="row">
          <EpisodeBadges episode={episode} />
        </p>
        <p class="muted">{formatExtent(episode)}</p>
        {error === null ? null : <p class="callout is-bad error-line">{error}</p>}
      </header>
      {loading.kind === 'failed' ? <p class="callout is-bad">{loading.message}</p> : null}
      {loading.kind === 'ready' ? (
        <>
          {loading.value.conversation.faults
            .filter(({ step }) => step === null || step === 0)
            .map((fault, at) => (
              <Fault key={at} fault={fault} />
            ))}
          <Conversation conversation={loading.value.conversation} />
        </>
      ) : null}
    </section>
  );
}
