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
export { withoutProxy } from './health.ts';
export { DEFAULT_CODEC_PORT } from './ports.ts';
export { isAlive, signal, waitForExit } from './processes.ts';
