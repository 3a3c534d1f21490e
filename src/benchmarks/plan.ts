/**
 * The order in which a sweep runs its episodes: trial by trial, the tasks of a trial in the given or in shuffled order,
 * and each task under all conditions, so that a sweep that ends early has comparable pairs.
 *
 * The order is derived from the plan and the seed whenever it is needed, so neither the plan nor a sweep's history
 * grows with the number of episodes. A trial's shuffle depends only on the seed and the trial: a Fisher-Yates shuffle
 * from the last position down, drawing from mulberry32, which starts at `seed + 0x9e3779b9 * trial` (mod 2**32).
 */

/** Episodes of a sweep in compact form, from which their order is derived. */
export interface SweepPlan {
  /** Task ids in order; an id that is given twice runs twice. */
  readonly taskIds: readonly number[];
  readonly numTrials: number;
  /** True if the tasks of each trial are shuffled, by the seed. */
  readonly shuffle: boolean;
  /** Names of the conditions under which every task and trial is played after `base`. @default none */
  readonly conditions?: readonly string[];
}

/** The condition of episodes that name none: the unchanged benchmark. */
export const BASE = 'base';

/** One task and trial under one condition. Trials start at 0, as in the results file. */
export interface EpisodeKey {
  readonly taskId: number;
  readonly trial: number;
  /** Condition of the episode. @default `base` */
  readonly condition?: string;
}

export function countEpisodes({ taskIds, numTrials, conditions = [] }: Omit<SweepPlan, 'shuffle'>): number {
  return taskIds.length * numTrials * (conditions.length + 1);
}

/** Finds the episode at a position. It keeps a trial's shuffled order until another trial is needed. */
export class SweepOrder {
  readonly length: number;
  readonly #plan: SweepPlan;
  readonly #seed: number;
  #shuffled: { readonly trial: number; readonly taskIds: readonly number[] } | undefined;

  constructor(plan: SweepPlan, seed: number) {
    this.#plan = plan;
    this.#seed = seed;
    this.length = countEpisodes(plan);
  }

  /**
   * @param position from 0
   * @throws RangeError outside the plan
   */
  at(position: number): EpisodeKey {
    const { taskIds, conditions = [] } = this.#plan;
    const perTask = conditions.length + 1;
    const tasksBefore = Math.floor(position / perTask);
    const trial = Math.floor(tasksBefore / taskIds.length);
    const taskId = position < this.length ? this.#taskIds(trial)[tasksBefore - trial * taskIds.length] : undefined;
    if (taskId === undefined) {
      throw new RangeError(`position ${String(position)} is outside the run's ${String(this.length)} episodes`);
    }
    const place = position - tasksBefore * perTask;
    return place === 0 ? { taskId, trial } : { taskId, trial, condition: conditions[place - 1] };
  }

  #taskIds(trial: number): readonly number[] {
    if (!this.#plan.shuffle) return this.#plan.taskIds;
    if (this.#shuffled?.trial !== trial) {
      this.#shuffled = { trial, taskIds: shuffleBySeed(this.#plan.taskIds, this.#seed + 0x9e3779b9 * trial) };
    }
    return this.#shuffled.taskIds;
  }
}

/** Returns shuffled items by a Fisher-Yates shuffle from the last position down. */
export function shuffleBySeed<T>(items: readonly T[], seed: number): readonly T[] {
  const result = [...items];
  const random = mulberry32(seed);
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [result[last], result[other]];
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a];
  }
  return result;
}

/** Creates Tommy Ettinger's 32-bit generator, which is small and good enough to order tasks. It draws from [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
