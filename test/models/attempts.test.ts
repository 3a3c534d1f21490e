import { describe, expect, it } from 'vitest';
import { CallAttempt, ModelCallError, NoTurnError, callDeadlines, idempotencyKey } from '../../src/models/index.ts';
import { AdaptiveLimit, backoffMs, type ModelFailure } from '../../src/models/testing.ts';

const USAGE = { promptTokens: 5, completionTokens: 2, cachedTokens: 0, reasoningTokens: 0 };

const failed = (failure: Partial<ModelFailure> = {}) =>
  new ModelCallError({ type: 'ModelUnavailable', retryable: true, message: 'HTTP 500', ...failure });
const refused = failed({ type: 'RateLimited', message: 'HTTP 429' });

/** An attempt of a call with two retries. */
function attemptNumber(attempt: number, heartbeatDetails?: unknown, limit?: AdaptiveLimit) {
  return new CallAttempt(
    { attempt, heartbeatDetails },
    { maxRetries: 2, random: () => 1, limit, pricePaid: () => 0.5 },
  );
}

/** Counts a failure, and describes it for Temporal. */
function describeFailed(call: CallAttempt, error: unknown) {
  call.count(error, false);
  return call.describe(error);
}

describe('an attempt of a model call', () => {
  it('is retried until the API has failed more often than the run allows', () => {
    const first = attemptNumber(1);
    expect(describeFailed(first, failed())).toMatchObject({ isFinal: false, retryAfterMs: 1_000 });
    const second = attemptNumber(2, first.details());
    expect(describeFailed(second, failed({ retryAfterMs: 7 }))).toMatchObject({ isFinal: false, retryAfterMs: 7 });
    const last = attemptNumber(3, second.details());
    expect(describeFailed(last, failed())).toMatchObject({ isFinal: true, details: { apiFailures: 3 } });
  });

  it('does not count those that were lost with their workers, which may have been paid', () => {
    expect(attemptNumber(9).before).toMatchObject({ apiFailures: 0, mayBePaid: 8 });
    const waiting = attemptNumber(2, { attempt: 1, apiFailures: 0 });
    expect(waiting.before.mayBePaid).toBe(0);
    waiting.markSent();
    expect(attemptNumber(3, waiting.details()).before.mayBePaid).toBe(1);
  });

  it('does not end for a 429 while the provider has accepted calls lately', () => {
    const limit = new AdaptiveLimit('openai');
    const late = attemptNumber(50, { attempt: 49, apiFailures: 0, rateLimited: 49 }, limit);
    expect(describeFailed(late, refused)).toMatchObject({ isFinal: false, retryAfterMs: 4_000 });
    expect(describeFailed(attemptNumber(3, { attempt: 2, apiFailures: 2 }), refused)).toMatchObject({ isFinal: true });
    expect(describeFailed(attemptNumber(1), failed({ retryAfterMs: 600_001 }))).toMatchObject({ isFinal: true });
  });

  it('is retried if it had no turn, and a few times after a bug', () => {
    const noTurn = new NoTurnError('openai', 100);
    expect(describeFailed(attemptNumber(90), noTurn)).toMatchObject({ isFinal: false, retryAfterMs: 100 });
    const bug = attemptNumber(3);
    expect(describeFailed(bug, new TypeError('a bug'))).toBeNull();
    expect([attemptNumber(2).isLast, bug.isLast]).toEqual([false, true]);
    expect(attemptNumber(9, { attempt: 8, packMisses: 7 }).isLast).toBe(false);
  });

  it('adds up the failed replies that were paid', () => {
    const paid = { servedModel: 'm', usage: USAGE, usageReported: true };
    const first = attemptNumber(1);
    first.count(failed({ paid }), false);
    const second = attemptNumber(2, first.details());
    second.count(failed({ paid }), false);
    expect(second.failedReplies).toMatchObject({ replies: 2, promptTokens: 10, costUsd: 1, knownCostUsd: 1 });
  });
});

it('an attempt has its own deadline below that of Temporal', () => {
  expect(callDeadlines(2)).toEqual({ timeoutMs: 1, patienceMs: 0.5 });
  const { timeoutMs, patienceMs } = callDeadlines(1_000_000);
  expect(timeoutMs + patienceMs).toBeLessThan(1_000_000);
});

it('an attempt has the key of the call before, unless that has failed', () => {
  const activity = { workflowExecution: { runId: 'run' } };
  expect(idempotencyKey(activity, 'agent 3', { apiFailures: 0, rateLimited: 0 })).toBe('run/agent/3');
  expect(idempotencyKey(activity, 'agent 3', { apiFailures: 1, rateLimited: 2 })).toBe('run/agent/3/after-3');
});

it('a retry waits from a second to a minute, in the upper half of the delay', () => {
  const waits = (random: number) => [1, 2, 3, 6, 7, 40].map((failures) => backoffMs(failures, () => random));
  expect(waits(0)).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000]);
  expect(waits(1)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
});
