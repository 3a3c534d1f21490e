/** A score from 0 to 1 with its interval, and between which bounds of the tasks it lies. */

import type { TaskNotes } from '../../results/log/index.ts';
import { formatShare } from '../../results/document/index.ts';

export interface ScoreBandProps {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** null: not known. */
  readonly bounds: Pick<TaskNotes, 'floor' | 'ceiling'> | null;
}

const at = (value: number): string => `${String(Math.max(0, Math.min(1, value)) * 100)}%`;

export function ScoreBand({ value, interval, bounds }: ScoreBandProps) {
  const { floor, ceiling } = bounds ?? { floor: 0, ceiling: 1 };
  return (
    <>
      <div class="band" aria-hidden="true">
        <span class="band-within" style={{ left: at(floor), right: at(1 - ceiling) }} />
        {interval === null ? null : (
          <span class="band-interval" style={{ left: at(interval.low), right: at(1 - interval.high) }} />
        )}
        <span class="band-point" style={{ left: at(value) }} />
      </div>
      {bounds === null ? null : (
        <p class="tile-note">
          Doing nothing scores {formatShare(floor)}; tasks known to be wrong leave {formatShare(ceiling)} within reach.
        </p>
      )}
    </>
  );
}
