/** The part of an exported run that only its pack has. */

import type { Dumpable } from '../../benchmark/python/index.ts';
import type { Pack } from '../../packs/index.ts';
import type { EpisodeRecord, RunManifest } from '../log/index.ts';

export interface Tau2Tasks {
  /** The agent's policy; empty where the pack is not on this machine. */
  readonly policy: string;
  /** A task in the benchmark's own form; absent for one of tau-bench. */
  readonly taskOf: (taskId: number) => Dumpable | undefined;
  /** An episode's `reward_info`, graded from its record; absent for one of tau-bench. */
  readonly rewardInfoOf: (record: EpisodeRecord) => Dumpable | undefined;
}

/** @param pack undefined where it is not on this machine */
export function tau2Tasks(_manifest: RunManifest, pack: Pack | undefined): Tau2Tasks {
  return { policy: pack?.policy ?? '', taskOf: () => undefined, rewardInfoOf: () => undefined };
}
