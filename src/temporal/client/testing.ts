/** Parts of this module that its tests use beyond its entry point. */

export { enterCall } from './earlier-calls.ts';
export type { StartedRun } from './schedules.ts';
export { readTaskTrouble } from './stuck-episodes.ts';
export { scheduleWorkflowId } from './visibility.ts';
export { hasDied } from './workers.ts';
