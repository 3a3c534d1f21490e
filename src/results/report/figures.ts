/** The few figures of a run that lists show: from `metrics.json`, which is written when a run ends, or from its metrics. */

import * as z from 'zod';
import { addCosts } from '../../episode/index.ts';
import { LogFiles, jsonCodec, orReport, type RunLog } from '../../run-log/index.ts';

export interface ListedFigures {
  /** Episodes with a record, canceled ones among them. */
  readonly episodes: number;
  /** Episodes that infrastructure ended. */
  readonly errors: number;
  /** pass^1, pass^2, …; errors as failures. */
  readonly passHatK: readonly number[];
  /** 95 % CI of pass^1; null where it is not known. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly averageReward: number | null;
  /** USD, with what was run again; null where a price is unknown. */
  readonly costUsd: number | null;
  /** Models that the agent has called; null: as the run is configured. */
  readonly agentModel: string | null;
}

const intervalSchema = z.object({ low: z.number(), high: z.number() }).readonly();

/** The part of the metrics that lists need; the file has it under the same names. */
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

/** @returns null where `metrics.json` is not there, and where it cannot be used, which is reported in a sentence */
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
    errors: errorsOf(outcomes),
    passHatK: errorsAsFailures.passHatK.map(({ value }) => value),
    interval: interval === null ? null : { low: interval.low, high: interval.high },
    averageReward: errorsAsFailures.averageReward,
    // Episodes that were run again have been paid for all the same.
    costUsd: addCosts(metrics.costs.totalUsd, metrics.superseded.costUsd),
    agentModel: metrics.agentModel ?? null,
  };
}

/** `error` is that of results files. */
function errorsOf(outcomes: Readonly<Partial<Record<string, number>>>): number {
  return (outcomes['infrastructure_error'] ?? 0) + (outcomes['error'] ?? 0);
}
