import { SweepOrder, countEpisodes } from '../benchmarks/pure.ts';
import { episodeName, type EpisodeKey, type SweepInput, type SweepPlan, type SweepState } from '../evaluation/index.ts';

/** Episodes that the next walk over the plan may run. */
type NextWalk = 'all' | readonly EpisodeKey[];

/** A walk of a sweep, or of a lane, over its part of the plan, and the walk after it. */
export class PlanWalk {
  /** Next position of the plan. */
  next: number;
  /** Requested trials per task. Trials that this walk lacks run in the next one. */
  numTrials: number;
  /** The only episodes of this walk; empty: all. */
  readonly restriction: Pick<SweepInput, 'only'>;
  readonly #input: Pick<SweepInput, 'plan' | 'config'>;
  readonly #start: number;
  readonly #end: number;
  #following: NextWalk | null;

  constructor(input: Pick<SweepInput, 'plan' | 'config' | 'lane' | 'only' | 'state'>) {
    const { plan, lane, state } = input;
    const { only } = state ?? input;
    this.#input = input;
    this.#start = lane?.start ?? 0;
    this.#end = lane?.end ?? countEpisodes(plan);
    this.next = state?.next ?? this.#start;
    this.numTrials = plan.numTrials;
    this.restriction = only === undefined ? {} : { only };
    this.#following = state?.onlyNext ?? null;
  }

  get hasMore(): boolean {
    return this.next < this.#end;
  }

  get size(): number {
    return this.#end - this.#start;
  }

  /** True if another walk was requested. */
  get isFollowed(): boolean {
    return this.#following !== null;
  }

  /**
   * Requests another walk over the plan after this one.
   * @param only the only episodes in it. @default every episode without a final record
   */
  walkAgain(only?: readonly EpisodeKey[]): void {
    const before = this.#following;
    if (only === undefined || before === 'all') this.#following = 'all';
    else this.#following = [...(before ?? []), ...only];
  }

  /**
   * @returns a test: true if the totals include an ended episode. They include it even if it will run again, because
   *   this walk has passed it.
   */
  countsReached(): (key: EpisodeKey) => boolean {
    const { plan, config } = this.#input;
    const order = new SweepOrder(plan, config.seed);
    const ahead = new Set<string>();
    for (let position = this.next; position < this.#end; position++) ahead.add(episodeName(order.at(position)));
    const { only } = this.restriction;
    const mayRun = only === undefined ? null : new Set(only.map(episodeName));
    return (key) => {
      const name = episodeName(key);
      return !ahead.has(name) || mayRun?.has(name) === false;
    };
  }

  /** Returns the plan with all requested trials. */
  plan(): SweepPlan {
    return { ...this.#input.plan, numTrials: this.numTrials };
  }

  /** Number of episodes in the whole plan, with all requested trials. */
  total(): number {
    return countEpisodes(this.plan());
  }

  /**
   * Returns the position from which to continue as new: the current one, or the start if another walk over the plan
   * follows.
   * @param isAgain true if another walk follows
   * @param isUnfinished true if this walk could open more episodes
   */
  placeNext(
    totals: SweepState['totals'],
    isAgain: boolean,
    isUnfinished: boolean,
  ): Pick<SweepState, 'next' | 'totals' | 'only' | 'onlyNext'> {
    const walk = this.#following;
    const place = { next: this.next, totals, ...this.restriction };
    if (!isAgain) return place;
    const start = { next: this.#start, totals: null };
    if (walk === null) return { ...start, ...this.restriction };
    // A walk over everything includes the rest of this one; a walk over a few episodes does not.
    if (walk === 'all') return start;
    return isUnfinished ? { ...place, onlyNext: walk } : { ...start, only: walk };
  }
}
