/** Parts of this module that its tests use beyond its entry point. */

export { faultBreakdown, userFaultBreakdown } from './breakdowns.ts';
export { overallScore } from './metrics.ts';
export { successWithinTurns } from './pass-hat-k.ts';
export { measureUncertainty } from './uncertainty.ts';
