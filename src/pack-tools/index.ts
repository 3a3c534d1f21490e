/** The importers, by the benchmark's name for `--benchmark`. */

import { tauBenchImporter, type Importer } from './import/index.ts';
import { tau3Importer } from './import-tau3/index.ts';

export const importers: ReadonlyMap<string, Importer> = new Map(
  [tauBenchImporter, tau3Importer].map((importer) => [importer.benchmark, importer]),
);
