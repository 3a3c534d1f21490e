/**
 * The log of one request to an agent: results that its attempts have completed. They answer the same calls of a later
 * attempt: tool calls in order, by name and arguments; model calls by their digest. If a tool call differs, the earlier
 * attempt's calls from there on are undone.
 */

/** A completed tool call, and the point to which the episode goes back to undo it. */
interface ToolEntry<Place, ToolResult> {
  readonly call: string;
  readonly before: Place;
  readonly result: ToolResult;
}

interface ModelEntry<ModelResult> {
  readonly digest: string;
  readonly result: Promise<ModelResult>;
  /** The last attempt that the result answered. */
  usedBy: number;
}

/** Decision on a tool call. */
export type CallVerdict<Place, ToolResult> =
  /** A later attempt is in progress. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'recorded'; readonly result: ToolResult }
  /** The call has to be made, after the episode has gone back to the place, if given. */
  | { readonly kind: 'live'; readonly goBackTo?: Place }
  /** The request has its answer, and the agent made another call before it, or none. */
  | { readonly kind: 'diverged'; readonly before?: string };

/** @typeParam Place point of the episode to go back to @typeParam Answer the agent's answer to the request */
export class RequestLog<Place, ToolResult, ModelResult, Answer> {
  readonly #tools: ToolEntry<Place, ToolResult>[] = [];
  readonly #models: ModelEntry<ModelResult>[] = [];
  readonly #refused = new Set<Promise<ModelResult>>();
  /** Number of tool calls of the attempt in progress. */
  #cursor = 0;
  #attempt = 1;
  #answer: Answer | undefined;

  /** The agent's answer; undefined while the request is open. */
  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** The last attempt that made a call. */
  get attempt(): number {
    return this.#attempt;
  }

  /** @param call name and arguments in a canonical spelling */
  toolCall(attempt: number, call: string): CallVerdict<Place, ToolResult> {
    if (!this.#enter(attempt)) return { kind: 'stale' };
    const next = this.#tools[this.#cursor];
    if (next?.call === call) {
      this.#cursor += 1;
      return { kind: 'recorded', result: next.result };
    }
    if (this.#answer !== undefined) return { kind: 'diverged', before: next?.call };
    if (next === undefined) return { kind: 'live' };
    return { kind: 'live', goBackTo: this.#cut(next) };
  }

  /** Adds a tool call that {@link toolCall} has allowed. */
  toolTaken(call: string, before: Place, result: ToolResult): void {
    this.#tools.push({ call, before, result });
    this.#cursor = this.#tools.length;
  }

  /**
   * Finds the result of an equal model call of an earlier attempt, completed or in progress. Each result answers one
   * call per attempt.
   * @returns 'stale' when a later attempt is in progress
   */
  modelCall(attempt: number, digest: string): Promise<ModelResult> | 'stale' | undefined {
    if (!this.#enter(attempt)) return 'stale';
    const entry = this.#models.find((each) => each.digest === digest && each.usedBy < attempt);
    if (entry !== undefined) entry.usedBy = attempt;
    return entry?.result;
  }

  /** Adds a model call when it is made; a failed one is removed, so that it is repeated. */
  modelAsked(attempt: number, digest: string, result: Promise<ModelResult>): void {
    const entry = { digest, result, usedBy: attempt };
    this.#models.push(entry);
    result.catch(() => this.#models.splice(this.#models.indexOf(entry), 1));
  }

  /** Marks a model call as refused by the provider. @param result the one passed to {@link modelAsked} */
  modelRefused(result: Promise<ModelResult>): void {
    this.#refused.add(result);
  }

  /** Removes the refused model calls, so that a later attempt repeats them. */
  forgetRefused(): void {
    const kept = this.#models.filter(({ result }) => !this.#refused.has(result));
    this.#models.splice(0, Infinity, ...kept);
    this.#refused.clear();
  }

  /**
   * Ends the request, and undoes earlier attempts' calls that the answer does not include. An attempt without calls
   * answers from the agent's memory and keeps all of them, unless the agent names it as the answer's attempt.
   * @param answersAttempt see `AgentTurnOutput.answersAttempt`
   * @returns the point to which the episode goes back, if any
   */
  end(attempt: number, answer: Answer, answersAttempt?: number): Place | undefined {
    this.#answer = answer;
    const hasCalled = attempt === this.#attempt;
    const isOwn = (answersAttempt ?? (hasCalled ? attempt : this.#attempt)) === attempt;
    if (isOwn) this.#enter(attempt);
    const next = this.#tools[this.#cursor];
    return isOwn && next !== undefined ? this.#cut(next) : undefined;
  }

  #enter(attempt: number): boolean {
    if (attempt < this.#attempt) return false;
    if (attempt > this.#attempt) {
      this.#attempt = attempt;
      this.#cursor = 0;
    }
    return true;
  }

  #cut({ before }: ToolEntry<Place, ToolResult>): Place {
    this.#tools.length = this.#cursor;
    return before;
  }
}
