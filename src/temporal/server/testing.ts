/** Parts of this module that its tests use beyond its entry point. */

export { cachedBinaryPath, findBinary, locateBinary, parseVersions, type BinaryOptions } from './binary.ts';
export { findDamage, isWalStuck, recoveryMs, setAside } from './database.ts';
export { findOrStart } from './ensure.ts';
export { serverArgs, type Ports } from './launch.ts';
export { findServers } from './processes.ts';
export { isLocked, makeStateDir, toStateDir, withLock, writeRecord, type ServerRecord } from './state.ts';
