/** tau-bench's grading: the data and the outputs that the agent's actions lead to. */

import type { Grading } from '../grading.ts';
import { grade } from './reward.ts';
import { fromRewardInfo, toRewardInfo } from './reward-info.ts';

export const tauBenchGrading: Grading = {
  grade: (data, task, { actions }, deps) => grade(data, task, actions(), deps),
  toInfo: toRewardInfo,
  fromInfo: fromRewardInfo,
};
