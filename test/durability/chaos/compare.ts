/** What two runs of the same sweep have come to, side by side. */

import { isDeepStrictEqual } from 'node:util';
import type { EpisodeRecord } from '../../../src/results/log/record.ts';
import type { RunData } from '../run-log.ts';

/** What of an episode is compared by itself; the last is everything that {@link readRunData} keeps of a record. */
const PARTS = {
  'action sequences': ({ actions, steps }: Partial<EpisodeRecord>) => [actions, steps?.map(({ name }) => name)],
  rewards: ({ reward, outcome, reward_info }: Partial<EpisodeRecord>) => [reward, outcome, reward_info],
  'usage per role (calls, tokens)': ({ usage }: Partial<EpisodeRecord>) => usage,
  'whole records': (record: Partial<EpisodeRecord>) => record,
} as const;

export interface Comparison {
  readonly what: string;
  /** How many were compared. */
  readonly compared: number;
  readonly differences: readonly string[];
}

export function compareRuns(reference: RunData, disturbed: RunData): Comparison[] {
  const names = [...new Set([...Object.keys(reference.episodes), ...Object.keys(disturbed.episodes)])];
  const parts = Object.entries(PARTS).map(([what, partOf]) => ({
    what,
    compared: names.length,
    differences: names.filter((name) => {
      const [expected, found] = [reference.episodes[name], disturbed.episodes[name]];
      if (expected === undefined || found === undefined) return true;
      return !isDeepStrictEqual(partOf(expected as Partial<EpisodeRecord>), partOf(found as Partial<EpisodeRecord>));
    }),
  }));
  const isSameFile = reference.results === disturbed.results;
  return [
    { what: 'results file', compared: 1, differences: isSameFile ? [] : ['the files differ'] },
    ...parts,
    {
      what: 'model calls in the records',
      compared: reference.calls,
      differences: reference.calls === disturbed.calls ? [] : [`${disturbed.calls} calls`],
    },
  ];
}
