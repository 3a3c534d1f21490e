/** A run in progress: its progress, costs and charts, and its open episodes. */

import './live.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatAmount, formatCount, formatDuration, formatShare, formatUsd } from '../../../results/document/index.ts';
import type { LiveRun, OpenEpisode } from '../../data/api.ts';
import { formatEpisodeKey, type RunKey } from '../address.ts';
import { useNavigation, useRunRoutes } from '../navigation.tsx';
import { apiPath, getJson } from '../server.ts';
import { CourseCharts } from './charts.tsx';
import { NONE_ENDED, plotCourse, measureProgress, withEnded, type EndedEpisodes, type Progress } from './progress.ts';
import { nameEpisode } from '../words.ts';

interface LivePanelProps {
  readonly id: RunKey;
  readonly live: LiveRun;
}

export function LivePanel({ id, live }: LivePanelProps) {
  const ended = useEnded(id, live);
  const progress = measureProgress(ended, live, Date.now());
  const course = useMemo(() => plotCourse(ended), [ended]);
  return (
    <section class="live" aria-labelledby="live-title">
      <h2 id="live-title">Live</h2>
      <Stopped id={id} live={live} />
      <Bar progress={progress} />
      <Counts progress={progress} />
      <Announced progress={progress} />
      <CourseCharts course={course} />
      <OpenList open={live.open} />
    </section>
  );
}

/** Collects the ended episodes with their times. @param live the newest state, with changes only */
function useEnded(id: RunKey, live: LiveRun): EndedEpisodes {
  const [ended, setEnded] = useState(NONE_ENDED);
  useEffect(() => {
    const stop = new AbortController();
    getJson<LiveRun>(`${apiPath('runs', id, 'live')}?after=0`, stop.signal).then(
      ({ recorded }) => setEnded((before) => withEnded(before, recorded)),
      // The run's page reports a server that does not answer; the charts wait for the next state.
      () => undefined,
    );
    return () => stop.abort();
  }, [id]);
  useEffect(() => setEnded((before) => withEnded(before, live.recorded)), [live]);
  return ended;
}

/** Minutes without a change after which a worker may be gone; a model may take longer to reply. */
const QUIET_MINUTES = 5;

/** Explains why a run makes no progress, by its state or by the time since the last change. */
function Stopped({ id, live: { state, quietMinutes } }: LivePanelProps) {
  if (state === null || state.reason === null) return <Quiet id={id} minutes={quietMinutes} />;
  return (
    <p class="callout is-warn" role="status">
      This run does not go on: {state.reason}. Continue it with <code>{state.command}</code>.
    </p>
  );
}

function Quiet({ id, minutes }: { readonly id: RunKey; readonly minutes: number }) {
  if (minutes < QUIET_MINUTES) return null;
  return (
    <p class="callout is-warn" role="status">
      Nothing was written for {formatCount(minutes)} min: no worker runs, or a model has not replied yet.{' '}
      <code>npx tauflow status {id}</code> shows which.
    </p>
  );
}

function Bar({ progress }: { readonly progress: Progress }) {
  const { planned, ended, solved, failed, errors, open } = progress;
  const all = Math.max(1, planned ?? 0, ended + open);
  const parts = [
    ['is-good', solved],
    ['is-bad', failed],
    ['is-warn', errors],
    ['is-accent', open],
  ] as const;
  return (
    <div class="live-bar" role="img" aria-label={inWords(progress)}>
      {parts.map(([name, count]) =>
        count === 0 ? null : <span key={name} class={name} style={{ width: `${String((100 * count) / all)}%` }} />,
      )}
    </div>
  );
}

function inWords({ planned, ended, solved, failed, errors, open }: Progress): string {
  const of =
    planned === null ? formatAmount(ended, 'episode') : `${formatCount(ended)} of ${formatAmount(planned, 'episode')}`;
  const counts = [`${formatCount(solved)} solved`, `${formatCount(failed)} not solved`];
  if (errors > 0) counts.push(formatAmount(errors, 'error'));
  return `${of} ended: ${counts.join(', ')}; ${formatCount(open)} open`;
}

function Counts({ progress }: { readonly progress: Progress }) {
  const { costUsd, isPriced, perMinute, usdPerHour, leftMs, ended, solved } = progress;
  return (
    <dl class="row facts">
      <div>
        <dt>Episodes</dt>
        <dd>{inWords(progress)}</dd>
      </div>
      <div>
        <dt>pass^1 so far</dt>
        <dd>{formatShare(ended === 0 ? null : solved / ended)}</dd>
      </div>
      <div>
        <dt>Spend</dt>
        <dd>
          {isPriced ? '' : '≥ '}
          {formatUsd(costUsd)}
          {usdPerHour === null || costUsd === 0 ? '' : ` · ${formatUsd(usdPerHour)} an hour`}
        </dd>
      </div>
      <div>
        <dt>Rate</dt>
        <dd>
          {perMinute === null ? 'not known yet' : `${perMinute.toFixed(perMinute < 10 ? 1 : 0)} episodes a minute`}
        </dd>
      </div>
      <div>
        <dt>Time to go</dt>
        <dd>{leftMs === null ? 'not known yet' : `about ${formatDuration(leftMs)}`}</dd>
      </div>
    </dl>
  );
}

/** Announces the progress to screen readers at every tenth. */
function Announced({ progress }: { readonly progress: Progress }) {
  const { planned, ended } = progress;
  const tenth = planned === null || planned === 0 ? ended : Math.floor((10 * ended) / planned);
  const words = useMemo(() => inWords(progress), [tenth]);
  return (
    <p class="unseen" aria-live="polite">
      {words}
    </p>
  );
}

/** Number of open episodes that are listed at first. */
const LISTED = 12;

function OpenList({ open }: { readonly open: readonly OpenEpisode[] }) {
  const { linkTo } = useNavigation();
  const routes = useRunRoutes();
  const [isWhole, setWhole] = useState(false);
  // Sorted by task, so that lines stay in place.
  const sorted = [...open].sort((a, b) => a.taskId - b.taskId || a.trial - b.trial);
  return (
    <section aria-labelledby="open-title">
      <h3 id="open-title">Open episodes</h3>
      {open.length === 0 ? (
        <p class="empty">None at the moment.</p>
      ) : (
        <ol class="panel episodes open-episodes">
          {(isWhole ? sorted : sorted.slice(0, LISTED)).map((episode) => (
            <li key={formatEpisodeKey(episode)}>
              <a href={linkTo(routes.episode(episode))}>
                <span class="cell is-open" aria-hidden="true" />
                <span class="episode-name">{nameEpisode(episode, ' · ')}</span>
                <span class="episode-why small muted clip">{episode.last}</span>
                <span class="small muted number">{formatFigures(episode)}</span>
              </a>
            </li>
          ))}
        </ol>
      )}
      {isWhole || open.length <= LISTED ? null : (
        <button type="button" class="text-button" onClick={() => setWhole(true)}>
          Show all {formatCount(open.length)}
        </button>
      )}
    </section>
  );
}

function formatFigures({ steps, startedAt, costUsd }: OpenEpisode): string {
  const sinceMs = Math.max(0, Date.now() - Date.parse(startedAt));
  return [formatAmount(steps, 'step'), formatDuration(sinceMs), ...(costUsd === null ? [] : [formatUsd(costUsd)])].join(
    ' · ',
  );
}
