/**
 * What an operator reads of the activities: each episode's end, and each attempt of a model call that failed and will be
 * made again. What ends a call for good is logged by the SDK itself; what goes well, at DEBUG only.
 */

import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { FailureType, type CompleteInput, type RecordInput, type StepInput } from '../../wire/activities.ts';
import { sumUsage } from '../../wire/usage.ts';

export function logActivities({ info, log }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        try {
          const output = await next(input);
          const [first] = input.args;
          if (info.activityType === 'record') logEpisodeEnd(log, first as RecordInput);
          if (info.activityType === 'step') log.debug('step taken', { action: (first as StepInput).action.name });
          if (info.activityType === 'complete') log.debug('model called', callOf(first as CompleteInput));
          return output;
        } catch (error) {
          if (info.activityType === 'complete') logFailedCall(log, input.args[0] as CompleteInput, error);
          throw error;
        }
      },
    },
  };
}

type Log = Context['log'];

function logEpisodeEnd(log: Log, { outcome, reward, steps, usage }: RecordInput): void {
  const { costUsd, extraAttempts } = sumUsage(usage);
  const figures = { outcome: outcome.kind, reward, cost_usd: costUsd, steps: steps.length, repeated: extraAttempts };
  if (outcome.kind === 'infrastructure_error') log.warn('episode failed', { ...figures, failure: outcome.error });
  else log.info('episode ended', figures);
}

function logFailedCall(log: Log, input: CompleteInput, error: unknown): void {
  // The conversation that a worker does not know is sent once more: nothing has failed.
  if (!(error instanceof ApplicationFailure) || error.type === FailureType.TranscriptMissing) return;
  const { nonRetryable, type, message } = error;
  const delay: unknown = error.nextRetryDelay;
  if (nonRetryable === true) return;
  const wait = typeof delay === 'number' ? { retry_after_ms: delay } : {};
  log.warn('model call failed and will be made again', { ...callOf(input), failure: type, reason: message, ...wait });
}

function callOf({ call, role, model }: CompleteInput): Record<string, unknown> {
  return { call, role, provider: model.provider, model: model.model };
}
