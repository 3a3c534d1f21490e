/** Figures for lists of runs, from an ended run's `metrics.json` or from computed metrics. */

import * as z from 'zod';
import { addCosts } from '../../episode/index.ts';
import { LogFiles, jsonCodec, orReport, type RunLog } from '../../run-log/index.ts';

export interface ListedFigures {
  /** Episodes with a record, canceled ones included. */
  readonly episodes: number;
  /** Episodes that infrastructure ended. */
  readonly errors: number;
  /** pass^1, pass^2, …; errors as failures. */
  readonly passHatK: readonly number[];
  /** 95 % CI of pass^1; null where it is not known. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly averageReward: number | null;
  /** USD, archived records included; null where a price is unknown. */
  readonly costUsd: number | null;
  /** Models that the agent called. null: as configured. */
  readonly agentModel: string | null;
}

const intervalSchema = z.object({ low: z.number(), high: z.number() }).readonly();

const metricsSchema = z.object({
  episodes: z.number(),
  cancelled: z.number(),
  outcomes: z.partialRecord(z.string(), z.number()),
  errorsAsFailures: z.object({
    averageReward: z.number().nullable(),
    passHatK: z.array(z.object({ value: z.number() })).readonly(),
  }),
  uncertainty: z.object({ passHatK: z.array(z.object({ interval: intervalSchema.nullable() })).readonly() }),
  costs: z.object({ totalUsd: z.number().nullable() }),
  superseded: z.object({ costUsd: z.number().nullable() }),
  agentModel: z.string().nullable().optional(),
});

const metricsCodec = jsonCodec(metricsSchema);

/** Returns null without `metrics.json`, and after reporting a damaged one. */
export async function readListedFigures(
  { paths, logDir }: RunLog,
  onProblem: (sentence: string) => void,
): Promise<ListedFigures | null> {
  const metrics = await orReport(
    () => new LogFiles(logDir).read(paths.metrics, metricsCodec.read),
    (sentence) => onProblem(`${sentence}; \`tauflow report\` counts the records again`),
  );
  return metrics === null ? null : listedFigures(metrics);
}

export function listedFigures(metrics: z.infer<typeof metricsSchema>): ListedFigures {
  const { errorsAsFailures, uncertainty, outcomes } = metrics;
  const interval = uncertainty.passHatK[0]?.interval ?? null;
  return {
    episodes: metrics.episodes + metrics.cancelled,
    // `error` is the outcome in results files.
    errors: (outcomes['infrastructure_error'] ?? 0) + (outcomes['error'] ?? 0),
    passHatK: errorsAsFailures.passHatK.map(({ value }) => value),
    interval: interval === null ? null : { low: interval.low, high: interval.high },
    averageReward: errorsAsFailures.averageReward,
    costUsd: addCosts(metrics.costs.totalUsd, metrics.superseded.costUsd),
    agentModel: metrics.agentModel ?? null,
  };
}
