/** Parts of this module that its tests use beyond its entry point. */

export { cachedBinaryPath, findBinary, locateBinary, parseVersions, type BinaryOptions } from './binary.ts';
export { findDamage, isWalStuck, recoveryMs, setAside } from './database.ts';
export { findOrStart } from './ensure.ts';
export { serverArgs } from './launch.ts';
export type { Ports } from './ports.ts';
export { isBusy, makeStateDir, toStateDir, withLock, writeRecord, type ServerRecord } from './state.ts';
