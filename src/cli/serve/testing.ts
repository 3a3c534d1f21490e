/** Parts of this module that its tests use beyond its entry point. */

export { readAssessment } from './assessment.ts';
export type { AssessmentRuns } from './runs.ts';
export { Assessor } from './tasks.ts';
