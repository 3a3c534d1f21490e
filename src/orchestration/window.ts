/**
 * A window of open episodes. Children are awaited, so that results, failures and cancellation come through the
 * server; before the sweep continues as new the window drains, because continuing would end the children.
 *
 * Two loops run beside it: one makes held calls again, the other ends stuck episodes.
 */

import { SweepOrder } from '../benchmarks/pure.ts';
import { asResumed, episodeName, withAgentUrl, type SweepInput } from '../evaluation/index.ts';
import { attendHeldCalls } from './attend-held.ts';
import type { SweepPorts } from './ports.ts';
import { runEpisode } from './run-episode.ts';
import { watchForStuck } from './stuck-watch.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/**
 * Opens episodes until the plan's slice, the budget or the history is full, and waits for the open ones: also when
 * the sweep is cancelled, because its episodes are being recorded then.
 */
export async function runWindow(input: SweepInput, monitor: SweepMonitor, ports: SweepPorts): Promise<void> {
  const { run, plan, config, queues, indexed, version, lane } = input;
  const { walk, board } = monitor;
  const order = new SweepOrder(plan, config.seed);
  const end = lane?.end ?? order.length;
  const firstPosition = walk.next;
  const recorded = await ports.activities.findRecorded(
    `which of episodes ${firstPosition + 1} to ${end} are recorded`,
    { run, plan, seed: config.seed, start: firstPosition, end, ...walk.restriction },
  );
  const skip = new Set(recorded.positions);
  const begun = new Map(Object.entries(recorded.begun ?? {}));
  // What was recorded before counts from the start; what is opened now is added as it ends.
  if (monitor.countsRecorded) monitor.add(asResumed(recorded.totals));

  const { continueAsNewAfter = Infinity } = input.tuning ?? {};
  const isHistoryFull = () => ports.isHistoryFull() || walk.next - firstPosition >= continueAsNewAfter;
  // As long as an episode is open, a budget that was used up may be raised.
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
      };
      running.push(runEpisode(child, ports).then((summary) => monitor.episodeEnded(name, summary)));
    }
  } finally {
    await Promise.all(running);
    hasEnded = true;
    await watching;
    isDrained = true;
    await attending;
  }
  // What a refusal or an outage has ended runs again when somebody resumes the run: it is not over before.
  await ports.until(() => monitor.settings.pausedFor === null || input.unattended === true);
}
