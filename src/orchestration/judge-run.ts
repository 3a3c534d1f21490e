/** Judges the failed episodes of a run page by page, with a window of episodes open at once. */

import type { FailedEpisode, FindFailuresInput, FindFailuresOutput, JudgeRunInput } from '../evaluation/index.ts';
import { judgeEpisode, type JudgePorts } from './judge-episode.ts';
import type { JudgeMonitor } from './judge-monitor.ts';

/** Episodes in one page: some 1,800 events, so that a history never grows far beyond the server's suggestion. */
const PAGE = 100;

export interface JudgeRunPorts extends Omit<JudgePorts, 'waitForProvider'> {
  findFailures(asked: Pick<FindFailuresInput, 'from' | 'most' | 'page'>): Promise<FindFailuresOutput>;
  sleep(ms: number): Promise<void>;
  until(isMet: () => boolean): Promise<unknown>;
  /** True if the workflow should continue as new. */
  isHistoryFull(): boolean;
  showDetails(markdown: string): void;
}

type Judging = Pick<JudgeRunInput, 'maxConcurrency' | 'maxFailures' | 'state' | 'tuning'>;

/** @returns first position for another run of the workflow; null when all is done */
export async function judgeRun(input: Judging, monitor: JudgeMonitor, ports: JudgeRunPorts): Promise<number | null> {
  const { maxFailures, tuning, state } = input;
  for (let from = state?.next ?? 0; ;) {
    const most = maxFailures === null ? null : maxFailures - monitor.totals.seen;
    const page = await ports.findFailures({ from, most, page: tuning?.page ?? PAGE });
    monitor.keep(page.kept);
    await judgePage(page.episodes, input.maxConcurrency, monitor, ports);
    if (page.next === null || monitor.isOver()) return null;
    if (ports.isHistoryFull() || tuning?.page !== undefined) return page.next;
    from = page.next;
  }
}

/** @throws CancelledFailure, after the questions in progress have ended */
async function judgePage(
  episodes: readonly FailedEpisode[],
  maxConcurrency: number,
  monitor: JudgeMonitor,
  ports: JudgeRunPorts,
): Promise<void> {
  const portsOfEpisode: JudgePorts = {
    ...ports,
    judge: async (request, summary) => {
      const output = await ports.judge(request, summary);
      monitor.answered();
      return output;
    },
    // The episode keeps its place in the window during the wait.
    waitForProvider: async (failure, failedAt) => {
      const waitMs = monitor.waitMs(failure, failedAt);
      if (waitMs === null) return false;
      monitor.hold(failure);
      ports.showDetails(monitor.details());
      try {
        await ports.sleep(waitMs);
      } finally {
        monitor.release(failure);
      }
      return true;
    },
  };
  const running: Promise<void>[] = [];
  try {
    for (const episode of episodes) {
      await ports.until(() => monitor.open < maxConcurrency);
      if (monitor.isOver()) break;
      monitor.open += 1;
      running.push(
        judgeEpisode(episode, portsOfEpisode)
          .then((verdict) => monitor.enter(verdict))
          .finally(() => {
            monitor.open -= 1;
            ports.showDetails(monitor.details());
          }),
      );
    }
  } finally {
    await Promise.allSettled(running);
  }
  await Promise.all(running);
}
