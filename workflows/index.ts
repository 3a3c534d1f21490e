/** Every workflow function, and nothing else: the entry point of the worker's bundle. */

export { episode } from './episode.ts';
export { errors } from './judge.ts';
export { scheduledRun as 'scheduled-run' } from './scheduled-run.ts';
export { sweep } from './sweep.ts';
