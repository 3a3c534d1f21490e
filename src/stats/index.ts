/** Statistics of evaluations: intervals and tests of proportions and of paired differences, and the power of a design. */

export { bootstrapInterval, signFlipTest, type BootstrapOptions, type SignFlip } from './resampling.ts';
export { boundedMeanInterval } from './bounded-mean.ts';
export { exactMcNemar, holm, wilsonInterval, type Interval, type McNemar } from './proportions.ts';
export {
  minimumDetectableEffect,
  flipRate,
  plannedDifference,
  splitVariance,
  standardDeviation,
  trialsToShow,
  type FlipRate,
  type Plan,
  type TaskCount,
  type VarianceSplit,
} from './design.ts';
