/** Holds failed calls of an episode until its sweep releases them. */

import {
  FailureType,
  episodeName,
  isAccountFailure,
  isFailureOfTheWay,
  isTransient,
  type HeldCall,
  type HeldRelease,
} from '../evaluation/index.ts';
import type { EpisodeInput } from './input.ts';
import { asMarkdown } from './markdown.ts';
import type { SweepPort, WaitingDisplay } from './ports.ts';

/** Most characters of a failure's message for the sweep, enough to recognize the failure. */
const MESSAGE_CHARS = 200;

/** Decision on a held call: it is made again, or its failure ends the episode. */
type HeldFate = 'again' | 'failed' | "the agent's fault";

/**
 * Holds a call that failed because of its provider until the sweep releases it. The deadline's clock stops during this
 * time.
 */
export class CallHolder {
  readonly #input: EpisodeInput;
  readonly #waiting: WaitingDisplay;
  readonly #sweep: SweepPort;
  /** Answers of the sweep that were not read yet, by call. */
  readonly #released = new Map<string, HeldFate>();
  /** Current address of an agent service; undefined: the configuration's. */
  agentUrl: string | undefined;

  constructor(input: EpisodeInput, waiting: WaitingDisplay, sweep: SweepPort) {
    this.#input = input;
    this.#waiting = waiting;
    this.#sweep = sweep;
  }

  /** Records an answer of the sweep. */
  release({ call, again, isAgentsFault, agentUrl }: HeldRelease): void {
    this.#released.set(call, again ? 'again' : isAgentsFault === true ? "the agent's fault" : 'failed');
    this.agentUrl = agentUrl ?? this.agentUrl;
  }

  /** Waits for the sweep's answer to a failed call. */
  async hold(failed: Omit<HeldCall, 'episode'>): Promise<HeldFate> {
    const { call, provider, failure } = failed;
    if (!isHoldable(failure)) return 'failed';
    if (isTransient(failure) && this.#input.config.outageTimeoutMs === 0) return 'failed';
    const message = failed.message.slice(0, MESSAGE_CHARS);
    const wasSent = await this.#sweep.reportHeld({ ...failed, message, episode: this.#input.episode });
    if (!wasSent) return 'failed';
    this.#waiting.show(
      `**waits for ${provider}** to make ${call} again: ${failure}: ${asMarkdown(message)}\n\n${this.#commands()}`,
    );
    await this.#waiting.until(() => this.#released.has(call));
    const fate = this.#released.get(call) ?? 'failed';
    this.#released.delete(call);
    return fate;
  }

  /** Reports to the sweep that a held call was answered. */
  async answered({ call, provider }: Pick<HeldCall, 'call' | 'provider'>): Promise<void> {
    await this.#sweep.reportAnswered({ episode: this.#input.episode, call, provider });
  }

  /** Returns the commands that a user can run for a held call. */
  #commands(): string {
    const { run, episode } = this.#input;
    const { runId } = run;
    const name = episodeName(episode);
    return `\`npx tauflow status ${runId}\` shows until when, \`npx tauflow cancel ${runId} ${name}\` ends the episode`;
  }
}

/**
 * Returns true if a call with this failure may wait in its episode. A refused request waits only if no episode of the
 * run has ended regularly yet, which the sweep knows.
 */
export function isHoldable(failure: string): boolean {
  return (
    isTransient(failure) ||
    isAccountFailure(failure) ||
    isFailureOfTheWay(failure) ||
    failure === FailureType.RequestRefused
  );
}
