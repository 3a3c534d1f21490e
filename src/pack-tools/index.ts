/** The importers, by the benchmark's name for `--benchmark`. */

import { tauBenchImporter, type Importer } from './import/index.ts';
import { tau3Importer } from './import-tau3/index.ts';

export const importers: ReadonlyMap<string, Importer> = new Map([
  ['tau-bench', tauBenchImporter],
  ['tau3', tau3Importer],
]);
