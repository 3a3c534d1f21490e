/** What regrading a file has come to, in figures. */

import { isSuccess } from '../metrics/index.ts';
import { isSameReward, type RegradedRecord } from './regrade.ts';
import type { TaskField } from './task-changes.ts';

export interface RegradeSummary {
  readonly records: number;
  readonly rewardsEqual: number;
  readonly rewardsDiffer: number;
  /** Rewards of one, as recorded and as replayed. */
  readonly reportedSuccesses: number;
  readonly regradedSuccesses: number;
  /** Mean rewards in [0, 1]; null without records. */
  readonly recordedAverage: number | null;
  readonly replayedAverage: number | null;
  /** Records by how their episodes ended. */
  readonly endings: Readonly<Record<string, number>>;
  /** Records whose data are right though their reward is 0. */
  readonly rightDataWithoutReward: number;
  /** Records in which only the spelling of numbers (`131`, `131.0`) makes the data differ. */
  readonly numberSpellingOnly: number;
  /** Observations that are not as they were recorded, and the records that have any. */
  readonly observationMismatches: { readonly records: number; readonly observations: number };
  /** Changes that a log says were made and the benchmark's tools refuse, and the records that have any. */
  readonly refusedWrites: { readonly records: number; readonly calls: number };
  /** Records of tasks that the pack has otherwise, by field. */
  readonly taskChanges: Readonly<Partial<Record<TaskField, number>>>;
}

export function summarize(records: readonly RegradedRecord[]): RegradeSummary {
  const endings: Record<string, number> = {};
  const taskChanges: Partial<Record<TaskField, number>> = {};
  for (const { ending, taskChanges: fields } of records) {
    endings[ending.kind] = (endings[ending.kind] ?? 0) + 1;
    for (const field of fields) taskChanges[field] = (taskChanges[field] ?? 0) + 1;
  }
  const count = (is: (record: RegradedRecord) => boolean) => records.filter(is).length;
  const equal = count(isSameReward);
  return {
    records: records.length,
    rewardsEqual: equal,
    rewardsDiffer: records.length - equal,
    reportedSuccesses: count(({ recordedReward }) => isSuccess(recordedReward)),
    regradedSuccesses: count(({ replayedReward }) => isSuccess(replayedReward)),
    recordedAverage: mean(records.map(({ recordedReward }) => recordedReward)),
    replayedAverage: mean(records.map(({ replayedReward }) => replayedReward)),
    endings,
    rightDataWithoutReward: count(({ replayedReward, dataDiffs, ending }) => {
      return replayedReward === 0 && dataDiffs.length === 0 && ending.kind !== 'recorded_error';
    }),
    numberSpellingOnly: count(({ rewardInfo }) => rewardInfo?.numberSpellingOnly === true),
    observationMismatches: {
      records: count(({ mismatches }) => mismatches.length > 0),
      observations: records.reduce((sum, { mismatches }) => sum + mismatches.length, 0),
    },
    refusedWrites: {
      records: count(({ refusedWrites }) => refusedWrites.length > 0),
      calls: records.reduce((sum, { refusedWrites }) => sum + refusedWrites.length, 0),
    },
    taskChanges,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
