/** The contents of all benchmarks. Code that workflows or browsers run must not import this file. */

import type { BenchmarkContent } from './content.ts';
import type { ResultsFormat } from './results-format.ts';
import { tauBenchContent } from './tau-bench/content/index.ts';
import { tau3Content } from './tau3/content/index.ts';

export type { BenchmarkContent, TruthCheck } from './content.ts';
export type { ExportedEpisode, LeaderboardFigures, ResultsFormat, Submission } from './results-format.ts';

export const contents: readonly BenchmarkContent[] = [tauBenchContent, tau3Content];

/** The content of a domain's benchmark; that of tau-bench for a domain that is not known. */
export function contentOf(domain: string): BenchmarkContent {
  return contents.find(({ domains }) => domains.has(domain)) ?? tauBenchContent;
}

/** Forms of results files beside tau-bench's. */
export const resultsFormats: readonly ResultsFormat[] = contents.flatMap(({ results }) => results ?? []);
