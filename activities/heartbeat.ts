/**
 * Heartbeats while something long is under way. They are how a dead worker is noticed, and the only way a
 * cancellation reaches an activity: it comes with a heartbeat's answer.
 */

import type { Context } from '@temporalio/activity';

export interface Heartbeat {
  /** Changes the details and sends them; the next attempt of the activity finds the last ones sent. */
  report(details: unknown): void;
  stop(): void;
}

/**
 * Beats at once, because a worker that dies in the first seconds must be noticed too, and then twice per timeout.
 * Does nothing for an activity without a heartbeat timeout, which must not beat.
 */
export function startHeartbeat(context: Context, details: unknown): Heartbeat {
  const { heartbeatTimeoutMs } = context.info;
  if (heartbeatTimeoutMs === undefined || heartbeatTimeoutMs <= 0) {
    return { report: () => undefined, stop: () => undefined };
  }
  let current = details;
  const beat = (): void => context.heartbeat(current);
  beat();
  const timer = setInterval(beat, heartbeatTimeoutMs / 2);
  timer.unref();
  return {
    report(next) {
      current = next;
      beat();
    },
    stop: () => clearInterval(timer),
  };
}
