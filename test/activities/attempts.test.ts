import { ApplicationFailure, type Context, type Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHeartbeat, withAttempts, createEnvironmentActivities } from '../../activities/testing.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { smallPack } from '../models/helpers.ts';

const MOST = 5;

interface Ran {
  readonly failure: ApplicationFailure;
  readonly heartbeats: readonly unknown[];
}

/** One attempt that fails. */
async function failing(work: () => Promise<unknown>, info: Partial<Info>): Promise<Ran> {
  const environment = new MockActivityEnvironment(info);
  const heartbeats: unknown[] = [];
  environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
  try {
    await environment.run(work);
  } catch (error) {
    if (error instanceof ApplicationFailure) return { failure: error, heartbeats };
    // What Temporal makes of an error that is thrown as it is: a failure that is tried again.
    return { failure: ApplicationFailure.fromError(error), heartbeats };
  }
  throw new Error('the attempt did not fail');
}

const buggy = withAttempts(MOST, () => Promise.reject(new TypeError('a bug')));

describe('an activity that needs the pack', () => {
  it('fails for good at its last attempt', async () => {
    const early = await failing(() => buggy(null), { attempt: MOST - 1 });
    expect(early.failure.nonRetryable).toBeFalsy();
    const last = await failing(() => buggy(null), { attempt: MOST });
    expect(last.failure).toMatchObject({ nonRetryable: true, type: 'TypeError', message: 'a bug' });
  });

  it('does not count the attempts for which there was no pack', async () => {
    const heartbeatDetails = { packMisses: 40 };
    const early = await failing(() => buggy(null), { attempt: 40 + MOST - 1, heartbeatDetails });
    expect(early.failure.nonRetryable).toBeFalsy();
    const last = await failing(() => buggy(null), { attempt: 40 + MOST, heartbeatDetails });
    expect(last.failure.nonRetryable).toBe(true);
  });

  it('does not count the attempts that waited for something to pass', async () => {
    const isWaiting = (error: unknown) => error instanceof RangeError;
    const full = withAttempts(MOST, () => Promise.reject(new RangeError('full')), isWaiting);
    const heartbeatDetails = { packMisses: 1_000 };
    const late = await failing(() => full(null), { attempt: 1_001, heartbeatDetails });
    expect(late.heartbeats).toEqual([{ packMisses: 1_001 }]);
    expect(late.failure.nonRetryable).toBeFalsy();
  });

  it('ends when all its attempts were lost with their workers', async () => {
    const { failure } = await failing(() => buggy(null), { attempt: MOST + 1 });
    expect(failure).toMatchObject({ nonRetryable: true, type: 'AttemptsLost' });
  });

  it('waits for a worker that has the pack, and says what to do', async () => {
    const { ref } = smallPack();
    const { step } = createEnvironmentActivities({
      findPack: () => Promise.resolve(undefined),
      transcripts: new TranscriptStore(),
    });
    const work = () => step({ pack: ref, writes: [], action: { name: 'think', kwargsJson: '{}' } });
    const first = await failing(work, { attempt: 1 });
    expect(first.heartbeats).toEqual([{ packMisses: 1 }]);
    expect(first.failure).toMatchObject({ type: 'PackUnavailable', nonRetryable: false, nextRetryDelay: 250 });
    expect(first.failure.message).toMatch(/^waiting for a worker that has pack .* with digest .*data import.*--pack/);
    const late = await failing(work, { attempt: 1_000, heartbeatDetails: { packMisses: 999 } });
    expect(late.heartbeats).toEqual([{ packMisses: 1_000 }]);
    expect(late.failure).toMatchObject({ nonRetryable: false, nextRetryDelay: 4_000 });
  });
});

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
