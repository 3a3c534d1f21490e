import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';

import { createRedactor } from '../../../src/io/index.ts';
import { createLogSink } from '../../../src/temporal/telemetry/index.ts';
import { formatLogLine, type LogLine } from '../../../src/temporal/telemetry/testing.ts';

const KEY = 'a-key-of-nobody-1234567890';
const redact = createRedactor([KEY]);

/** A line as an activity's log has it. */
const ENTRY: LogLine = {
  level: 'WARN',
  message: 'model call failed and will be made again',
  timestampNanos: 1_800_000_000_123_456_789n,
  meta: {
    sdkComponent: 'activity',
    workflowId: 'nightly/task-17/trial-2',
    runId: 'd00d',
    activityId: '3',
    activityType: 'complete',
    attempt: 2,
    isLocal: false,
    taskToken: 'AAAA',
    failure: 'RateLimited',
  },
};

describe('a line of a JSON log', () => {
  const json = (line: LogLine) => JSON.parse(formatLogLine(line, { format: 'json', redact })) as unknown;

  it('says when, how grave, what, and of which run, task, trial and attempt', () => {
    expect(json(ENTRY)).toEqual({
      timestamp: '2027-01-15T08:00:00.123Z',
      level: 'WARN',
      message: 'model call failed and will be made again',
      run: 'nightly',
      task: 17,
      trial: 2,
      component: 'activity',
      workflow_id: 'nightly/task-17/trial-2',
      workflow_run_id: 'd00d',
      activity_id: '3',
      activity: 'complete',
      attempt: 2,
      failure: 'RateLimited',
    });
  });

  it('has of an error its type and its sentence', () => {
    const error = ApplicationFailure.nonRetryable('401 Incorrect API key', 'NotAuthorised');
    expect(json({ ...ENTRY, meta: { error } })).toMatchObject({
      error: { type: 'NotAuthorised', message: '401 Incorrect API key' },
    });
  });

  it('stays JSON where keys are taken out of it', () => {
    const message = `refused: "api key: "${KEY}"", Bearer abcdef123456, sk-1234567890`;
    const line = formatLogLine(
      { ...ENTRY, message, meta: { error: new Error(`{"api_key":"${KEY}"}`), nested: [KEY] } },
      { format: 'json', redact },
    );
    expect(() => JSON.parse(line) as unknown).not.toThrow();
    for (const secret of [KEY, 'abcdef123456', 'sk-1234567890']) expect(line).not.toContain(secret);
  });

  it('does without a workflow', () => {
    expect(json({ level: 'INFO', message: 'ready', timestampNanos: 0n })).toEqual({
      timestamp: '1970-01-01T00:00:00.000Z',
      level: 'INFO',
      message: 'ready',
    });
  });
});

describe('a line for people', () => {
  const text = (line: LogLine) => formatLogLine(line, { format: 'text', redact });

  it('names run, task and trial before what happened', () => {
    expect(text(ENTRY)).toBe(
      '2027-01-15T08:00:00.123Z WARN  nightly task 17 trial 2: model call failed and will be made again ' +
        '[complete, attempt 2] failure=RateLimited',
    );
  });

  it('writes an error in one line, without keys', () => {
    const error = ApplicationFailure.nonRetryable(`401 refused\n  ${KEY}`, 'NotAuthorised');
    const line = text({ ...ENTRY, message: 'Activity failed', meta: { workflowId: 'nightly', error } });
    expect(line).toBe(
      '2027-01-15T08:00:00.123Z WARN  nightly: Activity failed (NotAuthorised): 401 refused [redacted]',
    );
  });
});

describe('the log of a worker', () => {
  function logged(level: 'DEBUG' | 'INFO'): { messages: string[]; logger: DefaultLogger } {
    const messages: string[] = [];
    const logger = new DefaultLogger(
      level,
      createLogSink({ level, format: 'json', redact, write: (line) => void messages.push(line) }),
    );
    return { messages, logger };
  }

  it('leaves out how the SDK makes its Workers, and shows it at DEBUG', () => {
    for (const [level, lines] of [
      ['INFO', 1],
      ['DEBUG', 3],
    ] as const) {
      const { messages, logger } = logged(level);
      logger.info('Worker state changed', { sdkComponent: 'worker' });
      logger.warn('No workflows registered, not polling for workflow tasks', { sdkComponent: 'worker' });
      logger.warn('something is amiss', { sdkComponent: 'worker' });
      expect(messages).toHaveLength(lines);
    }
  });
});
