/** How hard the tasks of a pack are made. */

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

export const DEFAULT_DIFFICULTY: Difficulty = 'medium';

export interface Level {
  readonly difficulty: Difficulty;
  /** Chance that an order or a reservation is named by its number although it could be described, in [0, 1]. */
  readonly byNumber: number;
  /** Chance that it is named by a comparison where one fits: `the cheaper of your two pending orders`. */
  readonly comparison: number;
  /** Orders or reservations of a customer on average: all but a few are there to be told apart from these. */
  readonly crowd: number;
  /** Chance that a customer who has come for one thing has come for another one as well. */
  readonly secondGoal: number;
  /** The same for a third one, after a second. */
  readonly thirdGoal: number;
  /** Chance that the customer first asks for something else and thinks better of it. */
  readonly changeOfMind: number;
}

export const LEVELS: Readonly<Record<Difficulty, Level>> = {
  easy: {
    difficulty: 'easy',
    byNumber: 1,
    comparison: 0,
    crowd: 1.5,
    secondGoal: 0,
    thirdGoal: 0,
    changeOfMind: 0,
  },
  medium: {
    difficulty: 'medium',
    byNumber: 0.45,
    comparison: 0,
    crowd: 2.5,
    secondGoal: 0,
    thirdGoal: 0,
    changeOfMind: 0,
  },
  hard: {
    difficulty: 'hard',
    byNumber: 0.1,
    comparison: 0.6,
    crowd: 4,
    secondGoal: 0.65,
    thirdGoal: 0.3,
    changeOfMind: 0.3,
  },
};
