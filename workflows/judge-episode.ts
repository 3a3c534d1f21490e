/** Judges one failed episode: at most two questions, each repeated if its answer cannot be read. */

import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { FaultType, JudgeAnswer, JudgedAuthor, QuestionName } from '../src/analysis/index.ts';
import { addSpent, type CallFailure, type GivenVerdict } from '../src/orchestration/index.ts';
import {
  FailureType,
  type FailedEpisode,
  type FailedReplies,
  type JudgeInput,
  type JudgeOutput,
  type RecordVerdictInput,
  type Spent,
} from '../src/evaluation/index.ts';
import { failedRepliesOf } from './failures.ts';

/** Attempts at a question until an answer can be read. */
const MAX_ATTEMPTS = 3;

/** Activities of judging an episode: a call of the judge, and the record of its answer. */
export interface Asked {
  judge(request: Pick<JudgeInput, 'episode' | 'question' | 'attempt'>, summary: string): Promise<JudgeOutput>;
  /**
   * Waits before a call that has failed for its provider's sake is made again.
   * @param failedAt when it failed, in ms since the epoch: this time last
   * @returns false: it is given up
   */
  waitForProvider(failure: CallFailure, failedAt: readonly number[]): Promise<boolean>;
  record(verdict: Omit<RecordVerdictInput, 'source' | 'judge'>, summary: string): Promise<void>;
}

/**
 * @returns null where the episode has run again meanwhile: it has no verdict
 * @throws CancelledFailure
 */
export async function judgeEpisode(episode: FailedEpisode, asked: Asked): Promise<GivenVerdict | null> {
  const calls = new Calls(episode, asked);
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
    await asked.record({ episode, author, fault, problem, spent }, `${placeOf(episode)} was judged: ${wordOf(given)}`);
    return given;
  } catch (error) {
    if (failureOf(error)?.type === FailureType.EpisodeGone) return null;
    throw error;
  }
}

class Calls {
  spent: Spent = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
  failure: CallFailure | null = null;
  /** Reason if an answer is missing, else null. */
  problem: string | null = null;
  readonly #episode: FailedEpisode;
  readonly #asked: Asked;

  constructor(episode: FailedEpisode, asked: Asked) {
    this.#episode = episode;
    this.#asked = asked;
  }

  /** @returns null where there is no answer, and says why */
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
      const failure = failureOf(error);
      if (isCancellation(error) || failure === null || failure.type === FailureType.EpisodeGone) throw error;
      this.failure = failure;
      this.problem = `${failure.type}: ${failure.message}`;
    }
    return null;
  }

  #enterFailed(failed: FailedReplies | undefined): void {
    if (failed !== undefined) this.spent = addSpent(this.spent, { ...failed, calls: 0 });
  }

  async #judge(question: QuestionName, attempt: number): Promise<JudgeOutput> {
    const summary = `judge ${placeOf(this.#episode)}: ${question}`;
    const failedAt: number[] = [];
    for (;;) {
      try {
        return await this.#asked.judge({ episode: this.#episode, question, attempt }, summary);
      } catch (error) {
        const failure = isCancellation(error) ? null : failureOf(error);
        this.#enterFailed(failedRepliesOf(error));
        failedAt.push(Date.now());
        if (failure === null || !(await this.#asked.waitForProvider(failure, failedAt))) throw error;
      }
    }
  }
}

/** Null for what is no activity's failure: a bug, or the workflow's own. */
function failureOf(error: unknown): CallFailure | null {
  if (!(error instanceof ActivityFailure)) return null;
  const { cause } = error;
  const type = cause instanceof ApplicationFailure ? (cause.type ?? 'ApplicationFailure') : 'ActivityFailed';
  return { type, message: cause?.message ?? error.message };
}

function placeOf({ taskId, trial, index }: FailedEpisode): string {
  return `task ${taskId} trial ${trial}${index === null ? '' : ` (result ${index})`}`;
}

function wordOf({ author, faultType }: GivenVerdict): string {
  return faultType === null ? author : `${author}, ${faultType}`;
}
