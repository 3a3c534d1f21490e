/** Several runs beside each other. */

import type { PayloadEpisode, PayloadRun } from '../../results/html/payload.ts';

export interface CompareViewProps {
  readonly runs: readonly PayloadRun[];
  /** What `compare` says, as lines for people. */
  readonly comparison: readonly string[];
  /** @param run its place among the runs */
  readonly onPick: (run: number, episode: PayloadEpisode) => void;
}

export function CompareView(_props: CompareViewProps) {
  return null;
}
