import { describe, expect, it } from 'vitest';

import { describeRepeated } from '../../src/cli/run/repeated.ts';
import { appendOpenLines } from '../../src/results/log/open-episodes.ts';
import { mkdir } from 'node:fs/promises';
import { record, scratchLog, usage } from '../results/fixtures.ts';

describe('a run that is resumed', () => {
  it('counts the calls of episodes that begin again', async () => {
    const log = scratchLog();
    expect(await describeRepeated(log)).toBeNull();
    const made = [usage('agent', 0.02), usage('user', 0.01)];
    await log.writeEpisode(record(0, 0, { usage: made }));
    expect(await describeRepeated(log)).toBeNull();
    await log.writeEpisode(record(1, 0, { usage: made, outcome: { kind: 'cancelled' } }));
    const before = made.reduce((sum, { calls }) => sum + calls, 0);
    const first = `1 episode without a result begins again: ${before} calls ($0.0300) made before are paid again`;
    expect(await describeRepeated(log)).toBe(first);
    await mkdir(log.paths.open, { recursive: true });
    const line = { at: new Date().toISOString(), workflowRunId: 'w', tool: null, text: '', observation: null };
    const reply = (activityId: string) => ({ ...line, activityId, role: 'agent', costUsd: 0.5 });
    const step = { ...line, activityId: '3', role: null, tool: 'think', costUsd: null };
    // The second attempt of a call is the same call.
    await appendOpenLines(log.paths, { taskId: 2, trial: 0 }, [reply('1'), reply('1'), reply('2'), step]);
    expect(await describeRepeated(log)).toBe(
      `2 episodes without a result begin again: ${before + 2} calls ($1.03) made before are paid again`,
    );
  });
});
