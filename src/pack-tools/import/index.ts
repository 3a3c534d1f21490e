/** Imports domain packs from a tau-bench checkout: reads its Python sources as literals, never runs them. */

export { COMMIT, cloneCommit, readCommit, shownUrl } from './checkout.ts';
export { evaluateNode } from './python-source/evaluate.ts';
export { listChildren, isPunctuation, parsePython, getNodeText, type PythonSource } from './python-source/source.ts';
export {
  packName,
  tauBenchImporter,
  type ImportOptions,
  type ImportResult,
  type ImportedPack,
  type Importer,
} from './import.ts';
