/** Parts of this module that its tests use beyond its entry point. */

export type { UserSession } from './session.ts';
export { REACT_USER_COMPAT, humanUser, llmUser, reactUser } from './simulators.ts';
export { reflectionUser, verifyUser } from './supervised.ts';
