/** The local Temporal server: found or obtained, started, shared by the commands of a folder, stopped. */

export type { Environment } from './binary.ts';
export {
  ensureServer,
  findServer,
  findStateDir,
  toLocalServer,
  type EnsureServerOptions,
  type LocalServer,
} from './ensure.ts';
export { runServerForeground } from './foreground.ts';
export { guardServer } from './guard.ts';
export { watchIdentity, type IdentityWatch } from './identity.ts';
export { inspectServer, type LocalServerState, type ServerInspection } from './inspect.ts';
export { defaultCodecPort } from './launch.ts';
export { isAlive, signal, waitForExit } from './processes.ts';
export { readNewest } from './state.ts';
export { stopServer } from './stop.ts';
export { findTrouble } from './trouble.ts';
