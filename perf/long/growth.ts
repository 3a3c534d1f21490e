/** Growth of a worker's live memory (after garbage collection) with the episodes that it has executed. */

import { fileURLToPath } from 'node:url';
import type { Child } from '../children.ts';
import { mean, sum } from '../figures.ts';
import { signal } from '../../src/temporal/server/index.ts';

/** Flags for a Node process whose memory {@link lookAt} is to see. */
export const PROBE_FLAGS = [
  '--expose-gc',
  '--require',
  fileURLToPath(new URL('./memory-probe.cjs', import.meta.url)),
] as const;

/**
 * Memory that a worker may keep of an episode that has ended. It keeps about 3 kB until the episode's lane ends; open
 * conversations make the slope over 500 episodes uncertain by some 10 kB. @unit bytes
 */
export const MOST_GROWTH = 40_000;

export interface MemoryLook {
  /** Episodes recorded. */
  readonly recorded: number;
  /** In use in the heaps of all threads, right after a collection. @unit bytes */
  readonly live: number;
  /** Resident, right after a collection. @unit bytes */
  readonly resident: number;
}

/** @param look 1 for the process's first, and so on */
export async function lookAt(child: Child, look: number): Promise<Omit<MemoryLook, 'recorded'>> {
  signal(child.pid, 'SIGUSR2');
  const [, live, resident] = await child.line(new RegExp(`^memory ${look}: live (\\d+), resident (\\d+),`));
  return { live: Number(live), resident: Number(resident) };
}

/** Slope of the least-squares line through the live memory of all looks; null for fewer than two. @unit bytes an episode */
export function growthOf(looks: readonly MemoryLook[]): number | null {
  const at = mean(looks.map(({ recorded }) => recorded));
  const size = mean(looks.map(({ live }) => live));
  const spread = sum(looks.map(({ recorded }) => (recorded - at) ** 2));
  if (looks.length < 2 || spread === 0) return null;
  return sum(looks.map(({ recorded, live }) => (recorded - at) * (live - size))) / spread;
}
