/** Watches a sweep: shows progress on stderr, updates the results file, and looks for signs that nothing moves. */

import { setTimeout as delay } from 'node:timers/promises';
import { ResultsError, planOrder, type RunLog } from '../../run-log/index.ts';
import { ResultsAssembler } from '../../results/files/index.ts';
import {
  describePace,
  fetchProgress,
  findPaces,
  findPollers,
  limitHint,
  readSweepInput,
  shortPace,
  silenceReason,
  stuckReason,
  waitingReason,
  type ProviderPace,
  type SweepHandle,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import {
  listCalledProviders,
  workflowIdOfEpisode,
  type EpisodeKey,
  type HeldProvider,
  type SweepProgress,
} from '../../evaluation/index.ts';
import type { CliContext } from '../context.ts';
import { logFormat } from '../../host/surroundings.ts';
import { ProgressDisplay, steeringChanges, type ProgressState } from '../terminal/progress.ts';
import { chooseStyle } from '../terminal/style.ts';

const POLL_MS = 500;
/** Largest share of time for queries. A sweep with lanes needs one query per lane, which a worker answers. */
const LOOK_SHARE = 0.1;
const LONGEST_POLL_MS = 3_000;
/** Time limit for a sweep's progress, in ms. Without a worker it never answers. */
const ANSWER_MS = 5_000;
const LAST_ANSWER_MS = 2_000;
/** Time without an answer after which the command checks the server and this machine, in ms. */
const SILENT_MS = 12_000;
/** Interval of checks for lowered limits of model calls, in ms. */
const PACES_MS = 5_000;
/** Time limit for a sweep's first activity in ms, after which the command looks for a missing pack or agent. */
const BEGUN_MS = 5_000;
/** Time without an ended episode after which the command checks if the sweep is stuck, in ms. */
const SUSPICIOUS_MS = 30_000;

export interface WatchOptions {
  readonly temporal: TemporalConnection;
  readonly handle: SweepHandle;
  /** Log of the run; null if it is in another folder. */
  readonly log: RunLog | null;
  /** The sweep's page in Temporal UI; null if unknown. */
  readonly url: string | null;
  readonly taskQueue: string;
  /** True if the sweep was in progress before this process started. */
  readonly isAttached: boolean;
}

/**
 * Watches a sweep until the signal aborts. Never rejects: a failed query is followed by another one.
 * @param onHalted called when the sweep has paused itself for a provider's refusal, and its open episodes wait to be
 * resumed
 */
export async function watchSweep(
  watched: WatchOptions,
  stop: AbortSignal,
  context: CliContext,
  onHalted: (reason: string) => void,
): Promise<void> {
  // A dumb terminal would show the control characters that redraw a line.
  const isLog = logFormat(context.env) === 'json' || context.env['TERM'] === 'dumb';
  const asLines = isLog ? { writeLine: context.log } : {};
  const display = new ProgressDisplay(context.stderr, () => chooseStyle(context.stderr, context.env), asLines);
  const watch = new Watch(watched, display, onHalted);
  const stopped = new Promise<void>((resolve) => {
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  const pause = (ms: number) => delay(ms, undefined, { signal: stop }).catch(() => undefined);
  // A sweep that this process has just started has nothing to report, and a query would delay its first tasks.
  if (!watched.isAttached) await pause(POLL_MS);
  while (!stop.aborted) {
    const startedAt = performance.now();
    // At the end, the command does not wait for a query that nobody answers.
    await Promise.race([watch.look(), stopped]);
    const pauseMs = Math.min(LONGEST_POLL_MS, (performance.now() - startedAt) / LOOK_SHARE);
    await pause(Math.max(POLL_MS, pauseMs));
  }
  await watch.finish();
}

class Watch {
  readonly #watched: WatchOptions;
  readonly #display: ProgressDisplay;
  readonly #onHalted: (reason: string) => void;
  readonly #startedAt = performance.now();
  readonly #reported = new Set<string>();
  #state: ProgressState | null = null;
  #assembler: ResultsAssembler | null = null;
  #answeredAt = performance.now();
  #movedAt = performance.now();
  #isStartChecked = false;
  #isOver = false;
  #paces: readonly ProviderPace[] = [];
  #pacesAt = -Infinity;

  constructor(watched: WatchOptions, display: ProgressDisplay, onHalted: (reason: string) => void) {
    this.#watched = watched;
    this.#display = display;
    this.#onHalted = onHalted;
  }

  async look(): Promise<void> {
    const progress = await this.#ask(ANSWER_MS);
    if (this.#isOver) return;
    if (progress === null) await this.#silent();
    else await this.#answered(progress);
    if (this.#isOver) return;
    if (!this.#isStartChecked && performance.now() - this.#startedAt > BEGUN_MS) {
      this.#isStartChecked = true;
      await this.#reportStuck([]);
    }
    if (performance.now() - this.#movedAt <= SUSPICIOUS_MS) return;
    this.#movedAt = performance.now();
    await this.#findStuck(progress?.open ?? []);
  }

  /** Queries the progress after the end, so that the last line shows all episodes. */
  async finish(): Promise<void> {
    this.#isOver = true;
    const progress = await this.#ask(LAST_ANSWER_MS);
    if (progress !== null) this.#state = this.#toProgressState(progress);
    if (this.#state === null) this.#display.clear();
    else this.#display.finish(this.#state);
  }

  async #ask(timeoutMs: number): Promise<SweepProgress | null> {
    const { temporal, handle } = this.#watched;
    const { client } = temporal;
    try {
      return await client.withDeadline(Date.now() + timeoutMs, () => fetchProgress(client, handle.workflowId));
    } catch {
      // No worker has answered in time, or the server is just being restarted.
      return null;
    }
  }

  #toProgressState(progress: SweepProgress): ProgressState {
    const { url: uiUrl, isAttached } = this.#watched;
    // The pace is that of this process. It does not count what an attached sweep or the run log had before, nor the
    // time until an attached sweep first answers, because calls of dead workers are waited for in that time.
    const { startedAt, endedAtStart } =
      this.#state ??
      (isAttached
        ? { startedAt: performance.now(), endedAtStart: progress.ended }
        : { startedAt: this.#startedAt, endedAtStart: progress.resumed });
    return { progress, startedAt, endedAtStart, uiUrl, limited: this.#paces.map(shortPace) };
  }

  async #answered(progress: SweepProgress): Promise<void> {
    this.#answeredAt = performance.now();
    await this.#findPaces(progress.open);
    if (progress.ended !== this.#state?.progress.ended) this.#movedAt = performance.now();
    // Unlike other sentences, these may be shown several times.
    if (this.#state !== null)
      steeringChanges(this.#state.progress, progress).forEach((line) => this.#display.say(line));
    this.#state = this.#toProgressState(progress);
    this.#display.update(this.#state);
    await this.#assemble(progress.ended);
    const { pausedFor = null, status, running, held = [] } = progress;
    if (pausedFor !== null && status === 'paused' && running <= refusedEpisodes(held)) this.#onHalted(pausedFor);
  }

  /** Finds the lowered limits of calls to providers that answer 429. */
  async #findPaces(open: readonly string[]): Promise<void> {
    if (performance.now() - this.#pacesAt < PACES_MS) return;
    const { temporal, handle } = this.#watched;
    const { client } = temporal;
    const ids = open.map((name) => workflowIdOfEpisode(handle.workflowId, name));
    this.#paces = await client.withDeadline(Date.now() + ANSWER_MS, () => findPaces(client, ids)).catch(() => []);
    this.#pacesAt = performance.now();
    for (const pace of this.#paces) {
      // The advice is printed once per provider, because only its figures change.
      if (!this.#reported.has(pace.provider)) this.#report(`limit    ${describePace(pace)}; ${limitHint(pace)}`);
      this.#reported.add(pace.provider);
    }
  }

  /** Updates the results file. A failure such as a full disk is ignored here, because the run reports it. */
  async #assemble(ended: number): Promise<void> {
    const { log } = this.#watched;
    if (log === null) return;
    try {
      this.#assembler ??= new ResultsAssembler(log, { order: await readOrder(log) });
      await this.#assembler.maybeRewrite(ended);
    } catch (error) {
      if (!(error instanceof ResultsError)) throw error;
      this.#report(`warning: ${error.message}`);
    }
  }

  async #silent(): Promise<void> {
    if (performance.now() - this.#answeredAt <= SILENT_MS) return;
    const { temporal, taskQueue } = this.#watched;
    // If the server cannot be asked now, the next query asks again.
    const reason = await silenceReason(temporal, taskQueue).catch(() => null);
    if (reason !== null) this.#report(`waiting: ${reason}`);
  }

  /** @param open names of open episodes to check besides the sweep */
  async #reportStuck(open: readonly string[]): Promise<void> {
    const { temporal, handle } = this.#watched;
    const episodes = open.map((name) => workflowIdOfEpisode(handle.workflowId, name));
    const reason = await stuckReason(temporal.client, [handle.workflowId, ...episodes]).catch(() => null);
    if (reason !== null) this.#report(`warning: ${reason}`);
  }

  async #findStuck(open: readonly string[]): Promise<void> {
    await this.#reportStuck(open.slice(0, 2));
    const waiting = await this.#waitingReason().catch(() => null);
    if (waiting !== null) this.#report(`waiting: ${waiting}`);
  }

  async #waitingReason(): Promise<string | null> {
    const { temporal, handle } = this.#watched;
    const { queues, config } = await readSweepInput(temporal.client, handle.workflowId);
    return waitingReason(await findPollers(temporal.client, queues, listCalledProviders(config)));
  }

  #report(sentence: string): void {
    if (this.#isOver || this.#reported.has(sentence)) return;
    this.#reported.add(sentence);
    this.#display.say(sentence);
  }
}

async function readOrder(log: RunLog): Promise<readonly EpisodeKey[]> {
  const manifest = await log.readRun();
  return manifest === null ? [] : planOrder(manifest.plan, manifest.config.seed);
}

/** Returns the number of episodes that wait until the run is resumed. */
function refusedEpisodes(held: readonly HeldProvider[]): number {
  return held.filter(({ isRefused }) => isRefused).reduce((sum, { episodes }) => sum + episodes, 0);
}
