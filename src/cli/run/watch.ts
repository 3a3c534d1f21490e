/** Watches a sweep: progress on stderr, the results file kept up to date, and signs that nothing moves. */

import { setTimeout as delay } from 'node:timers/promises';
import { ResultsError } from '../../results/errors.ts';
import { planOrder } from '../../results/publish-run.ts';
import type { RunLog } from '../../results/run-log.ts';
import { ResultsAssembler } from '../../results/tau-bench-file.ts';
import type { TemporalConnection } from '../../temporal/connection.ts';
import { fetchProgress, stuckReason, type SweepHandle } from '../../temporal/sweeps.ts';
import { workflowIdOfEpisode } from '../../wire/names.ts';
import type { SweepProgress } from '../../wire/sweep.ts';
import type { CliContext } from '../context.ts';
import { ProgressDisplay, type ProgressState } from '../terminal/progress.ts';
import { styleOf } from '../terminal/style.ts';

const POLL_MS = 500;
/** How long a sweep may take to tell its progress; without a worker it never does. */
const ANSWER_MS = 5_000;
/** Without an answer for this long, something must be done about workers. */
const SILENT_MS = 12_000;
/** Without an episode's end for this long, the server is asked whether the sweep is stuck. */
const SUSPICIOUS_MS = 30_000;

export interface Watched {
  readonly temporal: TemporalConnection;
  readonly handle: SweepHandle;
  readonly log: RunLog;
  /** The sweep's page in Temporal UI; null when that is not known. */
  readonly url: string | null;
  readonly taskQueue: string;
}

/** Until it is told to stop. Never rejects: a look that fails is made up for by the next one. */
export async function watchSweep(watched: Watched, stop: AbortSignal, context: CliContext): Promise<void> {
  const display = new ProgressDisplay(context.stderr, () => styleOf(context.stderr, context.env));
  const watch = new Watch(watched, display);
  try {
    while (!stop.aborted) {
      await watch.look(stop);
      await delay(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
    }
    // The last look comes after the end, so that the last line shows all episodes.
    await watch.look(AbortSignal.timeout(ANSWER_MS), true);
  } finally {
    if (watch.state === null) display.clear();
    else display.finish(watch.state);
  }
}

class Watch {
  state: ProgressState | null = null;
  readonly #watched: Watched;
  readonly #display: ProgressDisplay;
  readonly #startedAt = Date.now();
  #assembler: ResultsAssembler | null = null;
  #answeredAt = Date.now();
  #movedAt = Date.now();
  readonly #told = new Set<string>();

  constructor(watched: Watched, display: ProgressDisplay) {
    this.#watched = watched;
    this.#display = display;
  }

  async look(stop: AbortSignal, isLast = false): Promise<void> {
    const progress = await this.#ask(stop);
    if (progress !== null) await this.#answered(progress, isLast);
    else if (!stop.aborted) this.#silent();
    if (isLast || stop.aborted || Date.now() - this.#movedAt <= SUSPICIOUS_MS) return;
    this.#movedAt = Date.now();
    await this.#findStuck(progress?.open ?? []);
  }

  async #ask(stop: AbortSignal): Promise<SweepProgress | null> {
    const { temporal, handle } = this.#watched;
    const { client } = temporal;
    try {
      const ask = () => fetchProgress(client, handle.workflowId);
      const asked = client.withDeadline(Date.now() + ANSWER_MS, () => client.withAbortSignal(stop, ask));
      return await asked;
    } catch {
      // No worker has answered in time, or the server is just being restarted.
      return null;
    }
  }

  async #answered(progress: SweepProgress, isLast: boolean): Promise<void> {
    const { state } = this;
    this.#answeredAt = Date.now();
    if (progress.ended !== state?.progress.ended) this.#movedAt = Date.now();
    this.state = {
      progress,
      startedAt: state?.startedAt ?? this.#startedAt,
      endedAtStart: state?.endedAtStart ?? progress.resumed,
      uiUrl: this.#watched.url,
    };
    if (isLast) return;
    this.#display.update(this.state);
    await this.#assemble(progress.ended);
  }

  /** The results file grows with the run; a disk that is full is the run's trouble soon enough, not the watcher's. */
  async #assemble(ended: number): Promise<void> {
    const { log } = this.#watched;
    try {
      this.#assembler ??= new ResultsAssembler(log, { order: planOrder(await log.readRun()) });
      await this.#assembler.maybeRewrite(ended);
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      this.#tell(`warning: ${error.message}`);
    }
  }

  #silent(): void {
    if (Date.now() - this.#answeredAt <= SILENT_MS) return;
    const queue = this.#watched.taskQueue === 'tauflow' ? '' : ` --task-queue ${this.#watched.taskQueue}`;
    this.#tell(`waiting: no worker answers; one is started with \`npx tauflow worker${queue}\``);
  }

  async #findStuck(open: readonly string[]): Promise<void> {
    const { temporal, handle } = this.#watched;
    const episodes = open.slice(0, 2).map((name) => workflowIdOfEpisode(handle.workflowId, name));
    const reason = await stuckReason(temporal.client, [handle.workflowId, ...episodes]).catch(() => null);
    if (reason !== null) this.#tell(`warning: ${reason}`);
  }

  #tell(sentence: string): void {
    if (this.#told.has(sentence)) return;
    this.#told.add(sentence);
    this.#display.say(sentence);
  }
}
