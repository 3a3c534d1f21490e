/** The module `tauflow/stats`: the statistics of reports and comparisons, numbers in and numbers out. */

export { boundedMeanInterval } from './bounded-mean.ts';
export {
  flipRate,
  splitVariance,
  tasksToShow,
  trialsToShow,
  type FlipRate,
  type Plan,
  type TaskCount,
  type VarianceSplit,
} from './design.ts';
export { passHatK, type PassHatEstimate } from './pass-hat.ts';
export { minimumDetectableEffect, type PlannedTask } from './power.ts';
export { exactMcNemar, holm, wilsonInterval, type Interval, type McNemar } from './proportions.ts';
export {
  bootstrapInterval,
  dealTest,
  signFlipTest,
  type BootstrapOptions,
  type PairedCount,
  type SignFlip,
} from './resampling.ts';
