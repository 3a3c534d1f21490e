/**
 * One request to an agent as a transaction: what its attempts have completed. A later attempt's same calls are answered
 * from here, tools in their order by name and arguments, models by their digest; where a tool call differs, what the
 * attempt before did from there on is taken back.
 */

/** A tool call that was carried out, and the place to which the episode goes back without it. */
interface ToolEntry<Place, ToolResult> {
  readonly call: string;
  readonly before: Place;
  readonly result: ToolResult;
}

interface ModelEntry<ModelResult> {
  readonly digest: string;
  readonly result: Promise<ModelResult>;
  /** The attempt that it has answered last. */
  usedBy: number;
}

/** Answer to a tool call. */
export type CallVerdict<Place, ToolResult> =
  /** A later attempt is under way. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'recorded'; readonly result: ToolResult }
  /** It has to be carried out, after the episode has gone back where a place is given. */
  | { readonly kind: 'live'; readonly goBackTo?: Place }
  /** The request has its answer, and the agent called something else before it: this call, or none any more. */
  | { readonly kind: 'diverged'; readonly before?: string };

/**
 * @typeParam Place in the episode that it can go back to
 * @typeParam Answer the agent's answer to the request
 */
export class RequestLog<Place, ToolResult, ModelResult, Answer> {
  readonly #tools: ToolEntry<Place, ToolResult>[] = [];
  readonly #models: ModelEntry<ModelResult>[] = [];
  readonly #refused = new Set<Promise<ModelResult>>();
  /** Tool calls that the attempt under way has made. */
  #cursor = 0;
  #attempt = 1;
  #answer: Answer | undefined;

  /** The agent's answer; undefined while the request is open. */
  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** The last attempt of which a call is known. */
  get attempt(): number {
    return this.#attempt;
  }

  /** @param call name and arguments in one spelling */
  toolCall(attempt: number, call: string): CallVerdict<Place, ToolResult> {
    if (!this.#enter(attempt)) return { kind: 'stale' };
    const next = this.#tools[this.#cursor];
    if (next?.call === call) {
      this.#cursor += 1;
      return { kind: 'recorded', result: next.result };
    }
    if (this.#answer !== undefined) return { kind: 'diverged', ...(next === undefined ? {} : { before: next.call }) };
    if (next === undefined) return { kind: 'live' };
    return { kind: 'live', goBackTo: this.#cut(next) };
  }

  /** Enters a tool call that {@link toolCall} has let through. */
  toolTaken(call: string, before: Place, result: ToolResult): void {
    this.#tools.push({ call, before, result });
    this.#cursor = this.#tools.length;
  }

  /**
   * Result of the same model call, of an earlier attempt or under way; each answers an attempt once. Undefined: none.
   * @returns 'stale' when a later attempt is under way
   */
  modelCall(attempt: number, digest: string): Promise<ModelResult> | 'stale' | undefined {
    if (!this.#enter(attempt)) return 'stale';
    const entry = this.#models.find((each) => each.digest === digest && each.usedBy < attempt);
    if (entry !== undefined) entry.usedBy = attempt;
    return entry?.result;
  }

  /** Enters a model call as it is made; one that fails is forgotten, so that it is made again. */
  modelAsked(attempt: number, digest: string, result: Promise<ModelResult>): void {
    const entry = { digest, result, usedBy: attempt };
    this.#models.push(entry);
    result.catch(() => this.#models.splice(this.#models.indexOf(entry), 1));
  }

  /** Enters that the provider has refused a model call. @param result as {@link modelAsked} was given it */
  modelRefused(result: Promise<ModelResult>): void {
    this.#refused.add(result);
  }

  /** Forgets the refused model calls, so that a later attempt makes them again. */
  forgetRefused(): void {
    const kept = this.#models.filter(({ result }) => !this.#refused.has(result));
    this.#models.splice(0, Infinity, ...kept);
    this.#refused.clear();
  }

  /**
   * Ends the request. An attempt without any call has answered from what the agent remembers, unless the agent says
   * that its answer is this attempt's: then, and where it has made some of the calls, the others never were.
   * @param answersAttempt see `AgentTurnOutput.answersAttempt`
   * @returns the place that the episode goes back to, if it has to
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
