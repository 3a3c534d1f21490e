/** The lanes of a long sweep: sweeps over slices of its plan, so that no history grows with the sweep. */

import {
  LIMIT_KEYS,
  asResumed,
  laneWorkflowId,
  pickLimits,
  withAgentUrl,
  type SweepControl,
  type SweepInput,
} from '../evaluation/index.ts';
import type { LaneHandle, SweepPorts } from './ports.ts';
import { splitWindow } from './split-window.ts';
import type { SweepMonitor } from './sweep-monitor.ts';
import { countEpisodes } from '../benchmarks/pure.ts';

/** An open lane: a child sweep over a slice of the plan, with its share of the window. */
interface OpenLane {
  readonly lane: NonNullable<SweepInput['lane']>;
  /** Settings last sent to the lane; null before the first ones. */
  sent: SweepControl | null;
  /** Signals to the lane; null until the server has started it, because it cannot be signaled earlier. */
  handle: LaneHandle | null;
}

interface LaneShare {
  readonly workflowId: string;
  readonly open: OpenLane;
  readonly share: SweepControl;
}

/**
 * Opens lanes while the window has capacity, and splits the window among the open lanes. When a lane ends, the other
 * lanes get its share, so the window stays full until the last lane. If the sweep is canceled, it still waits for open
 * lanes.
 *
 * @throws the failure of the first failed lane, when the others have ended; resuming the run runs the missing episodes
 */
export async function runLanes(
  input: SweepInput,
  monitor: SweepMonitor,
  ports: SweepPorts,
  laneSize: number,
): Promise<void> {
  // A lane's totals cover only what it runs itself, so its sweep adds the recorded totals at the start.
  const { run, plan, config } = input;
  const repeatSuspect = monitor.settings.repeatSuspect || undefined;
  const asked = { run, plan, seed: config.seed, repeatSuspect, ...monitor.walk.restriction };
  const recorded = await ports.activities.sumRecorded('what is recorded of the run', asked);
  monitor.add(asResumed(recorded.totals));
  await new Lanes(input, monitor, ports, laneSize).run();
}

class Lanes {
  readonly #input: SweepInput;
  readonly #monitor: SweepMonitor;
  readonly #ports: SweepPorts;
  readonly #laneSize: number;
  /** Number of episodes of the plan. */
  readonly #total: number;
  /** Open lanes by workflow id. */
  readonly #open = new Map<string, OpenLane>();
  readonly #failures: unknown[] = [];
  /** Index of the next lane. */
  #next = 0;

  constructor(input: SweepInput, monitor: SweepMonitor, ports: SweepPorts, laneSize: number) {
    this.#input = input;
    this.#monitor = monitor;
    this.#ports = ports;
    this.#laneSize = laneSize;
    this.#total = countEpisodes(input.plan);
  }

  async run(): Promise<void> {
    const running: Promise<void>[] = [];
    const isOver = () => this.#open.size === 0 && !this.#hasMore();
    try {
      for (;;) {
        while (this.#mayOpen()) this.#enterNext();
        this.#monitor.show();
        // Only now it is known among which lanes the window is split.
        for (const each of this.#shares()) if (each.open.sent === null) running.push(this.#runLane(each));
        await this.#sendShares();
        if (isOver()) break;
        await this.#ports.until(() => this.#mayOpen() || this.#shares().some((each) => this.#isNews(each)) || isOver());
      }
    } finally {
      await Promise.all(running);
    }
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #hasMore(): boolean {
    const isLeft = this.#next * this.#laneSize < this.#total;
    return isLeft && this.#failures.length === 0 && this.#monitor.hasMore();
  }

  #mayOpen(): boolean {
    const { size } = this.#open;
    // Lanes do not know each other's costs, so a sweep with a budget has one lane at a time.
    const isFull = this.#monitor.settings.maxCostUsd !== null && size > 0;
    return this.#hasMore() && !isFull && this.#monitor.hasCapacity(size);
  }

  #enterNext(): void {
    const index = this.#next;
    const start = index * this.#laneSize;
    const end = Math.min(start + this.#laneSize, this.#total);
    const workflowId = laneWorkflowId(this.#input.run.runId, index);
    this.#open.set(workflowId, { lane: { index, start, end }, sent: null, handle: null });
    this.#monitor.board.lanes.add(workflowId);
    this.#monitor.walk.next = end;
    this.#next += 1;
  }

  async #runLane({ workflowId, open, share }: LaneShare): Promise<void> {
    open.sent = share;
    try {
      open.handle = await this.#ports.startLane(this.#inputOf(open, share));
      const result = await open.handle.result();
      this.#monitor.laneEnded(workflowId, result);
    } catch (error) {
      this.#failures.push(error);
      this.#monitor.board.lanes.delete(workflowId);
    }
    this.#open.delete(workflowId);
  }

  #inputOf({ lane }: OpenLane, { maxConcurrency, maxCostUsd = null, agentUrl, ...limits }: SweepControl) {
    const { run, config, plan, queues, tuning, indexed, version, unattended } = this.#input;
    return {
      ...{ run, plan, queues, indexed, version, unattended, tuning, lane, maxConcurrency, maxCostUsd },
      config: { ...withAgentUrl(config, agentUrl), ...pickLimits(limits) },
      ...this.#monitor.walk.restriction,
    };
  }

  /**
   * Returns each open lane's part of the window, and of the sweep's remaining budget. Several lanes share the budget if
   * it was set after they were opened.
   */
  #shares(): LaneShare[] {
    const { settings, totals } = this.#monitor;
    const { paused, given } = settings;
    const left = settings.budgetLeftUsd(totals);
    const maxCostUsd = left === null ? null : left / this.#open.size;
    const sizes = Array.from(this.#open.values(), ({ lane: { start, end } }) => end - start);
    const parts = splitWindow(settings.maxConcurrency, sizes);
    return Array.from(this.#open, ([workflowId, open], place) => ({
      ...{ workflowId, open },
      share: { paused, maxConcurrency: parts[place] ?? 0, maxCostUsd, ...given },
    }));
  }

  /**
   * True if the lane must get a signal: its settings differ, or it has paused itself since the last signal and is to
   * continue.
   */
  #isNews({ workflowId, open: { sent, handle }, share }: LaneShare): boolean {
    if (handle === null || sent === null) return false;
    return (
      this.#monitor.board.haltedLanes.has(workflowId) ||
      sent.paused !== share.paused ||
      sent.maxConcurrency !== share.maxConcurrency ||
      sent.maxCostUsd !== share.maxCostUsd ||
      sent.agentUrl !== share.agentUrl ||
      LIMIT_KEYS.some((key) => sent[key] !== share[key])
    );
  }

  async #sendShares(): Promise<void> {
    for (const workflowId of [...this.#open.keys()]) {
      // Computed again, because a lane may have ended while the last signal was sent.
      const now = this.#shares().find((each) => each.workflowId === workflowId);
      if (now === undefined || !this.#isNews(now)) continue;
      const { open, share } = now;
      open.sent = share;
      this.#monitor.board.haltedLanes.delete(workflowId);
      try {
        await open.handle?.send(share);
      } catch (error) {
        if (this.#ports.isCancellation(error)) throw error;
        // The lane has ended, and its result has all that matters.
      }
    }
  }
}
