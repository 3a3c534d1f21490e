/** What is struck and when: drawn by seed, so that a run can be repeated as far as processes are repeatable. */

import { drawUnit, shuffled } from '../../../src/scripted-model/random.ts';

export type Blow =
  | 'worker'
  /** Two or more at once. */
  | 'workers'
  /** The follower's guard starts it again. */
  | 'server'
  /** Somebody else starts it again, while the guard looks. */
  | 'server, restarted from outside'
  | 'follower'
  | 'server and worker'
  /** Nobody is left who would start the server: the follower does when it is taken up again. */
  | 'server and follower'
  | 'everything'
  /** SIGTERM: what is under way is finished. */
  | 'worker asked to end';

/** How often each is dealt, beside once each. */
const SHARES: Readonly<Record<Blow, number>> = {
  worker: 4,
  workers: 2,
  server: 2,
  'server, restarted from outside': 2,
  follower: 2,
  'server and worker': 1,
  'server and follower': 1,
  everything: 1,
  'worker asked to end': 2,
};
export const BLOWS = Object.keys(SHARES) as readonly Blow[];

export interface PlannedBlow {
  readonly blow: Blow;
  /** The share of the undisturbed run's calls after which it falls, in (0, 1). */
  readonly at: number;
  /** What else is drawn for it begins with this. */
  readonly dice: string;
}

/** In the order of their moments; every kind is among them when there are as many as kinds. */
export function planBlows(seed: number, count: number): PlannedBlow[] {
  const once = shuffled(BLOWS, `${seed} once`);
  const many = BLOWS.flatMap((blow) => Array<Blow>(SHARES[blow]).fill(blow));
  const kinds = Array.from(
    { length: count },
    (_, i) => once[i] ?? many[Math.floor(drawUnit(`${seed} kind ${i}`) * many.length)] ?? 'worker',
  );
  const moments = kinds.map((_, i) => 0.03 + 0.9 * drawUnit(`${seed} moment ${i}`)).sort((a, b) => a - b);
  return shuffled(kinds, `${seed} order`).map((blow, i) => ({
    blow,
    at: moments[i] ?? 0.5,
    dice: `${seed} blow ${i}`,
  }));
}

/** A pause before something that was killed comes back. @unit milliseconds */
export function drawPause(dice: string): number {
  return Math.round(drawUnit(`${dice} pause`) * 1500);
}
