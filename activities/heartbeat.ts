/**
 * Heartbeats while something long is under way. They are how a dead worker is noticed, and the only way a
 * cancellation reaches an activity: it comes with a heartbeat's answer.
 */

import type { Context } from '@temporalio/activity';

export interface Heartbeat {
  /** Sends the details as they are now; the next attempt of the activity finds the last ones sent. */
  beat(): void;
  stop(): void;
}

/** Beats per timeout: a process that is short of CPU may miss some of them. */
const BEATS = 4;

/**
 * Beats four times per timeout. Does nothing for an activity without a heartbeat timeout, which must not beat.
 * @param read the details, asked at each beat
 */
export function startHeartbeat(context: Context, read: () => unknown): Heartbeat {
  const { heartbeatTimeoutMs } = context.info;
  if (heartbeatTimeoutMs === undefined || heartbeatTimeoutMs <= 0) {
    return { beat: () => undefined, stop: () => undefined };
  }
  const beat = (): void => context.heartbeat(read());
  const timer = setInterval(beat, heartbeatTimeoutMs / BEATS);
  timer.unref();
  return { beat, stop: () => clearInterval(timer) };
}
