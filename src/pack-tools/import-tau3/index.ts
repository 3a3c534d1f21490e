/** Imports packs of τ³-bench from a checkout of tau2-bench; nothing of it is run. */

export { Tau3Files } from './files.ts';
export { TAU3_DOMAINS, TAU3_PATHS, importTau3, tau3PackName } from './import.ts';
export { TAU3_COMMIT, TAU3_URL } from './published.ts';
