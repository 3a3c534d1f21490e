/** Asks episodes to repeat their held calls. */

import { episodeName, type SweepInput } from '../evaluation/index.ts';
import type { SweepPorts } from './ports.ts';
import type { DueCall } from './provider-state.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/**
 * Makes a sweep's held calls again when they are due, for as long as episodes are open.
 * @param isOver true if no episode is open any more; a sweep that is canceled need not attend to its held calls, as its
 *   episodes are canceled as well
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
    // The episode has ended meanwhile.
    monitor.held.episodeEnded(episodeName(call.episode), false, Date.now());
  }
}
