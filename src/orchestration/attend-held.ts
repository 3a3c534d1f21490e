/** Asks episodes to repeat their held calls. */

import { episodeName, type SweepInput } from '../evaluation/index.ts';
import type { SweepPorts } from './ports.ts';
import type { DueCall } from './provider-state.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/**
 * Makes a sweep's held calls again when they are due, as long as episodes are open.
 * @param isOver true if no episode is open any more; a canceled sweep need not handle its held calls, because its
 * episodes are canceled too
 */
export async function attendHeldCalls(
  input: SweepInput,
  monitor: SweepMonitor,
  ports: SweepPorts,
  isOver: () => boolean,
): Promise<void> {
  try {
    while (!isOver()) await attendOnce(input, monitor, ports, isOver);
  } catch (error) {
    if (!ports.isCancellation(error)) throw error;
  }
}

async function attendOnce(
  { lane }: SweepInput,
  monitor: SweepMonitor,
  ports: SweepPorts,
  isOver: () => boolean,
): Promise<void> {
  const dueAt = monitor.heldDueAt();
  if (dueAt === null) {
    await ports.until(() => isOver() || monitor.heldDueAt() !== null);
    return;
  }
  const waitMs = dueAt - Date.now();
  if (waitMs > 0) {
    const isSooner = () => (monitor.heldDueAt() ?? Infinity) < dueAt;
    await ports.until(() => isOver() || isSooner() || monitor.heldDueAt() === null, waitMs);
    return;
  }
  const reason = monitor.expireHeld();
  if (reason !== null && lane !== undefined) await ports.reportHalt(reason);
  await Promise.all(monitor.takeHeld().map((due) => release(monitor, ports, due)));
  monitor.show();
}

async function release(monitor: SweepMonitor, ports: SweepPorts, due: DueCall): Promise<void> {
  const { call, again, isAgentsFault } = due;
  try {
    await ports.release(call.episode, { call: call.call, again, isAgentsFault, ...monitor.settings.moved });
  } catch (error) {
    if (ports.isCancellation(error) || !ports.isFailure(error)) throw error;
    // The episode has ended.
    monitor.held.episodeEnded(episodeName(call.episode), false, Date.now());
  }
}
