/** Parts of this module that its tests use beyond its entry point. */

export type { UserSession } from './session.ts';
export { humanUser, llmUser, reactReferenceUser, reactUser } from './simulators.ts';
export { reflectionUser, verifyUser } from './supervised.ts';
