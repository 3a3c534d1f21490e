/** Imports packs of τ³-bench from a checkout of tau2-bench; nothing of it is run. */

export { tau3Importer } from './import.ts';
