export { bootstrapInterval, bootstrapIntervals, type BootstrapOptions } from './bootstrap.ts';
export { holm } from './holm.ts';
export type { Interval } from './interval.ts';
export { exactMcNemar, type McNemar } from './mcnemar.ts';
export { signFlipTest, type SignFlip } from './permutation.ts';
export { detectableDifference, plannedDifference, standardDeviation, trialsToShow, type Plan } from './power.ts';
export { flipRate, splitVariance, type FlipRate, type TaskCount, type VarianceSplit } from './repeats.ts';
export { wilson } from './wilson.ts';
