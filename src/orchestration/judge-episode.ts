/** Judges one failed episode: at most two questions, each repeated if its answer cannot be read. */

import type { FaultType, JudgeAnswer, JudgedAuthor, QuestionName } from '../analysis/index.ts';
import type { FailedActivity } from '../episode/index.ts';
import {
  FailureType,
  failedRepliesIn,
  type FailedEpisode,
  type FailedReplies,
  type JudgeInput,
  type JudgeOutput,
  type RecordVerdictInput,
  type JudgeCost,
} from '../evaluation/index.ts';
import { addSpent, type JudgeCallFailure, type GivenVerdict } from './judge-monitor.ts';

/** Most attempts at a question until an answer can be read. */
const MAX_ATTEMPTS = 3;

/** Ports of judging an episode: a call of the judge, and the record of its answer. */
export interface JudgePorts {
  judge(request: Pick<JudgeInput, 'episode' | 'question' | 'attempt'>, summary: string): Promise<JudgeOutput>;
  /**
   * Waits before a failed call is made again, if its provider caused the failure.
   * @param failedAt times of the call's failures in ms since the epoch, the newest last
   * @returns false if the call is given up
   */
  waitForProvider(failure: JudgeCallFailure, failedAt: readonly number[]): Promise<boolean>;
  record(verdict: Omit<RecordVerdictInput, 'source' | 'judge'>, summary: string): Promise<void>;
  /** See `EpisodePorts.readFailure`. */
  readFailure(error: unknown): FailedActivity | undefined;
}

/**
 * @returns null if the episode has run again, so that it has no verdict
 * @throws CancelledFailure
 */
export async function judgeEpisode(episode: FailedEpisode, ports: JudgePorts): Promise<GivenVerdict | null> {
  const calls = new Calls(episode, ports);
  try {
    const author = episode.isInfrastructure ? null : await calls.ask('author');
    const fault = author?.choice === 'agent' ? await calls.ask('fault') : null;
    const { spent, failure, problem } = calls;
    const given: GivenVerdict = {
      author: episode.isInfrastructure
        ? 'infrastructure'
        : ((author?.choice as JudgedAuthor | undefined) ?? 'unjudged'),
      faultType: (fault?.choice as FaultType | undefined) ?? null,
      spent,
      failure,
    };
    await ports.record(
      { episode, author, fault, problem, spent },
      `${formatEpisode(episode)} was judged: ${formatVerdict(given)}`,
    );
    return given;
  } catch (error) {
    if (ports.readFailure(error)?.type === FailureType.EpisodeGone) return null;
    throw error;
  }
}

class Calls {
  spent: JudgeCost = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
  failure: JudgeCallFailure | null = null;
  /** Reason for a missing answer; null if there is an answer. */
  problem: string | null = null;
  readonly #episode: FailedEpisode;
  readonly #ports: JudgePorts;

  constructor(episode: FailedEpisode, ports: JudgePorts) {
    this.#episode = episode;
    this.#ports = ports;
  }

  /** @returns null if there is no answer, after reporting the reason */
  async ask(question: QuestionName): Promise<JudgeAnswer | null> {
    let last = '';
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const { answer, unread, failedReplies, ...spent } = await this.#judge(question, attempt);
        this.spent = addSpent(this.spent, spent);
        this.#enterFailed(failedReplies);
        if (answer !== null) return answer;
        last = unread === undefined ? '' : `: ${unread}`;
      }
      this.problem = `the judge's answer on the ${question} cannot be read, nor could those before it${last}`;
    } catch (error) {
      const failure = toCallFailure(this.#ports.readFailure(error));
      if (failure === null || failure.type === FailureType.EpisodeGone) throw error;
      this.failure = failure;
      this.problem = `${failure.type}: ${failure.message}`;
    }
    return null;
  }

  #enterFailed(failed: FailedReplies | undefined): void {
    if (failed !== undefined) this.spent = addSpent(this.spent, { ...failed, calls: 0 });
  }

  async #judge(question: QuestionName, attempt: number): Promise<JudgeOutput> {
    const summary = `judge ${formatEpisode(this.#episode)}: ${question}`;
    const failedAt: number[] = [];
    for (;;) {
      try {
        return await this.#ports.judge({ episode: this.#episode, question, attempt }, summary);
      } catch (error) {
        const read = this.#ports.readFailure(error);
        const failure = toCallFailure(read);
        this.#enterFailed(failedRepliesIn(read?.detail));
        failedAt.push(Date.now());
        if (failure === null || !(await this.#ports.waitForProvider(failure, failedAt))) throw error;
      }
    }
  }
}

/** @returns null for a cancellation, and for a bug, an error that is not an activity's failure */
function toCallFailure(failure: FailedActivity | undefined): JudgeCallFailure | null {
  if (failure === undefined || failure.kind === 'canceled') return null;
  const { kind, message, type = kind === 'raised' ? 'ApplicationFailure' : 'ActivityFailed' } = failure;
  return { type, message };
}

function formatEpisode({ taskId, trial, condition, index }: FailedEpisode): string {
  return `task ${taskId} trial ${trial}${condition === undefined ? '' : ` ${condition}`}${index === null ? '' : ` (result ${index})`}`;
}

function formatVerdict({ author, faultType }: GivenVerdict): string {
  return faultType === null ? author : `${author}, ${faultType}`;
}
