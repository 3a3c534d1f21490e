/**
 * This program's metrics, beside the SDK's own and through its meter: they go where those go, and nowhere when there is
 * no exporter.
 */

import type { Context } from '@temporalio/activity';
import { ApplicationFailure, type MetricMeter, type MetricTags } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { AdaptiveLimits } from '../../models/index.ts';
import { FailureType, type RecordInput } from '../../wire/index.ts';
import { modelAnswerOf, modelCallOf, type ModelAnswer } from './model-calls.ts';

/** Upper bounds of the histograms' buckets. A histogram's sum is the total: there are no counters of fractions. */
export const BUCKETS: Readonly<Record<string, number[]>> = {
  tauflow_model_call_latency_seconds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600],
  tauflow_model_call_cost_usd: [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  tauflow_episode_steps: [1, 2, 5, 10, 15, 20, 25, 30, 50, 100],
};

/** Failures before a model was asked that are part of how things go. */
const NOT_MADE: ReadonlySet<string> = new Set([
  FailureType.TranscriptMissing,
  FailureType.NoTurn,
  FailureType.EpisodeGone,
]);

/**
 * @param meter the runtime's: without the activity's tags, which would say the same of every call
 * @param limits those that the process's model calls go through
 */
export function measureActivities(meter: MetricMeter, limits?: AdaptiveLimits): ActivityInterceptorsFactory {
  const calls = meter.createCounter('tauflow_model_calls', 'calls', 'Attempts of model calls, by how they ended');
  const tokens = meter.createCounter('tauflow_model_tokens', 'tokens', 'Tokens of model calls that were answered');
  const latency = meter.createHistogram('tauflow_model_call_latency_seconds', 'float', 's', 'Time to the whole answer');
  const cost = meter.createHistogram(
    'tauflow_model_call_cost_usd',
    'float',
    'USD',
    'Price of calls whose model has one',
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
  const answered = ({ cached, usage, latencyMs, costUsd }: ModelAnswer, tags: MetricTags): void => {
    calls.add(1, { ...tags, outcome: cached === true ? 'cached' : 'ok' });
    // What a response cache has answered was paid and waited for once, long ago.
    if (cached === true) return;
    tokens.add(usage.promptTokens, { ...tags, direction: 'input' });
    tokens.add(usage.completionTokens, { ...tags, direction: 'output' });
    latency.record(latencyMs / 1000, tags);
    if (costUsd !== null) cost.record(costUsd, tags);
  };
  const failed = (error: unknown, tags: MetricTags): void => {
    const outcome = error instanceof ApplicationFailure ? (error.type ?? 'ApplicationFailure') : 'cancelled';
    if (!NOT_MADE.has(outcome)) calls.add(1, { ...tags, outcome });
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
        const call = modelCallOf(info.activityType, input.args[0]);
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
        const answer = modelAnswerOf(output);
        if (answer !== null) answered(answer, tags);
        return output;
      },
    },
  });
}
