/** The local Temporal server: found or obtained, started, shared by the commands of a folder, ended. */

export { findBinary, locateBinary, type Binary, type BinaryOptions, type Environment } from './binary.ts';
export { ensureServer, findServer, type EnsureServerOptions, type LocalServer } from './ensure.ts';
export { runServerForeground, type ForegroundEnd, type ForegroundOptions } from './foreground.ts';
export { guardServer } from './guard.ts';
export { stopServer } from './stop.ts';
export { findTrouble } from './trouble.ts';
export { inspectServer, type InspectOptions, type LocalServerState, type ServerInspection } from './inspect.ts';
