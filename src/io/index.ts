export { isScratchName, removeStaleScratch, writeFileAtomically } from './atomic-file.ts';
export { makeFolders } from './folders.ts';
export { LOOPBACK, PortTakenError, Refusal, closeServer, listenOnLoopback, readBody, requestPath } from './loopback.ts';
export { sha256, sha256Hashing } from './sha256.ts';
