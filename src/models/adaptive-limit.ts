/**
 * Adapts the number of calls in flight to what a provider accepts: additive increase, multiplicative decrease.
 *
 * Nothing is limited until the provider answers 429. Then, per provider and worker process:
 * - No call starts while the provider asks to wait, five minutes at most. Without a requested wait, the pause doubles
 * until the provider accepts a call.
 * - The number of calls in flight is cut, once for all calls that were in flight together, as TCP does. Each round of
 * accepted calls raises it again.
 * - If the provider refuses although fewer calls are in flight, it limits their rate: starts are spaced by what it has
 * accepted lately, and the rate is raised step by step.
 *
 * Every worker adapts by itself. Workers that share an account converge as TCP connections do on one line. The server's
 * limit of a task queue (`src/temporal/client/task-queues.ts`) is left to the user: it is a rate and stays after the
 * run, so a worker that changed it would replace the user's setting.
 */

import { ModelCallError } from './failures.ts';
import type { CallOptions, TurnOptions } from './types.ts';

/** State of a worker process's limit for a provider that has answered 429. */
export interface Pace {
  readonly provider: string;
  readonly callsAtOnce: number;
  /** Most calls started per second; null if unlimited. */
  readonly callsPerSecond: number | null;
  /** Calls a second that the provider has accepted in the last 30 s. */
  readonly acceptedPerSecond: number;
  /** Number of 429 answers so far. */
  readonly rateLimited: number;
  readonly waiting: number;
}

/** Error of a call that was not sent, because it got no turn in time. The provider has not failed. */
export class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
  /** Wait before the next try, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(provider: string, retryAfterMs: number) {
    super(`${provider} accepts fewer calls than wait for it; the call waits on`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A call in flight; its end calls one of the methods. */
interface LimitedCall {
  accepted(): void;
  /** @param retryAfterMs wait that the provider asks for */
  refused(retryAfterMs: number | undefined): void;
  /** The call failed for a reason other than a limit. */
  ended(): void;
}

/** Pause after a 429 without a wait, in ms. Doubles from the first to the last until a call is accepted. */
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 30_000;
/** Longest pause in ms. During a daily limit calls are held, and one call tries this often. */
const MOST_PAUSE_MS = 300_000;
/** Gap between the first calls after a pause, in ms, because the first one may get the next 429. */
const RESTART_GAP_MS = 100;
/** Shortest gap in ms; smaller ones become 0. */
const LEAST_GAP_MS = 10;
/** Longest gap between calls, in ms. */
const MOST_GAP_MS = 60_000;
/** Time after which a call no longer counts as in flight, in ms. It may hang, and the limit may be one call. */
const LONGEST_IN_FLIGHT_MS = 60_000;
/** Time over which accepted calls are counted, in ms. */
const ACCEPTED_WINDOW_MS = 30_000;
/** Increase of a rate of one call per second, each second, if it is near the rate of the last 429 and if it is far. */
const NEAR_STEP = 0.01;
const FAR_STEP = 0.1;
/** Longest pause that counts towards raising the rate, in ms. */
const MOST_RAISE_MS = 5_000;
/** Shortest time in which accepted calls give a rate, in ms. */
const LEAST_WINDOW_MS = 2_000;

interface WaitingCall {
  readonly since: number;
  start(): void;
  giveUp(): void;
}

/** One provider's limit in this process. Uses a monotonic clock. */
export class AdaptiveLimit {
  readonly #provider: string;
  readonly #random: () => number;
  readonly #waiting: WaitingCall[] = [];
  #inFlight = 0;
  #limit = Infinity;
  /** Time between two starts, in ms. */
  #gapMs = 0;
  /** Gap at the last 429 for the rate; 0 before one. */
  #refusedGapMs = 0;
  #notBefore = 0;
  /** Number of cuts so far. Only calls that started after the last cut may cut again, or raise the limit. */
  #cuts = 0;
  #acceptedSinceCut = 0;
  #acceptedInRound = 0;
  /** Increase per round of accepted calls. Grows every round, so that a low rate recovers fast. */
  #step = 1;
  #raisedAt = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #rateLimited = 0;
  #firstRefusedAt = 0;
  #refusedSince: number | null = null;
  #acceptedAt: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #answers = 0;

  /** @param random spreads pauses of several workers; in [0, 1) */
  constructor(provider: string, random: () => number = Math.random) {
    this.#provider = provider;
    this.#random = random;
  }

