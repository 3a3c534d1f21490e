/** Imports domain packs from a tau-bench checkout: reads its Python sources as literals, never runs them. */

export { COMMIT, cloneCommit, commitOf, readCheckout, shownUrl } from './checkout.ts';
export { PINNED_COMMIT, TAU_BENCH_URL } from './identify.ts';
export { evaluate } from './python-source/evaluate.ts';
export { childrenOf, isPunctuation, parsePython, textOf, type PythonSource } from './python-source/source.ts';
export { importCheckout, packName, type ImportOptions, type ImportResult, type ImportedPack } from './import.ts';
