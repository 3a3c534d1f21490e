import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdaptiveLimit } from '../../src/models/testing.ts';
import {
  AdaptiveLimits,
  NoTurnError,
  limitedCallModel,
  ModelCallError,
  type ModelReply,
  type CallModel,
} from '../../src/models/index.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Milliseconds to wait; null: accepted. */
type Provider = (now: number, inFlight: number) => number | null;

/** `rate` calls a second, and as many at once after a pause. */
function tokenBucket(rate: number, burst: number): Provider {
  let tokens = burst;
  let at = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - at) / 1_000) * rate);
    at = now;
    if (tokens < 1) return Math.ceil((1_000 * (1 - tokens)) / rate);
    tokens -= 1;
    return null;
  };
}

/** Provider that takes so many calls in every clock minute. */
function fixedMinute(calls: number): Provider {
  let minute = -1;
  let used = 0;
  return (now) => {
    const current = Math.floor(now / 60_000);
    if (current !== minute) used = 0;
    minute = current;
    used += 1;
    return used <= calls ? null : (current + 1) * 60_000 - now;
  };
}

const atOnceAtMost =
  (most: number): Provider =>
  (_now, inFlight) =>
    inFlight <= most ? null : 1_000;

interface Simulated {
  readonly requests: number;
  readonly rateLimited: number;
  readonly seconds: number;
  readonly mostRefusals: number;
}

interface Load {
  readonly provider: Provider;
  readonly episodes: number;
  readonly callsEach: number;
  readonly latencyMs: number;
  /** @default 1 */
  readonly workers?: number;
  /** True if a 429 says how long to wait. @default true */
  readonly tells?: boolean;
}

/** Episodes with one call at a time, and a new attempt after each 429, as Temporal's retries make them. */
async function simulate({
  provider,
  episodes,
  callsEach,
  latencyMs,
  workers = 1,
  tells = true,
}: Load): Promise<Simulated> {
  let seed = 1;
  const random = () => ((seed = (seed * 48_271) % 2_147_483_647) - 1) / 2_147_483_646;
  const limits = Array.from({ length: workers }, () => new AdaptiveLimit('openai', random));
  let requests = 0;
  let rateLimited = 0;
  let inFlight = 0;
  let mostRefusals = 0;
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const call = async (): Promise<void> => {
    const since = Date.now();
    for (let refusals = 0; ;) {
      const limit = limits[Math.floor(random() * workers)];
      if (limit === undefined) throw new Error('no worker');
      try {
        const turn = await limit.turn({ since, patienceMs: 120_000 });
        requests += 1;
        inFlight += 1;
        const wait = provider(Date.now(), inFlight);
        await sleep(wait === null ? latencyMs : 5);
        inFlight -= 1;
        if (wait === null) return turn.accepted();
        rateLimited += 1;
        refusals += 1;
        mostRefusals = Math.max(mostRefusals, refusals);
        turn.refused(tells ? wait : undefined);
        await sleep(tells ? wait : 500 + 500 * random());
      } catch (error) {
        if (!(error instanceof NoTurnError)) throw error;
        await sleep(error.retryAfterMs);
      }
    }
  };
  const episode = async () => {
    for (let made = 0; made < callsEach; made++) await call();
  };
  let isOver = false;
  const all = Promise.all(Array.from({ length: episodes }, episode)).then(() => (isOver = true));
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000);
  await all;
  return { requests, rateLimited, seconds: Date.now() / 1_000, mostRefusals };
}

const LOAD = { episodes: 50, callsEach: 12, latencyMs: 50 };
/** Calls of {@link LOAD} that the first burst sends before the first answer. */
const BURST = 50;