  /** Returns the limit's state; null until the provider has answered 429. */
  pace(): Pace | null {
    if (this.#rateLimited === 0) return null;
    return {
      provider: this.#provider,
      callsAtOnce: Math.floor(this.#limit),
      callsPerSecond: this.#gapMs === 0 ? null : round(1_000 / this.#gapMs),
      acceptedPerSecond: round(this.#acceptedRate()),
      rateLimited: this.#rateLimited,
      waiting: this.#waiting.length,
    };
  }

  /** Returns the number of calls that the provider has answered. */
  answers(): number {
    return this.#answers;
  }

  /** Returns the time in milliseconds since the provider began to answer only 429; 0 after an accepted call. */
  refusedForMs(): number {
    return this.#refusedSince === null ? 0 : performance.now() - this.#refusedSince;
  }

  /**
   * Waits until a call may start.
   * @throws NoTurnError; the signal's reason
   */
  async turn({ since, patienceMs, onWaiting }: TurnOptions, signal?: AbortSignal): Promise<LimitedCall> {
    signal?.throwIfAborted();
    if (this.#waiting.length === 0 && this.#mayStart()) return this.#start();
    const pauseMs = this.#notBefore - performance.now();
    if (this.#isClosed || pauseMs > patienceMs)
      throw new NoTurnError(this.#provider, this.#spread(Math.max(pauseMs, FIRST_PAUSE_MS)));
    onWaiting?.();
    return new Promise<LimitedCall>((resolve, reject) => {
      const leave = (error: Error): void => {
        const index = this.#waiting.indexOf(waiting);
        if (index >= 0) this.#waiting.splice(index, 1);
        settle();
        reject(error);
      };
      const abort = (): void => leave(signal?.reason as Error);
      const giveUp = (): void => leave(new NoTurnError(this.#provider, this.#spread(FIRST_PAUSE_MS)));
      const timer = setTimeout(giveUp, patienceMs);
      timer.unref();
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiting: WaitingCall = {
        since,
        start: () => {
          settle();
          resolve(this.#start());
        },
        giveUp,
      };
      signal?.addEventListener('abort', abort, { once: true });
      const next = this.#waiting.findIndex((other) => other.since > since);
      this.#waiting.splice(next < 0 ? this.#waiting.length : next, 0, waiting);
      this.#admit();
    });
  }

  /** Fails waiting calls, so that another worker takes them when this process ends. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of [...this.#waiting]) waiting.giveUp();
  }

  #mayStart(): boolean {
    return this.#inFlight < Math.floor(this.#limit) && performance.now() >= this.#notBefore;
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#mayStart()) this.#waiting.shift()?.start();
    clearTimeout(this.#timer);
    const pauseMs = this.#notBefore - performance.now();
    if (this.#waiting.length === 0 || pauseMs <= 0) return;
    this.#timer = setTimeout(() => this.#admit(), Math.ceil(pauseMs));
    this.#timer.unref();
  }

  #start(): LimitedCall {
    const cuts = this.#cuts;
    this.#inFlight += 1;
    const wasFull = () => this.#waiting.length > 0 || this.#inFlight >= Math.floor(this.#limit);
    this.#notBefore = Math.max(this.#notBefore, performance.now() + this.#gapMs);
    let isCounted = true;
    const leave = (): void => {
      if (isCounted) this.#inFlight -= 1;
      isCounted = false;
      this.#admit();
    };
    const timer = setTimeout(leave, LONGEST_IN_FLIGHT_MS);
    timer.unref();
    const end = (change: () => void): void => {
      clearTimeout(timer);
      change();
      leave();
    };
    return {
      accepted: () =>
        end(() => {
          this.#accepted(performance.now());
          if (cuts === this.#cuts && wasFull()) this.#raise();
        }),
      refused: (retryAfterMs) => end(() => this.#refused(cuts === this.#cuts, retryAfterMs)),
      ended: () => end(() => undefined),
    };
  }

  #accepted(now: number): void {
    this.#answers += 1;
    this.#refusedSince = null;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#rateLimited === 0) return;
    this.#acceptedAt = [...this.#acceptedAt.filter((at) => now - at < ACCEPTED_WINDOW_MS), now];
  }

  #refused(isNew: boolean, retryAfterMs: number | undefined): void {
    const now = performance.now();
    if (this.#rateLimited === 0) this.#firstRefusedAt = now;
    this.#rateLimited += 1;
    this.#refusedSince ??= now;
    if (isNew) this.#cut();
    if (retryAfterMs === undefined && !isNew) return;
    if (retryAfterMs === undefined) this.#pauseMs = Math.min(2 * this.#pauseMs, LAST_PAUSE_MS);
    this.#notBefore = Math.max(
      this.#notBefore,
      now + this.#spread(Math.min(retryAfterMs ?? this.#pauseMs / 2, MOST_PAUSE_MS)),
    );
  }

  /** Lowers the limit that was in force when the provider refused: calls in flight, or the rate of starts. */
  #cut(): void {
    if (this.#limit === Infinity || this.#inFlight >= Math.floor(this.#limit)) {
      const before = Math.min(this.#limit, this.#inFlight);
      // A limit that has held for a round is near what the provider accepts; any other is far above it.
      this.#limit = Math.max(1, Math.floor(before * (this.#acceptedSinceCut < before ? 0.5 : 0.7)));
      if (before > 1) this.#gapMs = Math.max(this.#gapMs, RESTART_GAP_MS);
      else this.#widen();
    } else this.#widen();
    this.#cuts += 1;
    this.#acceptedSinceCut = 0;
    this.#acceptedInRound = 0;
    this.#step = 1;
  }

  #widen(): void {
    this.#refusedGapMs = this.#gapMs;
    this.#raisedAt = performance.now();
    const gapMs = Math.max(this.#gapMs, RESTART_GAP_MS);
    const rate = this.#acceptedRate();
    const accepted = rate === 0 ? Infinity : 1_000 / rate;
    this.#gapMs = Math.min(MOST_GAP_MS, Math.max(1.1 * gapMs, Math.min(1.1 * accepted, 2 * gapMs)));
  }

  /** Raises the limit that keeps further calls from starting. */
  #raise(): void {
    this.#acceptedSinceCut += 1;
    if (this.#inFlight < Math.floor(this.#limit)) {
      this.#raiseRate();
      return;
    }
    this.#acceptedInRound += 1;
    if (this.#acceptedInRound < this.#limit) return;
    this.#acceptedInRound = 0;
    this.#limit += this.#step;
    this.#step += 1;
  }

  /**
   * Raises the rate by a share that falls as the rate rises, so that workers on one account reach equal shares. Near
   * the rate of the last 429, it raises it slowly.
   */
  #raiseRate(): void {
    if (this.#gapMs === 0) return;
    const now = performance.now();
    const seconds = Math.min(MOST_RAISE_MS, now - this.#raisedAt) / 1_000;
    this.#raisedAt = now;
    const rate = 1_000 / this.#gapMs;
    const isNear = this.#gapMs < 1.15 * this.#refusedGapMs;
    this.#gapMs = 1_000 / (rate + (isNear ? NEAR_STEP : FAR_STEP) * seconds * Math.sqrt(rate));
    if (this.#gapMs < LEAST_GAP_MS) this.#gapMs = 0;
  }

  #acceptedRate(): number {
    const now = performance.now();
    const windowMs = Math.max(LEAST_WINDOW_MS, Math.min(ACCEPTED_WINDOW_MS, now - this.#firstRefusedAt));
    return (1_000 * this.#acceptedAt.filter((at) => now - at < windowMs).length) / windowMs;
  }

  /** Lengthens a wait by up to a fifth. */
  #spread(ms: number): number {
    return Math.ceil(ms * (1 + 0.2 * this.#random()));
  }
}

export class AdaptiveLimits {
  readonly #limits = new Map<string, AdaptiveLimit>();

  of(provider: string): AdaptiveLimit {
    const limit = this.#limits.get(provider) ?? new AdaptiveLimit(provider);
    this.#limits.set(provider, limit);
    return limit;
  }

  /** Closes the limits of all providers; see {@link AdaptiveLimit.close}. */
  close(): void {
    for (const limit of this.#limits.values()) limit.close();
  }
}

/** @param options.turn how long a call waits for its turn @returns a caller whose calls first wait for their turn */
export function limitedCallModel<Request extends { readonly provider: string }, Reply>(
  callModel: (request: Request, options: CallOptions) => Promise<Reply>,
  limits: AdaptiveLimits,
): (request: Request, options: CallOptions) => Promise<Reply> {
  return async (request, options) => {
    const wait = options.turn ?? { since: Date.now(), patienceMs: options.timeoutMs };
    const limit = limits.of(request.provider);
    const turn = await limit.turn(wait, options.signal);
    const answersBefore = limit.answers();
    try {
      const reply = await callModel(request, options);
      turn.accepted();
      return reply;
    } catch (error) {
      if (error instanceof ModelCallError && error.failure.type === 'RateLimited') {
        turn.refused(error.failure.retryAfterMs);
      } else turn.ended();
      throw limit.answers() > answersBefore ? ownTimeout(error) : error;
    }
  };
}

/** Marks a timeout as the call's own, because a provider that answers other calls meanwhile is slow, not away. */
function ownTimeout(error: unknown): unknown {
  if (!(error instanceof ModelCallError) || error.failure.isTimeout !== true) return error;
  const message = `${error.failure.message}, but has answered other calls meanwhile`;
  return new ModelCallError({ ...error.failure, type: 'CallTimedOut', message });
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}
