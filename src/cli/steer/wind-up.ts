/** Waits until what was cancelled has wound up: calls are aborted, records and results written. */

import { setTimeout as delay } from 'node:timers/promises';

/** - `unanswered`: no worker is there to do it; - `slow`: a worker is, and nothing has come of it for a while. */
export interface WindUpEnd {
  readonly kind: 'closed' | 'unanswered' | 'slow';
  /** Episodes that were open at the last look; null when that is not known. */
  readonly open: number | null;
}

export interface Winding {
  readonly isClosed: () => Promise<boolean>;
  /** Null when the server cannot count them. */
  readonly countOpen: () => Promise<number | null>;
  /** True if any worker listens. */
  readonly isListenedTo: () => Promise<boolean>;
  /** True if one answers; it may take its time to find out. */
  readonly isAnswered: () => Promise<boolean>;
}

export interface Patience {
  readonly lookMs: number;
  /** Between two lines that tell how far it is. */
  readonly tellMs: number;
  /** Without an answer for this long, no worker is there. */
  readonly silentMs: number;
  /** Without any progress for this long, it is not waited for: a cancelled call ends within its heartbeats. */
  readonly slowMs: number;
}

const PATIENCE: Patience = { lookMs: 300, tellMs: 2_000, silentMs: 12_000, slowMs: 120_000 };

export async function windUp(
  { isClosed, countOpen, isListenedTo, isAnswered }: Winding,
  tell: (line: string) => void,
  { lookMs, tellMs, silentMs, slowMs }: Patience = PATIENCE,
): Promise<WindUpEnd> {
  let open: number | null = null;
  let movedAt = Date.now();
  let answeredAt = Date.now();
  let toldAt = -Infinity;
  let told: number | null = null;
  for (;;) {
    if (await isClosed()) return { kind: 'closed', open: 0 };
    const before: number | null = open;
    open = await countOpen();
    if (!(await isListenedTo())) return { kind: 'unanswered', open };
    if (open !== before) movedAt = Date.now();
    if (open !== told && Date.now() - toldAt >= tellMs) {
      tell(
        open === 0
          ? 'writing the results'
          : `winding up: ${open === 1 ? '1 episode is' : `${String(open)} episodes are`} open`,
      );
      told = open;
      toldAt = Date.now();
    }
    if (await isAnswered()) answeredAt = Date.now();
    else if (Date.now() - answeredAt >= silentMs) return { kind: 'unanswered', open };
    if (Date.now() - movedAt >= slowMs) return { kind: 'slow', open };
    await delay(lookMs);
  }
}
