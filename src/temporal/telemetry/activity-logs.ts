/**
 * What an operator reads of the activities: each episode's end, and each attempt of a model call that failed and will be
 * made again. What ends a call for good is logged by the SDK itself; what goes well, at DEBUG only.
 */

import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { FailureType, sumUsage, type RecordInput, type StepInput } from '../../wire/index.ts';
import { modelCallOf, type ModelCall } from './model-calls.ts';

export function logActivities({ info, log }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        const [first] = input.args;
        const call = modelCallOf(info.activityType, first);
        try {
          const output = await next(input);
          if (info.activityType === 'record') logEpisodeEnd(log, first as RecordInput);
          if (info.activityType === 'step') log.debug('step taken', { action: (first as StepInput).action.name });
          if (call !== null) log.debug('model called', fieldsOf(call));
          return output;
        } catch (error) {
          if (call !== null) logFailedCall(log, call, error);
          throw error;
        }
      },
    },
  };
}

const NOT_MADE: ReadonlySet<string> = new Set([FailureType.TranscriptMissing, FailureType.NoTurn]);

type Log = Context['log'];

function logEpisodeEnd(log: Log, { outcome, reward, steps, usage }: RecordInput): void {
  const { costUsd, extraAttempts } = sumUsage(usage);
  const figures = { outcome: outcome.kind, reward, cost_usd: costUsd, steps: steps.length, repeated: extraAttempts };
  if (outcome.kind === 'infrastructure_error') log.warn('episode failed', { ...figures, failure: outcome.error });
  else log.info('episode ended', figures);
}

function logFailedCall(log: Log, call: ModelCall, error: unknown): void {
  // A conversation that the worker does not know is sent once more, and a call without a turn was not made.
  if (!(error instanceof ApplicationFailure) || NOT_MADE.has(error.type ?? '')) return;
  const { nonRetryable, type, message } = error;
  const delay: unknown = error.nextRetryDelay;
  if (nonRetryable === true) return;
  const wait = typeof delay === 'number' ? { retry_after_ms: delay } : {};
  log.warn('model call failed and will be made again', { ...fieldsOf(call), failure: type, reason: message, ...wait });
}

function fieldsOf({ call, role, model, episode }: ModelCall): Record<string, unknown> {
  const { taskId: task, trial } = episode;
  return { task, trial, call, role, provider: model.provider, model: model.model };
}
