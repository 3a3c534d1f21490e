/** One episode in a grid. */

import type { PayloadEpisode } from '../../results/page/index.ts';
import { useNavigation } from '../place.tsx';
import { describeEpisode, statusOf } from '../words.ts';

export interface CellProps {
  readonly run: number;
  readonly episode: PayloadEpisode;
  /** @default false */
  readonly isFaint?: boolean;
  /** @default false */
  readonly isCurrent?: boolean;
}

export function Cell({ run, episode, isFaint = false, isCurrent = false }: CellProps) {
  const { linkTo } = useNavigation();
  const { taskId, trial, isSuspect } = episode;
  const { sign, tone } = statusOf(episode);
  const label = describeEpisode(episode);
  return (
    <a
      class={`cell is-${tone}${isFaint ? ' is-faint' : ''}${isSuspect ? ' is-suspect' : ''}`}
      href={linkTo({ page: 'episode', run, taskId, trial, step: null })}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      title={label}
    >
      {sign}
    </a>
  );
}
