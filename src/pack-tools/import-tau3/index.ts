/** Imports packs of τ³-bench from a checkout of tau2-bench without running its code. */

export { tau3Importer } from './import.ts';
