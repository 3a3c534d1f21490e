/** The charts of a run. */

import type { PayloadEpisode, PayloadRun } from '../../results/html/payload.ts';

export interface ChartsProps {
  readonly run: PayloadRun;
  readonly onPick: (episode: PayloadEpisode) => void;
  readonly theme: 'light' | 'dark';
}

export function Charts(_props: ChartsProps) {
  return null;
}
