/** What every family of tasks is given to make one task from. A domain adds how its data are searched. */

import type { Level } from '../level.ts';
import type { Random } from '../random.ts';

export interface StageParts<W> {
  readonly random: Random;
  readonly world: W;
  readonly level: Level;
}

export class Stage<W> {
  readonly random: Random;
  readonly world: W;
  readonly level: Level;

  constructor({ random, world, level }: StageParts<W>) {
    this.random = random;
    this.world = world;
    this.level = level;
  }

  /** Starts anywhere and takes the first that has an option: much quicker than to look at all of them. */
  protected search<S, T>(subjects: readonly S[], options: (subject: S) => readonly T[]): readonly [S, T] | undefined {
    const start = subjects.length === 0 ? 0 : this.random.int(0, subjects.length - 1);
    for (let i = 0; i < subjects.length; i++) {
      const subject = subjects[(start + i) % subjects.length] as S;
      const found = options(subject);
      if (found.length > 0) return [subject, this.random.pick(found)];
    }
    return undefined;
  }
}

/** All ordered pairs of different items. */
export function pairs<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((a, i) => items.filter((_, j) => i !== j).map((b) => [a, b] as const));
}
