/** Comparisons of runs, task by task: two runs, several runs, and a scheduled run with its baseline. */

export { presentComparison, type PresentedComparison } from './present.ts';
export { compareScheduledRun, listScheduledRuns, readComparedRun } from './scheduled-runs.ts';
export type { ComparedRun } from './runs.ts';
export { AlertError, findWebhookProblem, sendAlert, type AlertResources } from './alert.ts';
