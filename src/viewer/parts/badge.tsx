/** An episode's end in a few letters. */

import type { PayloadEpisode } from '../../results/page/index.ts';
import { statusOf } from '../words.ts';

export function StatusBadge({ episode }: { readonly episode: PayloadEpisode }) {
  const { sign, word, tone } = statusOf(episode);
  return (
    <span class={`badge is-${tone}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

export function SuspectBadge() {
  return (
    <span class="badge is-warn" title="The simulated customer did what a customer should not: see its findings">
      <span aria-hidden="true">?</span> customer under suspicion
    </span>
  );
}
