/** The importers, by the benchmark's name for `--benchmark`. */

import { tau3Content } from '../benchmarks/tau3/content/index.ts';
import { tauBenchContent } from '../benchmarks/tau-bench/content/index.ts';
import { tauBenchImporter, type Importer } from './import/index.ts';
import { tau3Importer } from './import-tau3/index.ts';

export const importers: ReadonlyMap<string, Importer> = new Map([
  [tauBenchContent.name, tauBenchImporter],
  [tau3Content.name, tau3Importer],
]);
