/** The verdicts on what has failed as it is now. */

import type { EpisodeRecord } from '../log/index.ts';
import { failureOfRecord } from './failure.ts';
import type { Failures } from './failures.ts';
import type { VerdictPlace } from './place.ts';
import { readVerdict } from './store.ts';
import type { Verdict } from './verdict.schema.ts';

export interface CurrentVerdicts {
  /** Failed episodes. */
  readonly failed: number;
  /** In the order of the results; those on episodes that have run again since are left out. */
  readonly verdicts: readonly Verdict[];
}

export async function currentVerdicts(place: VerdictPlace, failures: Failures): Promise<CurrentVerdicts> {
  const verdicts: Verdict[] = [];
  let failed = 0;
  for (let position = 0; position < failures.length; position++) {
    const failure = await failures.at(position);
    if (failure === null) continue;
    failed += 1;
    const verdict = await readVerdict(place, { ...failure.key, index: failure.index });
    if (verdict?.episodeDigest === failure.digest) verdicts.push(verdict);
  }
  return { failed, verdicts };
}

/** Whether a verdict is on this record: not on one that it has replaced, nor on one that has not failed. */
export function isVerdictOn(verdict: Verdict, record: EpisodeRecord): boolean {
  return failureOfRecord(record, [])?.digest === verdict.episodeDigest;
}
