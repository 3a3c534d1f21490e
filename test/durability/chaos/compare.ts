/** Outcomes of two runs of the same sweep, side by side. */

import { isDeepStrictEqual } from 'node:util';
import type { RunData } from '../run-log.ts';

/** Parts of a record as its file has them. */
interface StoredRecord {
  readonly actions?: unknown;
  readonly steps?: readonly { readonly name: string }[];
  readonly reward?: unknown;
  readonly outcome?: unknown;
  readonly reward_info?: unknown;
  readonly usage?: unknown;
}

/** Parts of an episode that are compared by themselves; the last is everything that {@link readRunData} keeps of a record. */
const PARTS = {
  'action sequences': ({ actions, steps }: StoredRecord) => [actions, steps?.map(({ name }) => name)],
  rewards: ({ reward, outcome, reward_info }: StoredRecord) => [reward, outcome, reward_info],
  'usage per role (calls, tokens)': ({ usage }: StoredRecord) => usage,
  'whole records': (record: StoredRecord) => record,
} as const;

export interface Comparison {
  readonly what: string;
  /** Number of compared episodes. */
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
      return !isDeepStrictEqual(partOf(expected as StoredRecord), partOf(found as StoredRecord));
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
