import { describe, expect, it } from 'vitest';

import { describeRepeatedEpisodes } from '../../src/cli/run/testing.ts';
import { appendOpenLines } from '../../src/run-log/index.ts';
import { mkdir } from 'node:fs/promises';
import { record, scratchLog, usage } from '../results/fixtures.ts';

const MADE = [usage('agent', 0.02), usage('user', 0.01)];
const CALLS = MADE.reduce((sum, { calls }) => sum + calls, 0);
const gone = () => Promise.resolve(null);
const known = (status: string) => () => Promise.resolve(status);

/** A run with a canceled episode of three cents, and one that had made two calls of 50 cents. */
async function begunLog() {
  const log = scratchLog();
  await log.writeEpisode(record(0, 0, { usage: MADE }));
  await log.writeEpisode(record(1, 0, { usage: MADE, outcome: { kind: 'cancelled' } }));
  await mkdir(log.paths.open, { recursive: true });
  const line = { at: new Date().toISOString(), workflowRunId: 'w', tool: null, text: '', observation: null };
  const reply = (activityId: string) => ({ ...line, activityId, role: 'agent', costUsd: 0.5 });
  const step = { ...line, activityId: '3', role: null, tool: 'think', costUsd: null };
  // The second attempt of a call is the same call.
  await appendOpenLines(log.paths, { taskId: 2, trial: 0 }, [reply('1'), reply('1'), reply('2'), step]);
  return log;
}

describe('a run that is resumed', () => {
  it('has nothing to say of episodes with a result', async () => {
    const log = scratchLog();
    expect(await describeRepeatedEpisodes(log, gone)).toEqual([]);
    await log.writeEpisode(record(0, 0, { usage: MADE }));
    expect(await describeRepeatedEpisodes(log, gone)).toEqual([]);
  });

  it('counts the calls of episodes that begin again, whose histories are gone', async () => {
    const log = await begunLog();
    expect(await describeRepeatedEpisodes(log, gone)).toEqual([
      `2 episodes without a result begin again: ${CALLS + 2} calls ($1.03) made before are paid again`,
    ]);
  });

  it('counts the calls of canceled episodes that are resumed', async () => {
    const log = await begunLog();
    expect(await describeRepeatedEpisodes(log, known('running'))).toEqual([
      `2 episodes without a result are resumed: ${CALLS + 2} calls ($1.03) made before are not paid again`,
    ]);
    // What was terminated has no record that would say so.
    expect(await describeRepeatedEpisodes(log, known('terminated'))).toEqual([
      `1 episode without a result is resumed: ${CALLS} calls ($0.0300) made before are not paid again`,
      '1 episode without a result begins again: 2 calls ($1.00) made before are paid again',
    ]);
  });

  it('pays the calls of an episode again that infrastructure has ended', async () => {
    const log = scratchLog();
    const outcome = { kind: 'infrastructure_error', error: 'EpisodeLost', message: 'gone' } as const;
    await log.writeEpisode(record(1, 0, { usage: MADE, outcome }));
    expect(await describeRepeatedEpisodes(log, known('failed'))).toEqual([
      `1 episode without a result begins again: ${CALLS} calls ($0.0300) made before are paid again`,
    ]);
  });
});
