import type { Context } from '@temporalio/activity';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHeartbeat } from '../../activities/heartbeat.ts';

function contextWith(heartbeatTimeoutMs: number | undefined) {
  const beats: unknown[] = [];
  const heartbeat = (details: unknown) => beats.push(details);
  return { context: { info: { heartbeatTimeoutMs }, heartbeat } as unknown as Context, beats };
}

describe('a heartbeat', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('beats four times per timeout, until it is stopped', () => {
    const { context, beats } = contextWith(20_000);
    const heartbeat = startHeartbeat(context, () => 'a');
    expect(beats).toEqual([]);
    vi.advanceTimersByTime(20_000);
    expect(beats).toEqual(['a', 'a', 'a', 'a']);
    heartbeat.stop();
    vi.advanceTimersByTime(60_000);
    expect(beats).toHaveLength(4);
  });

  it('sends the details as they are, also between two beats', () => {
    const { context, beats } = contextWith(20_000);
    let details = 'a';
    const heartbeat = startHeartbeat(context, () => details);
    heartbeat.beat();
    details = 'b';
    vi.advanceTimersByTime(5_000);
    expect(beats).toEqual(['a', 'b']);
    heartbeat.stop();
  });

  it('keeps silent where the activity has no heartbeat timeout', () => {
    const { context, beats } = contextWith(undefined);
    const heartbeat = startHeartbeat(context, () => 'a');
    heartbeat.beat();
    vi.advanceTimersByTime(60_000);
    heartbeat.stop();
    expect(beats).toEqual([]);
  });
});
