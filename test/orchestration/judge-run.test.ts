/** Judging a run's failed episodes: pages, the window, and a provider that is away. */

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FailedEpisode, JudgeOutput, JudgeRunInput } from '../../src/evaluation/index.ts';
import { JudgeMonitor, judgeRun, type JudgeRunPorts } from '../../src/orchestration/index.ts';
import { PlayedFailure, readPlayedFailure } from '../episode/stage.ts';

const episode = (taskId: number) => ({ taskId, trial: 0, index: null, isInfrastructure: false }) as FailedEpisode;

const ANSWERED = {
  answer: { choice: 'user', description: '', quotes: [] },
  ...{ calls: 1, promptTokens: 1, completionTokens: 1, costUsd: 1 },
} as unknown as JudgeOutput;

/** Judges a run with so many failed episodes; each question costs 1 USD, and blames the user. */
function stage(failed: number, changes: Partial<JudgeRunInput> = {}, ports: Partial<JudgeRunPorts> = {}) {
  const input = { maxConcurrency: 2, maxFailures: null, maxCostUsd: null, judge: {}, ...changes };
  const monitor = new JudgeMonitor(input);
  const asked: number[] = [];
  const pages: unknown[] = [];
  const shown: string[] = [];
  const next = judgeRun(input, monitor, {
    findFailures: ({ from, most, page }) => {
      pages.push({ from, most });
      const end = Math.min(failed, from + Math.min(page, most ?? Infinity));
      const episodes = Array.from({ length: end - from }, (_, index) => episode(from + index));
      return Promise.resolve({ episodes, kept: 0, next: end < failed && end - from === page ? end : null });
    },
    judge: async (request) => {
      asked.push(request.episode.taskId);
      await setImmediate();
      return ANSWERED;
    },
    record: () => Promise.resolve(),
    readFailure: readPlayedFailure,
    sleep: () => setImmediate(),
    until: async (isMet) => {
      while (!isMet()) await setImmediate();
    },
    isHistoryFull: () => false,
    showDetails: (details) => shown.push(details),
    ...ports,
  });
  return { next, monitor, asked, pages, shown };
}

describe('judging a run', () => {
  it('looks at page after page, until as many failed episodes are judged as were asked for', async () => {
    const { next, monitor, asked, pages } = stage(250, { maxFailures: 220 });
    expect(await next).toBeNull();
    expect(pages).toEqual([
      { from: 0, most: 220 },
      { from: 100, most: 120 },
      { from: 200, most: 20 },
    ]);
    expect(asked).toEqual(Array.from({ length: 220 }, (_, taskId) => taskId));
    expect(monitor.totals).toMatchObject({ seen: 220, authors: { user: 220 }, costUsd: 220 });
  });

  it('leaves the next page to another run of the workflow when the history is full', async () => {
    const { next, monitor } = stage(250, {}, { isHistoryFull: () => true });
    expect(await next).toBe(100);
    const state = { next: 100, totals: monitor.totals };
    const again = stage(250, { state });
    expect(await again.next).toBeNull();
    expect(again.monitor.totals.seen).toBe(250);
  });

  it('waits for a provider that is away, and shows it; the waiting episodes keep their places', async () => {
    let isAway = true;
    const asked: number[] = [];
    const { next, monitor, shown } = stage(
      3,
      {},
      {
        judge: (request) => {
          asked.push(request.episode.taskId);
          isAway &&= asked.length < 6;
          return isAway ? Promise.reject(new PlayedFailure('ModelUnavailable', '503')) : Promise.resolve(ANSWERED);
        },
      },
    );
    expect(await next).toBeNull();
    // The third has to wait for a place.
    expect(asked.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 1]);
    expect(shown.join('\n')).toContain('- **waiting for its provider**: 2 calls, ModelUnavailable: 503');
    expect(monitor.totals).toMatchObject({ seen: 3, authors: { user: 3, unjudged: 0 } });
    expect(monitor.progress().held).toBeUndefined();
  });
});
