/** Figures for lists of runs, from an ended run's `metrics.json` or from computed metrics. */

import * as z from 'zod';
import { sumCosts } from '../../episode/index.ts';
import { LogFiles, jsonCodec, orReport, type RunLog } from '../../run-log/index.ts';

export interface ListedFigures {
  /** Number of episodes with a record, canceled ones included. */
  readonly episodes: number;
  /** Number of episodes that infrastructure ended. */
  readonly errors: number;
  /** Figures of pass^1, pass^2, …, with errors as failures. */
  readonly passHatK: readonly number[];
  /** 95 % confidence interval of pass^1; null if unknown. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly averageReward: number | null;
  /** Cost in USD, archived records included; null if a price is unknown. */
  readonly costUsd: number | null;
  /** Models that the agent called; null: the configured one. */
  readonly agentModel: string | null;
}

const intervalSchema = z.object({ low: z.number(), high: z.number() }).readonly();

const countedSchema = z.object({
  episodes: z.number(),
  cancelled: z.number(),
  outcomes: z.partialRecord(z.string(), z.number()),
  costs: z.object({ totalUsd: z.number().nullable() }),
});

const metricsSchema = countedSchema.extend({
  errorsAsFailures: z.object({
    averageReward: z.number().nullable(),
    passHatK: z.array(z.object({ value: z.number() })).readonly(),
  }),
  uncertainty: z.object({ passHatK: z.array(z.object({ interval: intervalSchema.nullable() })).readonly() }),
  superseded: z.object({ costUsd: z.number().nullable() }),
  agentModel: z.string().nullable().optional(),
  conditions: z.record(z.string(), z.object({ metrics: countedSchema })).optional(),
});

const metricsCodec = jsonCodec(metricsSchema);

/** Reads the figures of a run; null if `metrics.json` is missing, or is damaged, which is reported. */
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
  const { errorsAsFailures, uncertainty, superseded, conditions = {} } = metrics;
  const counted = [metrics, ...Object.values(conditions).map((condition) => condition.metrics)];
  const interval = uncertainty.passHatK[0]?.interval ?? null;
  const sum = (count: (part: z.infer<typeof countedSchema>) => number) =>
    counted.reduce((total, part) => total + count(part), 0);
  return {
    episodes: sum(({ episodes, cancelled }) => episodes + cancelled),
    // `error` is the outcome in results files.
    errors: sum(({ outcomes }) => (outcomes['infrastructure_error'] ?? 0) + (outcomes['error'] ?? 0)),
    passHatK: errorsAsFailures.passHatK.map(({ value }) => value),
    interval: interval === null ? null : { low: interval.low, high: interval.high },
    averageReward: errorsAsFailures.averageReward,
    costUsd: sumCosts([superseded.costUsd, ...counted.map(({ costs }) => costs.totalUsd)]),
    agentModel: metrics.agentModel ?? null,
  };
}
