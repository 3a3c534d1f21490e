/** The local Temporal server: installing, finding, starting and stopping it. The commands of a folder share it. */

export {
  ensureServer,
  findServer,
  findStateDir,
  toLocalServer,
  type EnsureServerOptions,
  type LocalServer,
} from './ensure.ts';
export { guardServer, resetServer, runServerForeground, stopServer } from './foreground.ts';
export { watchIdentity, type IdentityWatch } from './identity.ts';
export { readRecord } from './state.ts';
export { findTrouble, inspectServer, type LocalServerState, type ServerInspection } from './inspect.ts';
export { defaultCodecPort } from './launch.ts';
export { isAlive, signal, waitForExit, withoutProxy } from './processes.ts';