describe('calls to a provider that answers 429', () => {
  // The most seconds are what was measured, and a fifth; the ideal of 600 calls at 2 a second is 300 s.
  it.each<[string, Partial<Load> & { provider: Provider }, { seconds: number }]>([
    ['2 requests a second', { provider: tokenBucket(2, 2) }, { seconds: 360 }],
    ['2 requests a second, without Retry-After', { provider: tokenBucket(2, 2), tells: false }, { seconds: 365 }],
    ['2 requests a second, one at a time', { provider: tokenBucket(2, 1) }, { seconds: 395 }],
    ['2 requests a second, 2 workers', { provider: tokenBucket(2, 2), workers: 2 }, { seconds: 375 }],
    [
      '2 requests a second, 3 workers, without Retry-After',
      { provider: tokenBucket(2, 2), workers: 3, tells: false },
      { seconds: 450 },
    ],
    ['2 requests a second, calls of 10 s', { provider: tokenBucket(2, 2), latencyMs: 10_000 }, { seconds: 435 }],
    ['20 requests a second, calls of 1 s', { provider: tokenBucket(20, 20), latencyMs: 1_000 }, { seconds: 45 }],
    ['120 requests a minute', { provider: fixedMinute(120) }, { seconds: 320 }],
    ['5 at once', { provider: atOnceAtMost(5), latencyMs: 1_000 }, { seconds: 165 }],
  ])('are never lost, lose little time, and get few further 429s: %s', async (_name, change, { seconds }) => {
    const run = await simulate({ ...LOAD, ...change });
    expect(run.requests).toBe(600 + run.rateLimited);
    expect(run.seconds).toBeLessThan(seconds);
    // Beyond the burst that nobody could foresee: a sixth of the calls at most.
    expect(run.rateLimited).toBeLessThan(BURST + 100);
    expect(run.mostRefusals).toBeLessThanOrEqual(5);
  });

  it('wait as long as the provider asks, and run oldest first', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    const first = await limit.turn({ since: 0, patienceMs: 60_000 });
    first.refused(7_000);
    const started: [string, number][] = [];
    const wait = async (name: string, since: number) => {
      const turn = await limit.turn({ since, patienceMs: 60_000 });
      started.push([name, Date.now()]);
      turn.accepted();
    };
    const all = [wait('young', 2_000), wait('old', 1_000)];
    await vi.advanceTimersByTimeAsync(6_999);
    expect(started).toEqual([]);
    expect(limit.pace()).toMatchObject({ provider: 'openai', callsAtOnce: 1, rateLimited: 1, waiting: 2 });
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all(all);
    expect(started.map(([name]) => name)).toEqual(['old', 'young']);
    expect(limit.refusedForMs()).toBe(0);
  });

  it('wait for five minutes at most, so that a held call can probe a daily limit', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    (await limit.turn({ since: 0, patienceMs: 1 })).refused(9_000_000);
    await expect(limit.turn({ since: 0, patienceMs: 1 })).rejects.toMatchObject({ retryAfterMs: 300_000 });
  });

  it('are cut once for all that were in flight together', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    const turns = await Promise.all(Array.from({ length: 40 }, () => limit.turn({ since: 0, patienceMs: 1 })));
    for (const turn of turns) turn.refused(1_000);
    expect(limit.pace()).toMatchObject({ callsAtOnce: 20, rateLimited: 40 });
  });

  it('give up their turn after a while, at once if the pause is longer, and if they are canceled', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    (await limit.turn({ since: 0, patienceMs: 1 })).refused(30_000);
    await expect(limit.turn({ since: 0, patienceMs: 10_000 })).rejects.toMatchObject({ retryAfterMs: 30_000 });
    const onWaiting = vi.fn();
    const cancelled = new AbortController();
    const call = limit.turn({ since: 0, patienceMs: 60_000, onWaiting }, cancelled.signal);
    const other = limit.turn({ since: 0, patienceMs: 30_500 });
    const ends = Promise.allSettled([call, other]);
    cancelled.abort(new Error('cancelled'));
    // It takes the turn at the end of the pause, and keeps it: the next one has none in time.
    const late = limit.turn({ since: 1, patienceMs: 31_000 });
    const lateEnd = expect(late).rejects.toThrow(NoTurnError);
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await ends).toMatchObject([
      { status: 'rejected', reason: { message: 'cancelled' } },
      { status: 'fulfilled' },
    ]);
    await lateEnd;
    expect(onWaiting).toHaveBeenCalledOnce();
    expect(limit.pace()).toMatchObject({ waiting: 0 });
  });

  it('do not wait for a hanging one', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    (await limit.turn({ since: 0, patienceMs: 1 })).refused(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    const hanging = await limit.turn({ since: 0, patienceMs: 1 });
    const next = limit.turn({ since: 1, patienceMs: 600_000 });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(limit.pace()).toMatchObject({ callsAtOnce: 1, waiting: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    const started = await next;
    // The end of the one that hung frees no second place.
    hanging.ended();
    const third = limit.turn({ since: 2, patienceMs: 600_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(limit.pace()).toMatchObject({ waiting: 1 });
    started.accepted();
    await vi.advanceTimersByTimeAsync(1_000);
    (await third).accepted();
  });

  it('are returned when their process ends', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    (await limit.turn({ since: 0, patienceMs: 1 })).refused(30_000);
    const waiting = expect(limit.turn({ since: 0, patienceMs: 60_000 })).rejects.toThrow(NoTurnError);
    limit.close();
    await waiting;
    await expect(limit.turn({ since: 0, patienceMs: 60_000 })).rejects.toThrow(NoTurnError);
  });

  it('report nothing, and are not limited, before the first 429', async () => {
    const limit = new AdaptiveLimit('openai');
    const turns = await Promise.all(Array.from({ length: 500 }, () => limit.turn({ since: 0, patienceMs: 1 })));
    for (const turn of turns) turn.accepted();
    expect(limit.pace()).toBeNull();
  });
});

describe('the clock', () => {
  it('delays no call if it is set back', async () => {
    const limit = new AdaptiveLimit('openai', () => 0);
    (await limit.turn({ since: 0, patienceMs: 0 })).refused(1_000);
    vi.setSystemTime(-3_600_000);
    const turn = limit.turn({ since: 0, patienceMs: 60_000 });
    await vi.advanceTimersByTimeAsync(1_500);
    (await turn).accepted();
  });
});

it('a call that times out while others are answered is not an outage', async () => {
  const limits = new AdaptiveLimits();
  const failure = { type: 'ModelUnavailable', retryable: true, isTimeout: true, message: 'late' } as const;
  const lateAfter = (ms: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    throw new ModelCallError(failure);
  };
  const request = { provider: 'openai', model: 'm', messages: [], temperature: null, idempotencyKey: 'k' };
  const call = async (callModel: CallModel) =>
    limitedCallModel(callModel, limits)(request, { timeoutMs: 1_000 }).catch((error: unknown) => error);
  const late = call(lateAfter(1_000));
  const others = call(() => Promise.resolve({} as ModelReply));
  await vi.advanceTimersByTimeAsync(1_000);
  await others;
  expect(await late).toMatchObject({ failure: { type: 'CallTimedOut', retryable: true } });
  const alone = call(lateAfter(1_000));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await alone).toMatchObject({ failure: { type: 'ModelUnavailable', message: 'late' } });
});
