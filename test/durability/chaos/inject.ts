/** Injects the planned failures into a running sweep. */

import { setTimeout as delay } from 'node:timers/promises';
import { drawFraction } from '../../../src/scripted-model/case-code.ts';
import { isAlive } from '../../../src/temporal/server/index.ts';
import type { Place } from '../place.ts';
import type { ScriptedProcess } from '../scripted-process.ts';
import { drawPause, type FailureKind, type PlannedFailure } from './injections.ts';
import type { AgentProcesses } from './agent-of-command.ts';
import type { ProcessGroup } from './process-group.ts';
import type { Follower } from './follower.ts';

export interface InjectedFailure {
  readonly kind: FailureKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SIGKILLs that it took. */
  readonly kills: number;
}

export interface ChaosStage {
  readonly place: Place;
  readonly model: ScriptedProcess;
  readonly workers: ProcessGroup;
  /** The agent under test, or the environment; null where neither is a service. */
  readonly service: AgentProcesses | null;
  readonly follower: Follower;
}

const LOOK_MS = 40;

/**
 * Injects each failure at its moment, as soon as the processes that it kills are there.
 * @param calls that the undisturbed run made
 * @param until ends it early
 */
export async function injectAll(
  stage: ChaosStage,
  failures: readonly PlannedFailure[],
  calls: number,
  until: AbortSignal,
  say: (line: string) => void,
): Promise<InjectedFailure[]> {
  const injected: InjectedFailure[] = [];
  for (const planned of failures) {
    const { kind, at, dice } = planned;
    const isDue = async () => (await stage.model.stats()).completions >= at * calls && (await isReady(stage, kind));
    while (!until.aborted && !(await isDue())) await delay(LOOK_MS);
    // Somewhere between two looks.
    await delay(drawFraction(`${dice} moment`) * 2 * LOOK_MS);
    if (until.aborted) break;
    const injectedAt = Date.now();
    const kills = await inject(stage, planned);
    injected.push({ kind, at: injectedAt, kills });
    say(`${injected.length} of ${failures.length} at ${Math.round(100 * at)} % of the calls: ${kind}`);
  }
  return injected;
}

async function isReady({ place, workers, service, follower }: ChaosStage, kind: FailureKind): Promise<boolean> {
  const needsWorkers = kind === 'workers' ? 2 : kind.includes('worker') || kind === 'everything' ? 1 : 0;
  const needsServer = /^server|server$|^everything/.test(kind);
  // A server that dies unguarded stays dead: that is another kind.
  const needsFollower = kind === 'follower' || needsServer;
  if (kind.startsWith('service') && service?.size !== 1) return false;
  if (kind === 'service process' && service?.hasMore !== true) return false;
  if (workers.size < needsWorkers || (needsFollower && !follower.isFollowing)) return false;
  return !needsServer || (await place.server()) !== null;
}

/** @returns how many SIGKILLs it took */
async function inject(stage: ChaosStage, { kind, dice }: PlannedFailure): Promise<number> {
  const { workers, service, follower } = stage;
  const killService = () => service?.kill(1, dice) ?? 0;
  switch (kind) {
    case 'worker':
      return workers.kill(1, dice);
    case 'workers':
      return workers.kill(2 + Math.floor(drawFraction(`${dice} many`) * (workers.size - 1)), dice);
    case 'worker asked to end':
      workers.askToEnd(dice);
      return 0;
    case 'follower':
      return follower.kill() ? 1 : 0;
    case 'server':
      return killServer(stage);
    case 'server, restarted from outside': {
      const kills = await killServer(stage);
      await delay(drawPause(dice) / 2);
      await stage.place.startServer();
      return kills;
    }
    case 'server and worker': {
      const killed = workers.kill(1, dice);
      return killed + (await killServer(stage));
    }
    case 'server and follower': {
      const followers = follower.kill() ? 1 : 0;
      return followers + (await killServer(stage));
    }
    case 'everything': {
      const others = workers.kill(Infinity, dice) + killService() + (follower.kill() ? 1 : 0);
      return others + (await killServer(stage));
    }
    case 'service':
      return killService();
    case 'service and worker':
      return killService() + workers.kill(1, dice);
    case 'service and server':
      return killService() + (await killServer(stage));
    case 'service process':
      return service?.killBelow(dice) ?? 0;
  }
}

async function killServer({ place }: ChaosStage): Promise<number> {
  const server = await place.server();
  if (server === null || !(await isAlive(server.pid))) return 0;
  await place.killServer();
  return 1;
}
