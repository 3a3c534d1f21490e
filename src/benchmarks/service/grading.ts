/** Grades of environment services: the service gives them, and their parts are recorded unchanged. */

import type { GradePart } from '../grade.ts';
import type { Grading, SentenceJudging } from '../grading.ts';
import { fromRewardInfo, toRewardInfo, type RewardInfo } from '../tau-bench/reward-info.ts';
import { tau3Grading } from '../tau3/grading.ts';

type ServiceRewardInfo = RewardInfo & { readonly parts?: readonly GradePart[] };

/** Judging with τ³-bench's prompt, which fits any conversation. */
const judging: SentenceJudging | undefined = tau3Grading.judging && {
  ...tau3Grading.judging,
  listSentences: ({ sentences = [] }) => sentences,
};

export const serviceGrading: Grading = {
  toInfo: (grade): ServiceRewardInfo => ({ ...toRewardInfo(grade), parts: grade.parts }),
  fromInfo: (info: ServiceRewardInfo) =>
    info.parts === undefined ? fromRewardInfo(info) : { reward: info.reward, parts: info.parts },
  ...(judging === undefined ? {} : { judging }),
};
