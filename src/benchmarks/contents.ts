/** The contents of all benchmarks. Code that workflows or browsers run must not import this file. */

import type { BenchmarkContent } from './content.ts';
import type { ResultsFormat } from './results-format.ts';
import { serviceContent } from './service/content.ts';
import { isServiceDomain } from './service/domain.ts';
import { tauBenchContent } from './tau-bench/content/index.ts';
import { tau3Content } from './tau3/content/index.ts';

export type { BenchmarkContent, TruthCheck } from './content.ts';
export type { ExportedEpisode, LeaderboardFigures, ResultsFormat } from './results-format.ts';

export const contents: readonly BenchmarkContent[] = [tauBenchContent, tau3Content];

/**
 * Returns the content of a domain's benchmark. For an unknown domain the prefix decides; without a prefix it is
 * tau-bench.
 */
export function getContent(domain: string): BenchmarkContent {
  if (isServiceDomain(domain)) return serviceContent;
  const isNamedLike = ({ prefix }: BenchmarkContent): boolean => prefix !== '' && domain.startsWith(prefix);
  return contents.find(({ domains }) => domains.has(domain)) ?? contents.find(isNamedLike) ?? tauBenchContent;
}

/** Forms of results files beside tau-bench's. */
export const resultsFormats: readonly ResultsFormat[] = contents.flatMap(({ results }) => results ?? []);
