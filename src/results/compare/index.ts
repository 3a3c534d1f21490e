/** Comparisons of runs, task by task: two runs, several runs, and a scheduled run with its baseline. */

export { compareRuns, type Comparison } from './compare.ts';
export { comparisonDocument, summarizeComparison } from './document.ts';
export { compareMany, manyDocument, manyToJson, summarizeMany, type ManyComparison } from './compare-many.ts';
export { compareScheduledRun, listScheduledRuns, readComparedRun } from './scheduled-runs.ts';
export type { ComparedRun, SettingDifference } from './runs.ts';
export { AlertError, findWebhookProblem, sendAlert, type AlertResources } from './alert.ts';
