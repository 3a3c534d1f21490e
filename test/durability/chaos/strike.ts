/** Lets the planned blows fall on a running sweep. */

import { setTimeout as delay } from 'node:timers/promises';
import { drawUnit } from '../../../src/scripted-model/random.ts';
import { isAlive } from '../../../src/temporal/server/processes.ts';
import type { Place } from '../place.ts';
import type { ScriptedProcess } from '../scripted-process.ts';
import { drawPause, type Blow, type PlannedBlow } from './blows.ts';
import type { Crew } from './crew.ts';
import type { Follower } from './follower.ts';

export interface FallenBlow {
  readonly blow: Blow;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** SIGKILLs that it took. */
  readonly kills: number;
}

export interface Arena {
  readonly place: Place;
  readonly model: ScriptedProcess;
  readonly crew: Crew;
  readonly follower: Follower;
}

const LOOK_MS = 40;

/**
 * Waits for each blow's moment and for its victims to be there, and strikes.
 * @param calls that the undisturbed run made
 * @param until ends it early
 */
export async function strikeAll(
  arena: Arena,
  blows: readonly PlannedBlow[],
  calls: number,
  until: AbortSignal,
  say: (line: string) => void,
): Promise<FallenBlow[]> {
  const fallen: FallenBlow[] = [];
  for (const planned of blows) {
    const { blow, at, dice } = planned;
    const isDue = async () => (await arena.model.stats()).completions >= at * calls && (await isReady(arena, blow));
    while (!until.aborted && !(await isDue())) await delay(LOOK_MS);
    // Somewhere between two looks.
    await delay(drawUnit(`${dice} moment`) * 2 * LOOK_MS);
    if (until.aborted) break;
    const struckAt = Date.now();
    const kills = await strike(arena, planned);
    fallen.push({ blow, at: struckAt, kills });
    say(`${fallen.length} of ${blows.length} at ${Math.round(100 * at)} % of the calls: ${blow}`);
  }
  return fallen;
}

async function isReady({ place, crew, follower }: Arena, blow: Blow): Promise<boolean> {
  const needsWorkers = blow === 'workers' ? 2 : blow.includes('worker') || blow === 'everything' ? 1 : 0;
  const needsServer = blow.startsWith('server') || blow === 'everything';
  // A server that dies unguarded stays dead until somebody comes: that is another blow.
  const needsFollower = blow === 'follower' || needsServer;
  if (crew.size < needsWorkers || (needsFollower && !follower.isFollowing)) return false;
  return !needsServer || (await place.server()) !== null;
}

/** @returns how many SIGKILLs it took */
async function strike(arena: Arena, { blow, dice }: PlannedBlow): Promise<number> {
  const { crew, follower } = arena;
  switch (blow) {
    case 'worker':
      return crew.kill(1, dice);
    case 'workers':
      return crew.kill(2 + Math.floor(drawUnit(`${dice} many`) * (crew.size - 1)), dice);
    case 'worker asked to end':
      crew.askToEnd(dice);
      return 0;
    case 'follower':
      return follower.kill() ? 1 : 0;
    case 'server':
      return killServer(arena);
    case 'server, restarted from outside': {
      const kills = await killServer(arena);
      await delay(drawPause(dice) / 2);
      await arena.place.startServer();
      return kills;
    }
    case 'server and worker': {
      const workers = crew.kill(1, dice);
      return workers + (await killServer(arena));
    }
    case 'server and follower': {
      const followers = follower.kill() ? 1 : 0;
      return followers + (await killServer(arena));
    }
    case 'everything': {
      const others = crew.kill(Infinity, dice) + (follower.kill() ? 1 : 0);
      return others + (await killServer(arena));
    }
  }
}

async function killServer({ place }: Arena): Promise<number> {
  const server = await place.server();
  if (server === null || !(await isAlive(server.pid))) return 0;
  await place.killServer();
  return 1;
}
