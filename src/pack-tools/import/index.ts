export { readCheckout } from './checkout.ts';
export { COMMIT, CloneError, cloneCommit, commitOf, shownUrl } from './git.ts';
export { PINNED_COMMIT, TAU_BENCH_URL } from './identify.ts';
export { importCheckout, packName, type ImportResult, type ImportedPack } from './import.ts';
