/** Plan of the injected failures: kinds and moments drawn from a seed, so that a chaos run can be repeated. */

import { drawFraction, shuffleByText } from '../../../src/scripted-model/case-code.ts';

export type FailureKind =
  | 'worker'
  /** Two or more at once. */
  | 'workers'
  /** The guard in the follower restarts it. */
  | 'server'
  /** Another process restarts it while the guard watches. */
  | 'server, restarted from outside'
  | 'follower'
  | 'server and worker'
  /** Nothing restarts the server until the run is resumed. */
  | 'server and follower'
  | 'everything'
  /** SIGTERM: what is under way is finished. */
  | 'worker asked to end'
  /** Kills the agent under test, or the environment, where it is a service. */
  | 'service'
  | 'service and worker'
  | 'service and server'
  /** One that the service has started, such as that of an episode. */
  | 'service process';

/** Weight of each kind in the draws after each has come once. */
const SHARES: Readonly<Record<FailureKind, number>> = {
  worker: 4,
  workers: 2,
  server: 2,
  'server, restarted from outside': 2,
  follower: 2,
  'server and worker': 1,
  'server and follower': 1,
  everything: 1,
  'worker asked to end': 2,
  service: 4,
  'service and worker': 1,
  'service and server': 1,
  'service process': 6,
};
export const FAILURE_KINDS = Object.keys(SHARES) as readonly FailureKind[];

export interface PlannedFailure {
  readonly kind: FailureKind;
  /** Share of the undisturbed run's calls after which it is injected, in (0, 1). */
  readonly at: number;
  /** Prefix of the seeds of everything else that is drawn for it. */
  readonly dice: string;
}

/**
 * Draws failures in the order of their moments. Every kind is among them if `count` is at least the number of kinds.
 * @param service what of the service there is to be killed: nothing, one process, or others that it starts too
 */
export function planFailures(
  seed: number,
  count: number,
  service: 'none' | 'one' | 'several' = 'none',
): PlannedFailure[] {
  const impossible = service === 'none' ? /^service/ : service === 'one' ? /^service process$/ : /^$/;
  const possible = FAILURE_KINDS.filter((kind) => !impossible.test(kind));
  const once = shuffleByText(possible, `${seed} once`);
  const many = possible.flatMap((kind) => Array<FailureKind>(SHARES[kind]).fill(kind));
  const kinds = Array.from(
    { length: count },
    (_, i) => once[i] ?? many[Math.floor(drawFraction(`${seed} kind ${i}`) * many.length)] ?? 'worker',
  );
  const moments = kinds.map((_, i) => 0.03 + 0.9 * drawFraction(`${seed} moment ${i}`)).sort((a, b) => a - b);
  return shuffleByText(kinds, `${seed} order`).map((kind, i) => ({
    kind,
    at: moments[i] ?? 0.5,
    dice: `${seed} failure ${i}`,
  }));
}

/** Draws the pause before a killed process is restarted. @unit milliseconds */
export function drawPause(dice: string): number {
  return Math.round(drawFraction(`${dice} pause`) * 1500);
}
