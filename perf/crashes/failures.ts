/** What happens to each tool, and when: drawn from a seed, and the same for all. */

import { drawUnit } from '../../src/scripted-model/case-code.ts';

export type Failure =
  /** SIGKILL to one of the tool's processes, or to all at once, as a crash of the machine would end them. */
  { readonly kind: 'kill'; readonly of: 'one' | 'all' } | { readonly kind: 'full disk' | 'outage' | 'revoked key' };

export type PlannedFailure = Failure & {
  /** Share of an undisturbed run's calls that have been answered, in (0, 1). */
  readonly at: number;
  /** A number in [0, 1) for what else is to be drawn. */
  readonly dice: number;
};

/** @returns as many kills and one of each other failure, in the order of their moments; the key is revoked in the middle */
export function planFailures(seed: number, kills: number): PlannedFailure[] {
  const planned: Failure[] = [
    ...Array.from({ length: kills }, (_, i) => ({ kind: 'kill', of: i % 2 === 0 ? 'one' : 'all' }) as const),
    { kind: 'full disk' },
    { kind: 'outage' },
    { kind: 'revoked key' },
  ];
  return planned
    .map((failure, i) => ({
      ...failure,
      at: failure.kind === 'revoked key' ? 0.5 : 0.05 + 0.9 * drawUnit(`${seed} moment ${i}`),
      dice: drawUnit(`${seed} dice ${i}`),
    }))
    .sort((a, b) => a.at - b.at);
}
