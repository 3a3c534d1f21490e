/**
 * Episode side of held calls: a model call that has failed for its provider's sake waits here until the sweep has it
 * made again. The episode's deadline does not run meanwhile.
 */

import {
  condition,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  workflowInfo,
  type ExternalWorkflowHandle,
} from '@temporalio/workflow';
import { hasVersion, isHoldable, isTransient, type EpisodeInput } from '../src/wire/index.ts';
import type { Deadline } from './deadline.ts';
import { asMarkdown } from './details.ts';
import { callAnswered, callHeld, releaseCall } from './messages.ts';

/** What the sweep is told of a failure: enough to recognize it. */
const MESSAGE_CHARS = 200;

/** A failed call as {@link CallHolder.hold} needs it. */
export interface FailedCall {
  /** Its name within the episode: `agent 3`. */
  readonly call: string;
  readonly provider: string;
  readonly failure: string;
  readonly message: string;
}

export class CallHolder {
  readonly #input: EpisodeInput;
  readonly #deadline: Deadline;
  /** Answers of the sweep that have not been read, by call. */
  readonly #released = new Map<string, boolean>();
  readonly #sweep: ExternalWorkflowHandle;

  /**
   * Returns the holder of an episode's calls, or undefined for an episode without a sweep, whose failures end it. To be
   * called before the workflow's first await, so that no message comes too early.
   */
  static of(input: EpisodeInput, deadline: Deadline): CallHolder | undefined {
    const { parent } = workflowInfo();
    if (!hasVersion(input, 4) || parent === undefined) return undefined;
    return new CallHolder(input, deadline, getExternalWorkflowHandle(parent.workflowId));
  }

  private constructor(input: EpisodeInput, deadline: Deadline, sweep: ExternalWorkflowHandle) {
    this.#input = input;
    this.#deadline = deadline;
    this.#sweep = sweep;
    setHandler(releaseCall, ({ call, again }) => void this.#released.set(call, again));
  }

  /** @returns true when the call is to be made again, false when its failure ends the episode */
  async hold(failed: FailedCall): Promise<boolean> {
    const { call, provider, failure } = failed;
    if (!isHoldable(failure)) return false;
    if (isTransient(failure) && this.#input.config.outageTimeoutMs === 0) return false;
    const message = failed.message.slice(0, MESSAGE_CHARS);
    const told = await this.#tell(() =>
      this.#sweep.signal(callHeld, { ...failed, message, episode: this.#input.episode }),
    );
    if (!told) return false;
    setCurrentDetails(`**waits for ${provider}** to make ${call} again: ${failure}: ${asMarkdown(message)}`);
    await this.#deadline.uncounted(() => condition(() => this.#released.has(call)));
    const again = this.#released.get(call) ?? false;
    this.#released.delete(call);
    return again;
  }

  /** Reports the answer of a call that was held. */
  async answered({ call, provider }: Pick<FailedCall, 'call' | 'provider'>): Promise<void> {
    await this.#tell(() => this.#sweep.signal(callAnswered, { episode: this.#input.episode, call, provider }));
  }

  /** @returns false when there is no sweep any more that could answer */
  async #tell(signal: () => Promise<void>): Promise<boolean> {
    try {
      await signal();
      return true;
    } catch (error) {
      if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
      return false;
    }
  }
}
