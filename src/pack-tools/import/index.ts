/** Imports domain packs from a tau-bench checkout: reads its Python sources as literals, never runs them. */

export { COMMIT, cloneCommit, readCommit, shownUrl } from './checkout.ts';
export { readPython } from './python-sources.ts';
export {
  packName,
  tauBenchImporter,
  type ImportOptions,
  type ImportResult,
  type ImportedPack,
  type Importer,
} from './import.ts';
