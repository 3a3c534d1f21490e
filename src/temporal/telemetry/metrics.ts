/**
 * Metrics of a process: exports metrics of the SDK and of this program; an interceptor measures model calls and
 * episodes. The code of activities measures nothing.
 */

import type { ActivityInterceptorsFactory, TelemetryOptions } from '@temporalio/worker';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, type MetricMeter, type MetricTags } from '@temporalio/common';
import type { AdaptiveLimits } from '../../models/index.ts';
import { FailureType, type ModelSettings } from '../../evaluation/index.ts';
import type { RecordInput } from '../../episode/index.ts';
import { toConventionalProvider, toModelAnswer, toModelCall, type TracedAnswer } from './model-calls.ts';

/** Exporter of the SDK's and this program's metrics. A process has one exporter. */
export type MetricsSettings =
  /** Serves metrics for scraping under `/metrics`; the address is `host:port`. */
  | { readonly kind: 'prometheus'; readonly bindAddress: string }
  /** Sends metrics by OTLP/HTTP to this URL, which includes the path. */
  | {
      readonly kind: 'otlp';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly intervalMs: number;
    };

export function metricsOptions(settings: MetricsSettings): NonNullable<TelemetryOptions['metrics']> {
  const shared = { useSecondsForDurations: true, histogramBucketOverrides: { ...BUCKETS } };
  if (settings.kind === 'prometheus') {
    // Prometheus' own convention; for OTLP the receiver adds it.
    return { prometheus: { ...shared, countersTotalSuffix: true, bindAddress: settings.bindAddress } };
  }
  const { url, headers, intervalMs } = settings;
  return { otel: { ...shared, url, http: true, headers: { ...headers }, metricsExportInterval: intervalMs } };
}

/** Bucket bounds that OpenTelemetry's conventions recommend for their histograms. */
const CONVENTIONAL_BUCKETS: Readonly<Record<string, number[]>> = {
  'gen_ai.client.token.usage': Array.from({ length: 14 }, (_, power) => 4 ** power),
  'gen_ai.client.operation.duration': Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
};

/**
 * Upper bounds of the histograms' buckets. A histogram includes the total as its sum, so there are no separate
 * counters.
 */
const BUCKETS: Readonly<Record<string, number[]>> = {
  tauflow_model_call_latency_seconds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600],
  tauflow_model_call_cost_usd: [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  tauflow_episode_steps: [1, 2, 5, 10, 15, 20, 25, 30, 50, 100],
  ...CONVENTIONAL_BUCKETS,
  ...Object.fromEntries(Object.entries(CONVENTIONAL_BUCKETS).map(([name, bounds]) => [withoutDots(name), bounds])),
};

/** Removes dots, which Prometheus does not allow in names. */
function withoutDots(name: string): string {
  return name.replaceAll('.', '_');
}

/** Expected failures that occur before a request is sent, and are not counted as errors. */
const NOT_COUNTED: ReadonlySet<string> = new Set([
  FailureType.TranscriptMissing,
  FailureType.NoTurn,
  FailureType.EpisodeGone,
]);

interface MeasureOptions {
  /** Limits on the process's model calls. @default none */
  readonly limits?: AdaptiveLimits;
  /** True if the meter refuses names with dots, as Prometheus does. @default false */
  readonly isWithoutDots?: boolean;
}

/** @param meter the runtime's meter, without the activity's tags, which are the same for every call */
export function measureActivities(
  meter: MetricMeter,
  { limits, isWithoutDots = false }: MeasureOptions = {},
): ActivityInterceptorsFactory {
  const named = (name: string) => (isWithoutDots ? withoutDots(name) : name);
  const calls = meter.createCounter('tauflow_model_calls', 'calls', 'Attempts of model calls, by how they ended');
  const tokens = meter.createCounter('tauflow_model_tokens', 'tokens', 'Tokens of model calls that were answered');
  const latency = meter.createHistogram('tauflow_model_call_latency_seconds', 'float', 's', 'Time to the whole answer');
  const cost = meter.createHistogram(
    'tauflow_model_call_cost_usd',
    'float',
    'USD',
    'Price of calls whose model has one',
  );
  // A name from OpenTelemetry's conventions for generative AI, for dashboards that use them.
  const usage = meter.createHistogram(named('gen_ai.client.token.usage'), 'int', '{token}', 'Tokens of a model call');
  const duration = meter.createHistogram(
    named('gen_ai.client.operation.duration'),
    'float',
    's',
    'Time of a model call',
  );
  const episodes = meter.createCounter('tauflow_episodes', 'episodes', 'Episodes that have ended, by how they did');
  const steps = meter.createHistogram('tauflow_episode_steps', 'int', 'steps', 'Environment steps of an episode');

  const atOnce = meter.createGauge(
    'tauflow_model_calls_at_once_limit',
    'int',
    'calls',
    'Calls in flight at most, to a provider that has answered 429',
  );
  const waiting = meter.createGauge('tauflow_model_calls_waiting', 'int', 'calls', 'Calls that wait for their turn');

  const paced = (provider: string): void => {
    const pace = limits?.of(provider).pace() ?? null;
    if (pace === null) return;
    atOnce.set(pace.callsAtOnce, { provider });
    waiting.set(pace.waiting, { provider });
  };
  const answered = (answer: TracedAnswer, model: ModelSettings, tags: MetricTags): void => {
    const { cached, usage: used, latencyMs, costUsd, servedModel } = answer;
    calls.add(1, { ...tags, outcome: cached === true ? 'cached' : 'ok' });
    // A cached response was paid and waited for once, in its original call.
    if (cached === true) return;
    tokens.add(used.promptTokens, { ...tags, direction: 'input' });
    tokens.add(used.completionTokens, { ...tags, direction: 'output' });
    latency.record(latencyMs / 1000, tags);
    if (costUsd !== null) cost.record(costUsd, tags);
    const conventional = {
      [named('gen_ai.operation.name')]: 'chat',
      [named('gen_ai.provider.name')]: toConventionalProvider(model.provider),
      [named('gen_ai.request.model')]: model.model,
      [named('gen_ai.response.model')]: servedModel,
    };
    usage.record(used.promptTokens, { ...conventional, [named('gen_ai.token.type')]: 'input' });
    usage.record(used.completionTokens, { ...conventional, [named('gen_ai.token.type')]: 'output' });
    duration.record(latencyMs / 1000, conventional);
  };
  const failed = (error: unknown, tags: MetricTags): void => {
    const outcome = error instanceof ApplicationFailure ? (error.type ?? 'ApplicationFailure') : 'cancelled';
    if (!NOT_COUNTED.has(outcome)) calls.add(1, { ...tags, outcome });
  };
  const ended = ({ config, outcome, reward, steps: taken }: RecordInput): void => {
    const tags = { env: config.env, strategy: config.strategy };
    episodes.add(1, { ...tags, outcome: outcome.kind, solved: reward === 1 });
    steps.record(taken.length, tags);
  };

  return ({ info }: Context) => ({
    inbound: {
      async execute(input, next) {
        if (info.activityType === 'record') {
          const output = await next(input);
          ended(input.args[0] as RecordInput);
          return output;
        }
        const call = toModelCall(info.activityType, input.args[0]);
        if (call === null) return next(input);
        const { model, role } = call;
        const tags = { provider: model.provider, model: model.model, role };
        let output: unknown;
        try {
          output = await next(input);
        } catch (error) {
          failed(error, tags);
          throw error;
        } finally {
          paced(model.provider);
        }
        const answer = toModelAnswer(output);
        if (answer !== null) answered(answer, model, tags);
        return output;
      },
    },
  });
}
