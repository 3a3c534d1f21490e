/** Parts of this folder that its tests use beyond its entry points. */

export { openFolder } from './index.ts';
export { loadBenchmark } from './load.ts';
export { openLoadedBenchmark } from './service.ts';
export { playCalls } from '../service/play.ts';
export type { EnvironmentService, ServiceCall } from '../service/port.ts';
