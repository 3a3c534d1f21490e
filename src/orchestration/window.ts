/**
 * A window of open episodes. Children are awaited, so that results, failures and cancellation come through the server.
 * Before the sweep continues as new, the window drains, because continuing would end the children.
 *
 * Two loops run beside it: one makes held calls again, the other ends stuck episodes.
 */

import { SweepOrder } from '../benchmarks/pure.ts';
import type { EpisodeInput } from '../episode/index.ts';
import {
  NO_TOTALS,
  addCost,
  asResumed,
  episodeName,
  withAgentUrl,
  type EpisodeSummary,
  type SweepInput,
} from '../evaluation/index.ts';
import { attendHeldCalls } from './attend-held.ts';
import type { SweepPorts } from './ports.ts';
import { runEpisode } from './run-episode.ts';
import { watchForStuck } from './stuck-watch.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/**
 * Opens episodes until the plan's slice, the budget or the history is full, and waits for the open ones. It waits also
 * if the sweep is canceled, because its episodes are then being recorded.
 */
export async function runWindow(input: SweepInput, monitor: SweepMonitor, ports: SweepPorts): Promise<void> {
  const { run, plan, config, queues, indexed, version, lane } = input;
  const { walk, board } = monitor;
  const order = new SweepOrder(plan, config.seed);
  const end = lane?.end ?? order.length;
  const firstPosition = walk.next;
  const recorded = await ports.activities.findRecorded(
    `which of episodes ${firstPosition + 1} to ${end} are recorded`,
    {
      ...{ run, plan, seed: config.seed, start: firstPosition, end },
      repeatSuspect: monitor.settings.repeatSuspect || undefined,
      ...walk.restriction,
    },
  );
  const skip = new Set(recorded.positions);
  const begun = new Map(Object.entries(recorded.begun ?? {}));
  const repeats = new Map(Object.entries(recorded.repeats ?? {}));
  // Recorded episodes count from the start; each opened episode is added when it ends.
  if (monitor.countsRecorded) monitor.add(asResumed(recorded.totals));

  const { continueAsNewAfter = Infinity } = input.tuning ?? {};
  const isHistoryFull = () => ports.isHistoryFull() || walk.next - firstPosition >= continueAsNewAfter;
  // As long as an episode is open, a spent budget may still be raised.
  const isOver = () => !monitor.hasMore() && (board.open.size === 0 || !monitor.isBudgetReached());
  const mayOpen = () => monitor.hasMore() && monitor.hasCapacity(board.open.size);
  const running: Promise<void>[] = [];
  let hasEnded = false;
  const watching = ports.uncancelled(() => watchForStuck(input, monitor, ports, () => hasEnded));
  let isDrained = false;
  const attending = attendHeldCalls(input, monitor, ports, () => isDrained);
  try {
    for (;;) {
      while (skip.has(walk.next)) walk.next += 1;
      await ports.until(() => isHistoryFull() || isOver() || mayOpen());
      if (isHistoryFull() || isOver()) break;
      const episode = order.at(walk.next);
      walk.next += 1;
      const name = episodeName(episode);
      monitor.episodeOpened(name);
      const before = begun.get(name);
      const child = {
        ...{ run, episode, queues, indexed, version },
        config: withAgentUrl(config, monitor.settings.agentUrl),
        repeats: monitor.repeats ? (true as const) : undefined,
        resumes: before === undefined ? undefined : { workflowRunId: before },
        repeat: repeats.get(name),
      };
      const end = (summary: EpisodeSummary | null) => monitor.episodeEnded(name, summary);
      const playing = runEpisode(child, ports);
      running.push(
        playing.then((summary) =>
          mayRepeat(child, summary, monitor) ? repeatEpisode(child, summary, monitor, ports).then(end) : end(summary),
        ),
      );
    }
  } finally {
    await Promise.all(running);
    hasEnded = true;
    await watching;
    isDrained = true;
    await attending;
  }
  // Episodes that ended by a refusal or an outage run again when somebody resumes the run, so the window is not over
  // before.
  await ports.until(() => monitor.settings.pausedFor === null || input.unattended === true);
}

/** True if the user of the episode is suspect, and repeats and budget are left. */
function mayRepeat(
  { repeat = 0 }: EpisodeInput,
  summary: EpisodeSummary | null,
  { settings, totals }: SweepMonitor,
): summary is EpisodeSummary {
  if (summary?.isSuspect !== true || repeat >= settings.repeatSuspect) return false;
  return !settings.isBudgetSpent(addCost(totals, summary));
}

/**
 * Plays an episode again with another seed, until its user is not suspect or no repeat is left. The costs of all
 * attempts count; the last attempt is the episode's result.
 */
async function repeatEpisode(
  first: EpisodeInput,
  ended: EpisodeSummary,
  monitor: SweepMonitor,
  ports: SweepPorts,
): Promise<EpisodeSummary> {
  let [input, summary] = [first, ended];
  do {
    const { settings } = monitor;
    if (settings.paused) await ports.uncancelled(() => ports.until(() => !settings.paused || ports.isCancelled()));
    input = { ...first, repeat: (input.repeat ?? 0) + 1, resumes: undefined };
    const next = await runEpisode(input, ports);
    if (next === null) return summary;
    monitor.add(addCost(NO_TOTALS, summary));
    summary = next;
  } while (mayRepeat(input, summary, monitor));
  return summary;
}
