/** The episodes that the filters let through, a row each. */

import { useState } from 'preact/hooks';
import { FAULT_KINDS } from '../../analysis/index.ts';
import type { PayloadEpisode } from '../../results/page/index.ts';
import { isFiltered } from '../filters.ts';
import { StatusBadge, SuspectBadge } from '../parts/badge.tsx';
import { useNavigation } from '../place.tsx';
import { counted, extentOf } from '../words.ts';

/** Rows that are made at once. */
const PAGE = 50;

export interface EpisodeListProps {
  readonly index: number;
  readonly shown: readonly PayloadEpisode[];
}

export function EpisodeList({ index, shown }: EpisodeListProps) {
  const { place } = useNavigation();
  const [isOpen, setOpen] = useState(isFiltered(place.filters));
  const [rows, setRows] = useState(PAGE);
  if (shown.length === 0) return <p class="empty">No episode is like that.</p>;
  if (!isOpen) {
    return (
      <button type="button" class="text-button" onClick={() => setOpen(true)}>
        Show as a list
      </button>
    );
  }
  return (
    <>
      <ol class="episodes">
        {shown.slice(0, rows).map((episode) => (
          <Row key={`${String(episode.taskId)}/${String(episode.trial)}`} index={index} episode={episode} />
        ))}
      </ol>
      {shown.length > rows ? (
        <button type="button" class="text-button" onClick={() => setRows(rows + 10 * PAGE)}>
          Show more: {counted(shown.length - rows, 'episode')} to come
        </button>
      ) : null}
    </>
  );
}

function Row({ index, episode }: { readonly index: number; readonly episode: PayloadEpisode }) {
  const { linkTo } = useNavigation();
  const { taskId, trial, faults, error, isSuspect } = episode;
  const [fault] = faults;
  const why = fault === undefined ? error : FAULT_KINDS[fault.kind];
  return (
    <li>
      <a href={linkTo({ page: 'episode', run: index, taskId, trial, step: null })}>
        <span class="episode-name">
          task {taskId} · trial {trial}
        </span>
        <StatusBadge episode={episode} />
        {isSuspect ? <SuspectBadge /> : null}
        <span class="episode-why">{why}</span>
        <span class="episode-figures">{extentOf(episode)}</span>
      </a>
    </li>
  );
}
