/** Handles requests to a running sweep: checks each, and carries out requests that change the run log. */

import {
  LIMIT_KEYS,
  MOST_TRIALS,
  episodeName,
  findLimitProblem,
  withAgentUrl,
  type EpisodeKey,
  type RetryRequest,
  type RunInput,
  type SweepInput,
  type SweepLimits,
} from '../evaluation/index.ts';
import { firstNames } from './display.ts';
import type { SweepPorts } from './ports.ts';
import type { SweepMonitor } from './sweep-monitor.ts';

/** Ports that requests need. */
type RequestPorts = Pick<SweepPorts, 'activities' | 'workflowId' | 'isCancelled'>;

export class SweepRequests {
  readonly #input: SweepInput;
  readonly #monitor: SweepMonitor;
  readonly #ports: RequestPorts;
  /** The request that is changing the run log; requests are carried out one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(input: SweepInput, monitor: SweepMonitor, ports: RequestPorts) {
    this.#input = input;
    this.#monitor = monitor;
    this.#ports = ports;
  }

  /** Returns the run with its current plan and limits, which requests may have changed. */
  run(): RunInput {
    const { run, config, notes } = this.#input;
    const { walk, settings } = this.#monitor;
    const { agentUrl, maxConcurrency, maxCostUsd } = settings;
    const { workflowId } = this.#ports;
    return {
      run,
      config: withAgentUrl(config, agentUrl),
      plan: walk.plan(),
      maxConcurrency,
      maxCostUsd,
      workflowId,
      notes,
    };
  }

  /** @returns the reason why nothing can be changed any more */
  findLateness(): string | null {
    if (this.#ports.isCancelled()) return 'the run is being cancelled';
    return this.#monitor.isEnded ? 'the run is closing: resume it when it has ended' : null;
  }

  findLimitsProblem(limits: SweepLimits): string | null {
    return this.findLateness() ?? findLimitsProblem(limits);
  }

  findRetryProblem(request: RetryRequest): string | null {
    return this.#findLaneProblem() ?? this.findLateness() ?? this.#findUnfit(request);
  }

  findTrialsProblem(wanted: number): string | null {
    return this.#findLaneProblem() ?? this.findLateness() ?? findTrialsProblem(wanted, this.#monitor.walk.numTrials);
  }

  /** @returns number of episodes that will run again */
  retry(request: RetryRequest): Promise<number> {
    return this.#inTurn(() => (request === 'failed' ? this.#retryFailed() : this.#retryNamed(request)));
  }

  extend(wanted: number): Promise<void> {
    return this.#inTurn(async () => {
      const { walk } = this.#monitor;
      // Another request may have asked for more trials and been handled first.
      const numTrials = Math.max(wanted, walk.numTrials);
      const { plan, ...rest } = this.run();
      await this.#ports.activities.openRun(`extend the run to ${numTrials} trials`, {
        ...rest,
        plan: { ...plan, numTrials },
        isUnderWay: true,
      });
      walk.numTrials = numTrials;
      walk.walkAgain();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    // A failure is reported to the caller of that request.
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #retryFailed(): Promise<number> {
    const { run, config } = this.#input;
    const { walk } = this.#monitor;
    const asked = { run, plan: walk.plan(), seed: config.seed };
    const { failed } = await this.#ports.activities.sumRecorded('which episodes have failed', asked);
    // Also if there are none, because an episode whose record could not be written has failed too.
    walk.walkAgain();
    return failed;
  }

  async #retryNamed(request: readonly EpisodeKey[]): Promise<number> {
    const { walk } = this.#monitor;
    const episodes = [...new Map(request.map((key) => [episodeName(key), key])).values()];
    // Also if only some could be archived, because their episodes must run again.
    walk.walkAgain(episodes);
    const counted = episodes.filter(walk.countsReached());
    const summary = `move ${episodes.length} record(s) aside`;
    const moved = await this.#ports.activities.archive(summary, { run: this.#input.run, episodes, counted });
    this.#monitor.remove(moved.totals);
    return episodes.length;
  }

  #findLaneProblem(): string | null {
    const { lane, run } = this.#input;
    return lane === undefined ? null : `this is lane ${lane.index} of run ${run.runId}: send the request to the run`;
  }

  #findUnfit(request: RetryRequest): string | null {
    if (request === 'failed') return null;
    if (!Array.isArray(request) || request.length === 0) return 'nothing to retry: name episodes, or "failed"';
    const keys: readonly EpisodeKey[] = request;
    const wrong = keys.find((key) => !isObject(key) || !isWhole(key.taskId) || !isWhole(key.trial));
    if (wrong !== undefined) return `${JSON.stringify(wrong)} names no episode: give its taskId and its trial`;
    const { walk, board } = this.#monitor;
    const { taskIds, conditions = [] } = this.#input.plan;
    const [tasks, names] = [new Set(taskIds), new Set([undefined, ...conditions])];
    const isPlanned = ({ taskId, trial, condition }: EpisodeKey) =>
      tasks.has(taskId) && trial >= 0 && trial < walk.numTrials && names.has(condition);
    const unplanned = keys.filter((key) => !isPlanned(key)).map(episodeName);
    if (unplanned.length > 0) return `not in the run's plan: ${firstNames(unplanned)}`;
    const open = keys.map(episodeName).filter((name) => board.open.has(name));
    return open.length === 0 ? null : `still open: ${firstNames(open)}; retry what has ended`;
  }
}

function findLimitsProblem(limits: SweepLimits): string | null {
  const given: SweepLimits = isObject(limits) ? limits : {};
  const { maxConcurrency, maxCostUsd, agentUrl } = given;
  const names = ['maxConcurrency', 'maxCostUsd', 'agentUrl', ...LIMIT_KEYS] as const;
  if (names.every((name) => given[name] === undefined)) {
    return `nothing to change: name ${names.slice(0, -1).join(', ')} or ${String(names.at(-1))}`;
  }
  const problem = findLimitProblem(given);
  if (problem !== null) return problem;
  if (agentUrl !== undefined && typeof agentUrl !== 'string') return 'the address of the agent must be a text';
  if (maxConcurrency !== undefined && !(isWhole(maxConcurrency) && maxConcurrency >= 1)) {
    return `the concurrency must be a whole number of at least 1, not ${JSON.stringify(maxConcurrency)}`;
  }
  if (maxCostUsd === undefined || maxCostUsd === null) return null;
  if (Number.isFinite(maxCostUsd) && maxCostUsd > 0) return null;
  return `the budget must be an amount of US dollars above 0, not ${JSON.stringify(maxCostUsd)}`;
}

function findTrialsProblem(wanted: number, numTrials: number): string | null {
  if (!isWhole(wanted) || wanted > MOST_TRIALS) {
    return `the trials per task must be a whole number of at most ${MOST_TRIALS}, not ${JSON.stringify(wanted)}`;
  }
  return wanted > numTrials ? null : `the run has ${numTrials} trial(s) per task already: name a larger number`;
}

/** Checks a payload, because a client may send any content. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const isWhole = (value: unknown): boolean => Number.isInteger(value);
