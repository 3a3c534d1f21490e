/** Statistics of evaluations: intervals and tests of proportions and of paired differences, and the power of a design. */

export {
  bootstrapInterval,
  createDraw,
  dealTest,
  signFlipTest,
  type BootstrapOptions,
  type PairedCount,
  type SignFlip,
} from './resampling.ts';
export { LEAST_TASKS, minimumDetectableEffect, type PlannedTask } from './power.ts';
export { measureAgreement, type Agreement } from './agreement.ts';
export { boundedMeanInterval } from './bounded-mean.ts';
export { passHatOfTask } from './pass-hat.ts';
export { exactMcNemar, holm, wilsonInterval, type Interval, type McNemar } from './proportions.ts';
export {
  flipRate,
  splitVariance,
  standardDeviation,
  tasksToShow,
  trialsToShow,
  type FlipRate,
  type Plan,
  type TaskCount,
  type VarianceSplit,
} from './design.ts';
