export { summarizeCosts, summarizeSuperseded, type CostSummary, type RoleCost, type SupersededCosts } from './costs.ts';
export { countBy, firstFault, isSuspectRow, type CustomerBreakdown, type FaultBreakdown } from './faults.ts';
export {
  computeMetrics,
  isBlameless,
  isRagged,
  isScored,
  leftOutWords,
  scoredRows,
  trialsPerTask,
  type Metrics,
  type RewardReading,
} from './metrics.ts';
export { pairTasks, type TaskPair } from './pairs.ts';
export {
  averageReward,
  binomial,
  isSuccess,
  passHatK,
  passHatKOwnTrials,
  passHatOfTask,
  type PassHat,
  type TrialReward,
} from './pass-hat-k.ts';
export type { RoleMeans } from './role-calls.ts';
export { spread, spreadOfAll, spreadOfKnown, type Spread } from './turns.ts';
export type { PassHatInterval } from './uncertainty.ts';
export { isUnfinished, plannedEpisodes, unfinishedWords, unfinishedWork } from './unfinished.ts';
